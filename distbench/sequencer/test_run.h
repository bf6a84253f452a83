// TestRun: one test, from its config to its result.
//
//   find which nodes live -> place -> configure -> introduce peers -> survey clocks -> traffic
//        '----------'-------'---------'-- any failure ------'-----------'----------'---> collect
//
// Whatever fails, nodes that were configured are cleared and what they measured is collected: the
// daemons are ready for the next test, and the result says what went wrong and what was measured
// until then. Runs on the runner's thread, whose mailbox it uses while it waits.
#ifndef DISTBENCH_SEQUENCER_TEST_RUN_H_
#define DISTBENCH_SEQUENCER_TEST_RUN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/config/plan.h"
#include "distbench/sequencer/control_calls.h"
#include "distbench/sequencer/participant.h"
#include "distbench/sequencer/placement.h"
#include "distbench/sequencer/run_context.h"
#include "distbench/sequencer/sample_relay.h"
#include "distbench/sequencer/test_observer.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

struct TestCase {
  const DistributedSystemDescription& as_given;
  const DistributedSystemDescription& canonical;
  std::shared_ptr<const Plan> plan;  // of the canonical form
  bool wants_samples = true;
};

class TestRun {
 public:
  // All borrowed. `stop` ends the test early. `observer` may be null; it is told the test's phases
  // and traffic, not which test it is.
  TestRun(const RunContext& context, const TestCase& test, const StopSignal& stop,
          OnTestProgress observer = nullptr);

  // Never fails: TestReport.status_code tells how the test ended. Call once. The result has samples
  // of those nodes only that cannot stream them.
  TestResult Run();

  // After Run(): the samples of the other nodes, in the nodes' order. They are there as long as
  // somebody holds their streams.
  std::vector<NodeSamples> TakeSamples() { return std::move(samples_); }

  // After Run(): nothing was run because instances found no node while registered nodes do not
  // answer.
  bool lacks_silent_nodes() const { return lacks_silent_nodes_; }

 private:
  absl::Status Prepare();
  absl::Status FindLivingNodes();
  absl::Status Place();
  absl::Status Configure();
  absl::Status Introduce();
  absl::Status RunTraffic();
  absl::Status Collect(const absl::Status& ended);
  void FetchInOne(NodeCalls<NodeResult>& calls);
  absl::Status Merge(const Participant& participant, absl::StatusOr<NodeResult> answer);
  void Finish(const absl::Status& status);
  void TellPhase(TestProgress::Phase phase);
  void TellTraffic(int64_t elapsed_ns, const TrafficProgress& traffic);
  void AddToSummary(std::vector<std::string> lines);

  NodeCallHandle ConfigureNode(NodeIndex node, const DistributedSystemDescription& public_form,
                               int64_t timeout_ns, NodeDone<ServiceEndpointMap> done);
  NodeCallHandle IntroducePeers(NodeIndex node, int64_t timeout_ns,
                                NodeDone<IntroducePeersResult> done);
  // In one message or as a stream.
  enum class Fetch { kInOne, kAsStream };
  NodeCallHandle GetResult(NodeIndex node, Fetch how, int64_t timeout_ns,
                           NodeDone<NodeResult> done);
  bool HasOtherPrograms() const;

  // Those that did not answer, and do not answer when asked again, become lost.
  template <typename Response>
  void FindLostNodes(NodeCalls<Response>& calls);

  // The stop's reason, or the errors of all participants that failed or were lost.
  template <typename Response>
  absl::Status Failures(NodeCalls<Response>& calls, const char* what);

  const RunContext& context_;
  const Plan& plan_;
  const StopSignal& stop_;
  const OnTestProgress observer_;
  const WallAnchor anchor_;
  ControlCalls control_;
  DistributedSystemDescription config_;  // canonical, with the seed in use

  std::vector<NodePointer> living_;
  std::vector<NodePointer> silent_;
  Participants participants_;
  bool lacks_silent_nodes_ = false;
  int64_t broadcast_ns_ = 0;
  bool traffic_ran_ = false;
  bool is_in_doubt_ = false;  // whether nodes still live: they are not waited for as long
  const bool wants_samples_;
  std::vector<NodeSamples> samples_;
  TestResult result_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_TEST_RUN_H_
