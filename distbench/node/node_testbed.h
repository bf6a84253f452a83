// NodeTestbed: nodes in one process over a fake network, called as a sequencer calls them, for
// tests. Handshakes go over real gRPC servers on loopback.
#ifndef DISTBENCH_NODE_NODE_TESTBED_H_
#define DISTBENCH_NODE_NODE_TESTBED_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/node/node.h"
#include "distbench/node/node_environment.h"
#include "protos/distbench.pb.h"

namespace distbench {

// One client that sends 10 RPCs to each of two servers, two at a time.
DistributedSystemDescription ShortTest();

// The same without end: runs until it is cancelled.
DistributedSystemDescription EndlessTest();

// An answer that will come.
template <typename Response>
class Awaited {
 public:
  std::function<void(absl::StatusOr<Response>)> done() {
    return [this](absl::StatusOr<Response> answer) {
      answer_ = std::move(answer);
      answered_.Notify();
    };
  }
  bool has_come() const { return answered_.HasBeenNotified(); }
  absl::StatusOr<Response>& Get() {
    answered_.WaitForNotification();
    return answer_;
  }

 private:
  absl::Notification answered_;
  absl::StatusOr<Response> answer_ = absl::UnknownError("no answer");
};

class NodeTestbed {
 public:
  explicit NodeTestbed(size_t node_count, const PortRange& ports = {});

  FakeNetwork& network() { return network_; }
  NodeEnvironment& environment() { return environment_; }
  Node& node(size_t index) { return *nodes_[index]; }
  int shutdowns() const { return shutdowns_; }

  // Lets the process have so many more threads.
  void AddThreads(int64_t count) { added_threads_ += count; }

  // Each waits for its answer.
  absl::StatusOr<ServiceEndpointMap> Configure(size_t node,
                                               const DistributedSystemDescription& config,
                                               const std::vector<std::string>& instances,
                                               const std::string& run_id = "run",
                                               const std::string& request_id = "");
  absl::Status Introduce(size_t node, const ServiceEndpointMap& peers,
                         const std::string& run_id = "run");
  absl::StatusOr<RunTrafficResponse> Run(size_t node, const RunTrafficRequest& request = {});
  absl::StatusOr<GetTrafficResultResponse> Result(size_t node, bool clear,
                                                  const std::string& run_id = "run");
  // The instances' logs from a result that is read in pieces, without what comes as samples.
  absl::StatusOr<ServiceLogs> LogsInPieces(size_t node, const std::string& run_id = "run");
  absl::Status Cancel(size_t node, const CancelTrafficRequest& request = {});

  // Configures and introduces one node that hosts everything.
  void Prepare(const DistributedSystemDescription& config);

 private:
  FakeNetwork network_;
  std::atomic<int64_t> added_threads_{0};
  const std::unique_ptr<DriverRegistry> drivers_;
  NodeEnvironment environment_;
  std::atomic<int> shutdowns_{0};
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_NODE_TESTBED_H_
