// NodeManager: the daemon of one node: its address, its server, the node itself, and the
// registration with the test sequencer, which it repeats: a sequencer that was started anew gets
// the node back, if it can under the same name.
//
//   ASSIGN_OR_RETURN(auto manager, NodeManager::Start({.environment = &environment, ...}));
//   RETURN_IF_ERROR(manager->Register());
//   manager->Wait();           // until ShutdownNode was answered, or Shutdown() called
//   manager.reset();           // stops the engines, then the server
//
// Several live in one process and share a NodeEnvironment; none has a thread of its own, and the
// sequencer says how often so many may register again.
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
class NodeConfig;
class NodeEnvironment;
class NodeRegistration;
class NodeService;
class Registration;
class RegistrationRenewal;

struct NodeManagerOptions {
  NodeEnvironment* environment = nullptr;  // outlives the manager
  ControlPlaneAddress control_plane;       // from ChooseControlPlaneAddress
  std::string test_sequencer;              // HOST:PORT or a gRPC target
  // Name and value. A node that asks for an id has the attribute node_alias too.
  std::vector<std::pair<std::string, std::string>> attributes;
  std::optional<int> preassigned_id;
  std::string service_address;  // told to the sequencer as it stands; empty: the control plane's
  absl::Duration registration_timeout = absl::Seconds(60);
  // How often to repeat it, until the sequencer wishes otherwise.
  absl::Duration registration_period = absl::Seconds(5);
};

class NodeManager {
 public:
  // Listens; an error names the address.
  static absl::StatusOr<std::unique_ptr<NodeManager>> Start(NodeManagerOptions options);
  ~NodeManager();

  // Registers with the sequencer, waiting for it as long as the options say. Returns early, with
  // CANCELLED, when the node is shut down meanwhile. From then on registrations are repeated.
  // Requires: has not succeeded before.
  absl::Status Register();

  // "node3". Empty before Register() has succeeded; changes where another sequencer gives another.
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
  // The same each time, but for what the sequencer's last answer adds to it.
  NodeRegistration MakeRegistration() const;
  void OnRegistered(const NodeConfig& config);
  void KeepRegistered();

  const NodeManagerOptions options_;
  const uint64_t incarnation_;
  std::unique_ptr<Registration> registration_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<NodeService> service_;
  std::unique_ptr<GrpcListener> listener_;

  mutable absl::Mutex mutex_;
  std::string alias_ ABSL_GUARDED_BY(mutex_);
  std::optional<int32_t> former_id_
      ABSL_GUARDED_BY(mutex_);  // none for a sequencer of another kind
  bool stop_requested_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<RegistrationRenewal> renewal_ ABSL_GUARDED_BY(mutex_);  // set once
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_NODE_MANAGER_H_
