#include "distbench/sequencer/test_run.h"

#include <glog/logging.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/compiler.h"
#include "distbench/results/merge.h"
#include "distbench/results/resource_usage.h"
#include "distbench/results/summary.h"
#include "distbench/results/verdict.h"
#include "distbench/sequencer/clock_survey.h"
#include "distbench/sequencer/endpoints.h"
#include "distbench/sequencer/lost_nodes.h"
#include "distbench/sequencer/node_errors.h"
#include "distbench/sequencer/public_form.h"
#include "distbench/sequencer/silence.h"
#include "distbench/sequencer/test_report.h"
#include "distbench/sequencer/traffic_phase.h"

namespace distbench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kLivenessTimeoutNs = 5 * kSecondNs;
constexpr int64_t kConfigureTimeoutNs = 60 * kSecondNs;
constexpr int64_t kIntroduceTimeoutNs = 60 * kSecondNs;
constexpr int64_t kResultTimeoutNs = 600 * kSecondNs;
// For nodes that may be lost, and for all once nobody wants the result any more.
constexpr int64_t kClearTimeoutNs = 10 * kSecondNs;
// When one node has failed, the others may report their failures for this long.
constexpr int64_t kFailureGraceNs = 2 * kSecondNs;

int64_t TestTimeoutNs(const DistributedSystemDescription& config) {
  const absl::StatusOr<double> seconds = TestTimeoutSeconds(config);
  CHECK(seconds.ok()) << "the compiler has accepted the timeout";
  return static_cast<int64_t>(*seconds * kSecondNs);
}

}  // namespace

TestRun::TestRun(const RunContext& context, const TestCase& test, const StopSignal& stop,
                 OnTestProgress observer)
    : context_(context),
      plan_(*test.plan),
      stop_(stop),
      observer_(std::move(observer)),
      anchor_(AnchorWallClock(context.calls.clock)),
      control_(absl::StrFormat("%016x%016x", context.draw_64_bits(), context.draw_64_bits())),
      config_(test.canonical),
      wants_samples_(test.wants_samples) {
  if (!config_.has_seed()) config_.set_seed(context.draw_64_bits());
  *result_.mutable_traffic_config() = config_;
  *result_.mutable_config_as_given() = test.as_given;
  TestReport& report = *result_.mutable_report();
  *report.mutable_sequencer() = context.provenance;
  report.set_seed(config_.seed());
  report.set_run_id(control_.run_id());
}

TestResult TestRun::Run() {
  const RUsage usage_at_start = CurrentResourceUsage();
  absl::Status status = Prepare();
  if (status.ok()) status = RunTraffic();
  const absl::Status collected = Collect(status);
  if (status.ok()) status = collected;
  if (status.ok()) status = ReportedOverload(result_.report());
  *result_.mutable_resource_usage_logs()->mutable_test_sequencer_usage() =
      ResourceUsageSince(usage_at_start);
  Finish(status);
  TellPhase(TestProgress::DONE);
  return std::move(result_);
}

absl::Status TestRun::Prepare() {
  TellPhase(TestProgress::PLACING);
  RETURN_IF_ERROR(stop_.reason());
  RETURN_IF_ERROR(FindLivingNodes());
  RETURN_IF_ERROR(Place());
  TellPhase(TestProgress::PREPARING);
  RETURN_IF_ERROR(Configure());
  RETURN_IF_ERROR(Introduce());
  ASSIGN_OR_RETURN(broadcast_ns_,
                   SurveyClocks(context_.calls, anchor_, stop_, control_, participants_));
  return absl::OkStatus();
}

