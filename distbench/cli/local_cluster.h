// LocalCluster: a test sequencer in this process, and any number of nodes beside it. They speak to
// each other as if they were far apart.
#ifndef DISTBENCH_CLI_LOCAL_CLUSTER_H_
#define DISTBENCH_CLI_LOCAL_CLUSTER_H_

#include <memory>
#include <string>
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
class NodeHost;
class Sequencer;

inline constexpr int kMaxLocalNodes = 10000;

struct LocalClusterOptions {
  ControlPlaneOptions control_plane;  // the sequencer's; nodes take any free port
  DataPlaneOptions data_plane;
  EventLoops loops;            // of the drivers and nodes
  SampleStoreOptions samples;  // of all nodes together
  std::vector<std::string> command_line;
};

// Thread-safe.
class LocalCluster {
 public:
  // Starts the sequencer; an error names its address.
  static absl::StatusOr<std::unique_ptr<LocalCluster>> Start(LocalClusterOptions options);
  // Ends what runs, stops the sequencer, then the nodes.
  ~LocalCluster();

  // Where the sequencer can be reached from this machine, HOST:PORT.
  const std::string& address() const { return address_; }

  // Starts `count` nodes and registers them. CANCELLED if a shutdown was requested meanwhile.
  // Requires: not called before.
  absl::Status AddNodes(int count);

  // Returns when a shutdown was requested, here or by a test sequence.
  void Wait();

  // Returns at once.
  void RequestShutdown();

 private:
  LocalCluster(LocalClusterOptions options, std::unique_ptr<DriverRegistry> drivers,
               std::unique_ptr<Sequencer> sequencer, std::string address);

  const LocalClusterOptions options_;
  const std::unique_ptr<DriverRegistry> drivers_;
  const std::unique_ptr<Sequencer> sequencer_;
  const std::string address_;

  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<NodeHost> nodes_ ABSL_GUARDED_BY(mutex_);  // set once
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_LOCAL_CLUSTER_H_
