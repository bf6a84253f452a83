// NodeManager: the daemon of one node: its address, its server, the node itself, and the
// registration with the test sequencer.
//
//   ASSIGN_OR_RETURN(auto manager, NodeManager::Start({.environment = &environment, ...}));
//   RETURN_IF_ERROR(manager->Register());
//   manager->Wait();           // until ShutdownNode was answered, or Shutdown() called
//   manager.reset();           // stops the engines, then the server
//
// Several live in one process and share a NodeEnvironment; none has a thread of its own.
// Thread-safe.
#ifndef DISTBENCH_NODE_NODE_MANAGER_H_
#define DISTBENCH_NODE_NODE_MANAGER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/net/address_choice.h"

namespace distbench {

class GrpcListener;
class Node;
class NodeEnvironment;
class NodeService;
class Registration;

struct NodeManagerOptions {
  NodeEnvironment* environment = nullptr;  // outlives the manager
  ControlPlaneAddress control_plane;       // from ChooseControlPlaneAddress
  std::string test_sequencer;              // HOST:PORT or a gRPC target
  // Name and value. A node that asks for an id has the attribute node_alias too.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::optional<int> preassigned_id;
  std::string service_address;  // told to the sequencer as it stands; empty: the control plane's
  absl::Duration registration_timeout = absl::Seconds(60);
};

class NodeManager {
 public:
  // Listens; an error names the address.
  static absl::StatusOr<std::unique_ptr<NodeManager>> Start(NodeManagerOptions options);
  ~NodeManager();

  // Registers with the sequencer, waiting for it as long as the options say. Returns early, with
  // CANCELLED, when the node is shut down meanwhile.
  absl::Status Register();

  // "node3". Empty before Register() has succeeded.
  std::string alias() const;
  uint16_t port() const;
  // The gRPC target that the sequencer is told.
  std::string service_address() const;

  // Returns when the node has been told to stop, by its sequencer or by Shutdown().
  void Wait();
  // Returns at once; not safe in a signal handler.
  void Shutdown();

 private:
  explicit NodeManager(NodeManagerOptions options);
  absl::Status Listen();

  const NodeManagerOptions options_;
  std::unique_ptr<Registration> registration_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<NodeService> service_;
  std::unique_ptr<GrpcListener> listener_;

  mutable absl::Mutex mutex_;
  std::string alias_ ABSL_GUARDED_BY(mutex_);
  bool stop_requested_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_NODE_MANAGER_H_