absl::Status TestRun::FindLivingNodes() {
  const std::vector<NodePointer> nodes = context_.nodes.Nodes();
  NodeCalls<ClockReading> calls(
      context_.calls, nodes.size(), {.timeout_ns = kLivenessTimeoutNs},
      [&](NodeIndex node, int64_t timeout_ns, NodeDone<ClockReading> done) {
        // It asks the process, whatever run that was busy with: the probe names none.
        return nodes[node.value()]->stub->ProbeClock(ClockProbe(), timeout_ns, std::move(done));
      });
  calls.Await({.stop = &stop_});
  RETURN_IF_ERROR(stop_.reason());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const absl::Status answer = calls.answer(NodeIndex(i))->status();
    if (IsSilence(answer)) {
      LOG(WARNING) << nodes[i]->ToString() << " does not answer: " << answer;
      silent_.push_back(nodes[i]);
    } else {
      living_.push_back(nodes[i]);
    }
  }
  return absl::OkStatus();
}

absl::Status TestRun::Place() {
  const auto as_place = [](const NodePointer& node) -> PlacementNode {
    return {.alias = node->alias, .attributes = Attributes(node->registration.attributes())};
  };
  PlacementNodes nodes;
  Participants candidates;
  for (const NodePointer& node : living_) {
    nodes.usable.push_back(as_place(node));
    candidates.push_back({.node = node, .instances = {}});
  }
  for (const NodePointer& node : silent_) nodes.silent.push_back(as_place(node));
  const absl::StatusOr<Placement> placement = PlaceInstances(plan_, config_, nodes);
  lacks_silent_nodes_ = !placement.ok() && !silent_.empty();
  RETURN_IF_ERROR(placement.status());
  for (size_t i = 0; i < placement->size(); ++i) {
    candidates[(*placement)[InstanceIndex(i)]].instances.push_back(InstanceIndex(i));
  }
  for (Participant& candidate : candidates) {
    const bool takes_part = !candidate.instances.empty() || !candidate.node->knows_extensions();
    if (takes_part) participants_.push_back(std::move(candidate));
  }
  return absl::OkStatus();
}

bool TestRun::HasOtherPrograms() const {
  return std::any_of(participants_.begin(), participants_.end(),
                     [](const Participant& p) { return !p.node->knows_extensions(); });
}

template <typename Response>
void TestRun::FindLostNodes(NodeCalls<Response>& calls) {
  std::vector<NodeIndex> suspects;
  for (size_t i = 0; i < participants_.size(); ++i) {
    const NodeIndex node(i);
    const bool is_silent = IsSilence(calls.answer(node)->status());
    if (is_silent && !participants_[node].lost) suspects.push_back(node);
  }
  MarkLostNodes(context_.calls, stop_, suspects, participants_);
}

template <typename Response>
absl::Status TestRun::Failures(NodeCalls<Response>& calls, const char* what) {
  RETURN_IF_ERROR(stop_.reason());
  FindLostNodes(calls);
  RETURN_IF_ERROR(stop_.reason());
  NodeErrors errors;
  for (size_t i = 0; i < participants_.size(); ++i) {
    const absl::Status answer = calls.answer(NodeIndex(i))->status();
    if (!answer.ok()) AddError(participants_[NodeIndex(i)], answer, errors);
  }
  return errors.ToStatus(what);
}

NodeCallHandle TestRun::ConfigureNode(NodeIndex node,
                                      const DistributedSystemDescription& public_form,
                                      int64_t timeout_ns, NodeDone<ServiceEndpointMap> done) {
  Participant& participant = participants_[node];
  participant.configured = true;
  NodeServiceConfig request;
  control_.Introduce(*participant.node, request);
  *request.mutable_traffic_config() = participant.node->knows_extensions() ? config_ : public_form;
  for (InstanceIndex instance : participant.instances) {
    request.add_services(plan_.instances[instance].name);
  }
  return participant.node->stub->ConfigureNode(std::move(request), timeout_ns, std::move(done));
}

