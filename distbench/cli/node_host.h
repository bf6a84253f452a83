// NodeHost: the node managers that live in this process, and what they share.
//
//   ASSIGN_OR_RETURN(auto host, NodeHost::Create({.drivers = &drivers, ...}));
//   RETURN_IF_ERROR(host->AddNode({}));
//   host->Wait();     // until every node was told to stop
//   host.reset();     // stops the engines
#ifndef DISTBENCH_CLI_NODE_HOST_H_
#define DISTBENCH_CLI_NODE_HOST_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/net/address_choice.h"
#include "distbench/results/sample_store.h"

namespace distbench {

class DriverRegistry;
class NodeEnvironment;
class NodeManager;

struct NodeHostOptions {
  const DriverRegistry* drivers = nullptr;  // outlives the host
  EventLoops loops;                         // those of the drivers
  std::string test_sequencer;               // HOST:PORT, whom every node registers with
  ControlPlaneOptions control_plane;
  DataPlaneOptions data_plane;
  SampleStoreOptions samples;
  std::vector<std::string> command_line;
};

// What sets one node apart from the others; all of it may be left out.
struct NodeIdentity {
  std::optional<int> preassigned_id;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string service_address;  // what the sequencer is told instead of the control plane's
};

// Thread-safe.
class NodeHost {
 public:
  // Chooses addresses; an error names what could not be had.
  static absl::StatusOr<std::unique_ptr<NodeHost>> Create(const NodeHostOptions& options);
  // Stops what is left.
  ~NodeHost();

  // Starts a node and registers it, waiting for the sequencer if need be. Returns how the node is
  // called and where it listens, for people; CANCELLED if Shutdown() came first.
  absl::StatusOr<std::string> AddNode(NodeIdentity identity);

  // Returns when all nodes were told to stop: by their sequencer, or by Shutdown().
  void Wait();

  // Tells all nodes to stop, and refuses new ones. Returns at once.
  void Shutdown();

 private:
  NodeHost(const NodeHostOptions& options, ControlPlaneAddress control_plane,
           DataPlaneAddress data_plane);
  // Null once Shutdown() was called.
  NodeManager* Keep(std::unique_ptr<NodeManager> manager);

  const std::string test_sequencer_;
  const ControlPlaneAddress control_plane_;
  std::unique_ptr<NodeEnvironment> environment_;

  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Only grows until destruction.
  std::vector<std::unique_ptr<NodeManager>> managers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_NODE_HOST_H_
