// Node: what a node manager does when its sequencer calls, apart from any RPC system.
//
//            ConfigureNode          IntroducePeers        RunTraffic
//   no test ---------------> hosted --------------> introduced ------> running --.
//     ^                        |                        |                 |      |
//     '---- clear_services ----'------------------------'--------------- ended <-'
//
// A call that does not fit the state answers FAILED_PRECONDITION; ConfigureNode fits always and
// replaces what there is. On a node that hosts nothing the others succeed and do nothing, because a
// sequencer may call all its nodes alike.
//
// All of it happens on the node's work queue, so that there is one thing at a time and no lock; no
// caller is kept waiting. `done` is called once per call, on any thread. Thread-safe.
#ifndef DISTBENCH_NODE_NODE_H_
#define DISTBENCH_NODE_NODE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "distbench/node/hosted_test.h"
#include "distbench/node/repeatable_call.h"
#include "distbench/node/work_queue.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"

namespace distbench {

class NodeEnvironment;
class OpenedResult;
class ResultRecord;

struct NodeOptions {
  NodeEnvironment* environment = nullptr;  // outlives the node
  std::string host_name;                   // told with every endpoint
  // Called once, after ShutdownNode was answered. May come on any thread; must not block.
  std::function<void()> on_shutdown;
};

class Node {
 public:
  template <typename Response>
  using Done = std::function<void(absl::StatusOr<Response>)>;

  explicit Node(NodeOptions options);
  // Close(), if it was not called before.
  ~Node();

  // The name that the sequencer gave, under which results are filed.
  void SetAlias(const std::string& alias);

  void ConfigureNode(const NodeServiceConfig& request, Done<ServiceEndpointMap> done);
  void IntroducePeers(const ServiceEndpointMap& request, Done<IntroducePeersResult> done);
  // Returns a number for AbandonTraffic().
  uint64_t RunTraffic(const RunTrafficRequest& request, Done<RunTrafficResponse> done);
  void GetTrafficResult(const GetTrafficResultRequest& request,
                        Done<GetTrafficResultResponse> done);
  // The same in pieces. `done` gets a number for the other two, which end with Close. One result is
  // open at a time: whoever opened another before gets ABORTED.
  void OpenResult(const GetTrafficResultRequest& request, Done<uint64_t> done);
  // None: that was all.
  void NextRecord(uint64_t result_number, Done<std::optional<ResultRecord>> done);
  void CloseResult(uint64_t result_number);
  void GetTrafficProgress(const GetTrafficProgressRequest& request, Done<TrafficProgress> done);
  void CancelTraffic(const CancelTrafficRequest& request, Done<CancelTrafficResult> done);
  void ShutdownNode(const ShutdownNodeRequest& request, Done<ShutdownNodeResult> done);

  // Answered on the calling thread: a probe that waits measures nothing.
  ClockReading ProbeClock();

  // Nobody waits for that RunTraffic any more: its sequencer has gone. Cancels what it runs.
  void AbandonTraffic(uint64_t run_number);

  // Stops all engines; calls that wait are answered, later ones with UNAVAILABLE. Blocks.
  void Close();

 private:
  // Has `work` done on the queue, unless the node is closed by then.
  template <typename Response>
  void Enqueue(Done<Response> done, std::function<void(Done<Response>)> work);

  // All below is called on the work queue.

  absl::Status CheckRun(const ControlContext& control) const;
  absl::StatusOr<ServiceEndpointMap> Configure(const NodeServiceConfig& request);
  void Introduce(const ServiceEndpointMap& request, Done<IntroducePeersResult> done);
  void Run(const RunTrafficRequest& request, uint64_t run_number, Done<RunTrafficResponse> done);
  RunTrafficResponse RunOutcome(uint64_t test_number, const absl::Status& status) const;
  absl::Status CheckResultRequest(const GetTrafficResultRequest& request) const;
  // Everything but samples.
  absl::StatusOr<GetTrafficResultResponse> TakeStatistics(const GetTrafficResultRequest& request);
  void AddAllSamples(ServiceLogs* logs);
  static void DropUnreadableLogs(ServiceLogs* logs);
  absl::StatusOr<std::optional<ResultRecord>> TakeRecord(uint64_t result_number);
  void EndResult(bool clear);
  NodeReport Report() const;
  void CountTraffic(const GetTrafficProgressRequest& request, Done<TrafficProgress> done);
  void Cancel(const absl::Status& reason);
  void RemoveTest(const std::string& reason);

  const NodeOptions options_;
  std::atomic<uint64_t> next_run_number_{1};

  std::string alias_;
  bool is_closed_ = false;
  bool is_shutdown_asked_ = false;
  std::unique_ptr<HostedTest> test_;  // null: hosts nothing
  uint64_t test_number_ = 0;          // changes whenever test_ does
  std::string run_id_;                // of the latest ConfigureNode; kept when the test is cleared
  bool is_cleared_ = false;           // the results of run_id_ were taken
  RUsage usage_at_start_;             // of the process, at the latest ConfigureNode
  uint64_t run_number_ = 0;           // of the latest RunTraffic
  std::optional<AgreedStart> agreed_start_;  // of the latest RunTraffic
  uint64_t result_number_ = 0;               // of the latest OpenResult
  std::unique_ptr<OpenedResult> result_;     // null: not open; its samples are test_'s

  RepeatableCall<ServiceEndpointMap> configure_calls_;
  RepeatableCall<IntroducePeersResult> introduce_calls_;
  RepeatableCall<RunTrafficResponse> run_calls_;

  WorkQueue queue_;  // last: its work uses all of the above
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_NODE_H_