absl::Status TestRun::Configure() {
  DistributedSystemDescription public_form;
  if (HasOtherPrograms()) {
    ASSIGN_OR_RETURN(public_form, PublicForm(config_));
  }
  NodeCalls<ServiceEndpointMap> calls(
      context_.calls, participants_.size(), {.timeout_ns = kConfigureTimeoutNs},
      [&](NodeIndex node, int64_t timeout_ns, NodeDone<ServiceEndpointMap> done) {
        return ConfigureNode(node, public_form, timeout_ns, std::move(done));
      });
  calls.Await({.stop = &stop_, .after_failure_ns = kFailureGraceNs});
  RETURN_IF_ERROR(Failures(calls, "ConfigureNode failed"));
  NodeErrors errors;
  for (size_t i = 0; i < participants_.size(); ++i) {
    const Participant& participant = participants_[NodeIndex(i)];
    const absl::Status added = AddEndpoints(
        plan_, participant, std::move(**calls.answer(NodeIndex(i))), *result_.mutable_placement());
    if (!added.ok()) errors.Add(participant.node->ToString(), added);
  }
  return errors.ToStatus("ConfigureNode failed");
}

NodeCallHandle TestRun::IntroducePeers(NodeIndex node, int64_t timeout_ns,
                                       NodeDone<IntroducePeersResult> done) {
  const Participant& participant = participants_[node];
  ServiceEndpointMap request =
      participant.node->knows_extensions()
          ? EndpointsCalledBy(plan_, participant.instances, result_.placement())
          : result_.placement();
  control_.Introduce(*participant.node, request);
  return participant.node->stub->IntroducePeers(std::move(request), timeout_ns, std::move(done));
}

absl::Status TestRun::Introduce() {
  NodeCalls<IntroducePeersResult> calls(
      context_.calls, participants_.size(), {.timeout_ns = kIntroduceTimeoutNs},
      [this](NodeIndex node, int64_t timeout_ns, NodeDone<IntroducePeersResult> done) {
        return IntroducePeers(node, timeout_ns, std::move(done));
      });
  calls.Await({.stop = &stop_, .after_failure_ns = kFailureGraceNs});
  return Failures(calls, "IntroducePeers failed");
}

absl::Status TestRun::RunTraffic() {
  traffic_ran_ = true;
  TellPhase(TestProgress::RUNNING);
  TrafficPhaseOptions options = {
      .anchor = anchor_, .broadcast_ns = broadcast_ns_, .test_timeout_ns = TestTimeoutNs(config_)};
  if (observer_ != nullptr) {
    options.on_progress = [this](int64_t elapsed_ns, const TrafficProgress& traffic) {
      TellTraffic(elapsed_ns, traffic);
    };
  }
  TrafficPhase traffic(context_.calls, options, stop_, control_, participants_);
  return traffic.Run();
}

NodeCallHandle TestRun::GetResult(NodeIndex node, Fetch how, int64_t timeout_ns,
                                  NodeDone<NodeResult> done) {
  const Participant& participant = participants_[node];
  NodeStub& stub = *participant.node->stub;
  GetTrafficResultRequest request;
  control_.Introduce(*participant.node, request);
  request.set_clear_services(true);
  if (!wants_samples_ && participant.node->knows_extensions()) request.set_without_samples(true);
  const int64_t patience_ns =
      is_in_doubt_ || participant.lost ? std::min(timeout_ns, kClearTimeoutNs) : timeout_ns;
  if (how == Fetch::kAsStream) {
    return stub.StreamTrafficResult(std::move(request), patience_ns, std::move(done));
  }
  return stub.GetTrafficResult(
      std::move(request), patience_ns,
      [done = std::move(done)](absl::StatusOr<GetTrafficResultResponse> answer) {
        if (!answer.ok()) return done(answer.status());
        done(NodeResult{.result = *std::move(answer), .samples = nullptr});
      });
}

absl::Status TestRun::Collect(const absl::Status& ended) {
  TellPhase(TestProgress::COLLECTING);
  is_in_doubt_ = stop_.requested() || (!ended.ok() && !traffic_ran_);
  Participants configured;
  for (Participant& participant : participants_) {
    if (participant.configured) configured.push_back(std::move(participant));
  }
  participants_ = std::move(configured);
  NodeCalls<NodeResult> calls(context_.calls, participants_.size(),
                              {.timeout_ns = kResultTimeoutNs},
                              [&](NodeIndex node, int64_t timeout_ns, NodeDone<NodeResult> done) {
                                const bool streams = participants_[node].node->knows_extensions();
                                return GetResult(node, streams ? Fetch::kAsStream : Fetch::kInOne,
                                                 timeout_ns, std::move(done));
                              });
  calls.Await({.stop = &stop_, .after_stop_ns = kClearTimeoutNs});
  FetchInOne(calls);
  FindLostNodes(calls);

  NodeErrors errors;
  for (size_t i = 0; i < participants_.size(); ++i) {
    const Participant& participant = participants_[NodeIndex(i)];
    const absl::Status merged = Merge(participant, std::move(*calls.answer(NodeIndex(i))));
    if (!merged.ok()) AddError(participant, merged, errors);
  }
  if (!errors.empty()) RETURN_IF_ERROR(stop_.reason());
  return errors.ToStatus("GetTrafficResult failed");
}

// From those that know no streams: earlier versions.
void TestRun::FetchInOne(NodeCalls<NodeResult>& calls) {
  std::vector<NodeIndex> nodes;
  for (size_t i = 0; i < participants_.size(); ++i) {
    if (absl::IsUnimplemented(calls.answer(NodeIndex(i))->status())) nodes.push_back(NodeIndex(i));
  }
  NodeCalls<NodeResult> again(
      context_.calls, nodes.size(), {.timeout_ns = kResultTimeoutNs},
      [&](NodeIndex position, int64_t timeout_ns, NodeDone<NodeResult> done) {
        return GetResult(nodes[position.value()], Fetch::kInOne, timeout_ns, std::move(done));
      });
  again.Await({.stop = &stop_, .after_stop_ns = kClearTimeoutNs});
  for (size_t i = 0; i < nodes.size(); ++i) {
    calls.answer(nodes[i]) = std::move(again.answer(NodeIndex(i)));
  }
}

absl::Status TestRun::Merge(const Participant& participant, absl::StatusOr<NodeResult> answer) {
  GetTrafficResultResponse report_only;
  if (answer.ok()) report_only.mutable_report()->Swap(answer->result.mutable_report());
  NodeReport& report = *report_only.mutable_report();
  CompleteNodeReport(plan_, participant, report);
  report.set_lost(participant.lost && !answer.ok());
  // A report alone contradicts nothing.
  CHECK(MergeNodeResult(std::move(report_only), result_).ok());
  if (!answer.ok()) return answer.status();
  answer->result.clear_report();
  NodeSamples samples = {
      .node = participant.node->alias, .instances = {}, .stream = std::move(answer->samples)};
  for (const auto& [instance, log] : answer->result.service_logs().instance_logs()) {
    samples.instances.insert(instance);
  }
  RETURN_IF_ERROR(MergeNodeResult(std::move(answer->result), result_));
  if (wants_samples_ && samples.stream != nullptr) samples_.push_back(std::move(samples));
  return absl::OkStatus();
}

void TestRun::Finish(const absl::Status& status) {
  SetStatus(status, *result_.mutable_report());
  if (!status.ok()) LOG(WARNING) << "test '" << config_.name() << "' ended early: " << status;
  *result_.mutable_report()->mutable_verdict() =
      JudgeTest(plan_, result_, plan_.verdict_thresholds);
  if (traffic_ran_) {
    AddToSummary(SummarizeTest(plan_, result_));
    AddToSummary(DescribeStarts(participants_));
  }
  AddToSummary(DescribeEnd(status));
}

void TestRun::TellPhase(TestProgress::Phase phase) {
  if (observer_ == nullptr) return;
  TestProgress progress;
  progress.set_phase(phase);
  if (phase == TestProgress::RUNNING) *progress.mutable_placement() = result_.placement();
  observer_(progress);
}

void TestRun::TellTraffic(int64_t elapsed_ns, const TrafficProgress& traffic) {
  TestProgress progress;
  progress.set_phase(TestProgress::RUNNING);
  progress.set_traffic_elapsed_ns(elapsed_ns);
  *progress.mutable_traffic() = traffic;
  observer_(progress);
}

void TestRun::AddToSummary(std::vector<std::string> lines) {
  for (std::string& line : lines) result_.add_log_summary(std::move(line));
}

}  // namespace distbench
