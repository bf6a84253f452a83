#include "distbench/sequencer/traffic_phase.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "distbench/sequencer/alarm.h"
#include "distbench/sequencer/liveness_watch.h"
#include "distbench/sequencer/node_errors.h"
#include "distbench/sequencer/silence.h"

namespace distbench {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kMinLeadNs = kSecondNs;
// Time that nodes have, once told to cancel, to end their traffic and answer.
constexpr int64_t kCancelGraceNs = 5 * kSecondNs;
// The calls themselves last longer than the test may, so that it is the test that times out.
constexpr int64_t kCallSlackNs = 60 * kSecondNs;

absl::Status TimeoutError(int64_t test_timeout_ns) {
  return absl::DeadlineExceededError(absl::StrCat(
      "traffic still ran after ", absl::FormatDuration(absl::Nanoseconds(test_timeout_ns)),
      ", which is its attribute test_timeout or --max_test_duration; give the test limits that it "
      "reaches, or more time"));
}

}  // namespace

TrafficPhase::TrafficPhase(const CallContext& context, const TrafficPhaseOptions& options,
                           const StopSignal& stop, ControlCalls& control,
                           Participants& participants)
    : context_(context),
      options_(options),
      stop_(stop),
      control_(control),
      participants_(participants) {}

void TrafficPhase::AgreeOnStart() {
  for (const Participant& participant : participants_) {
    if (!participant.instances.empty() && !participant.clock.has_value()) return;
  }
  lead_ns_ = std::max(kMinLeadNs, 3 * options_.broadcast_ns);
  start_wall_ns_ = options_.anchor.ToWallNs(context_.clock.MonotonicNs()) + lead_ns_;
}

NodeCallHandle TrafficPhase::StartNode(NodeIndex node, int64_t timeout_ns,
                                       NodeDone<RunTrafficResponse> done) {
  Participant& participant = participants_[node];
  RunTrafficRequest request;
  control_.Introduce(*participant.node, request);
  request.set_start_timestamp_ns(options_.anchor.ToWallNs(context_.clock.MonotonicNs()));
  if (start_wall_ns_.has_value() && participant.clock.has_value()) {
    participant.agreed_start = true;
    AgreedStart& start = *request.mutable_agreed_start();
    start.set_start_timestamp_ns(*start_wall_ns_ + participant.clock->offset_ns);
    start.set_clock_offset_ns(participant.clock->offset_ns);
    start.set_clock_offset_bound_ns(participant.clock->bound_ns);
  }
  return participant.node->stub->RunTraffic(std::move(request), timeout_ns, std::move(done));
}

absl::Status TrafficPhase::FirstProblem(Calls& calls) const {
  NodeErrors failed;
  absl::Status ended_early;
  for (size_t i = 0; i < participants_.size(); ++i) {
    const auto& answer = calls.answer(NodeIndex(i));
    if (!answer.has_value()) continue;
    const RegisteredNode& node = *participants_[NodeIndex(i)].node;
    if (IsSilence(answer->status())) {
      failed.AddLost(node.ToString(), answer->status());
    } else if (!answer->ok()) {
      failed.Add(node.ToString(), answer->status());
    } else if ((*answer)->status_code() != 0 && ended_early.ok()) {
      ended_early = absl::Status(static_cast<absl::StatusCode>((*answer)->status_code()),
                                 absl::StrCat(node.ToString(), ": ", (*answer)->status_message()));
    }
  }
  return failed.empty() ? ended_early : failed.ToStatus("traffic failed");
}

OnTrafficProgress TrafficPhase::ProgressListener() const {
  if (options_.on_progress == nullptr) return nullptr;
  return [this](const TrafficProgress& progress) {
    options_.on_progress(context_.clock.MonotonicNs() - start_ns_, progress);
  };
}

absl::Status TrafficPhase::AwaitEnd(Calls& calls) {
  Alarm timeout(context_.timers, context_.mailbox,
                context_.clock.MonotonicNs() + lead_ns_ + options_.test_timeout_ns);
  LivenessWatch watch(context_, control_, participants_);
  ProgressWatch progress(context_, start_ns_, control_, participants_, ProgressListener());
  while (true) {
    progress.Check();
    absl::Status problem = FirstProblem(calls);
    if (problem.ok() && !calls.all_finished()) problem = watch.Check();
    if (!problem.ok() || calls.all_finished()) return problem;
    if (stop_.requested()) return stop_.reason();
    if (timeout.rung()) return TimeoutError(options_.test_timeout_ns);
    context_.mailbox.RunOne();
  }
}

void TrafficPhase::CancelEverywhere(const absl::Status& reason, Calls& calls) {
  NodeCalls<CancelTrafficResult> cancels(
      context_, participants_.size(), {.timeout_ns = kCancelGraceNs},
      [&](NodeIndex node, int64_t timeout_ns, NodeDone<CancelTrafficResult> done) {
        CancelTrafficRequest request;
        if (participants_[node].node->knows_extensions()) {
          control_.Introduce(*participants_[node].node, request);
          request.set_reason(std::string(reason.message()));
          request.set_status_code(reason.raw_code());
        }
        return participants_[node].node->stub->CancelTraffic(std::move(request), timeout_ns,
                                                             std::move(done));
      });
  Alarm grace(context_.timers, context_.mailbox, context_.clock.MonotonicNs() + kCancelGraceNs);
  context_.mailbox.RunUntil([&] { return calls.all_finished() || grace.rung(); });
  calls.Cancel();
  calls.Await({});
}

void TrafficPhase::NoteAnswers(Calls& calls) {
  for (size_t i = 0; i < participants_.size(); ++i) {
    Participant& participant = participants_[NodeIndex(i)];
    const absl::StatusOr<RunTrafficResponse>& answer = *calls.answer(NodeIndex(i));
    if (!answer.ok()) participant.lost = true;
    if (answer.ok() && participant.agreed_start && answer->has_start_skew_ns()) {
      participant.start_skew_ns = answer->start_skew_ns();
    }
  }
}

absl::Status TrafficPhase::Run() {
  AgreeOnStart();
  start_ns_ = context_.clock.MonotonicNs() + lead_ns_;
  Calls calls(context_, participants_.size(),
              {.timeout_ns = lead_ns_ + options_.test_timeout_ns + kCallSlackNs,
               .max_in_flight = participants_.size()},
              [this](NodeIndex node, int64_t timeout_ns, NodeDone<RunTrafficResponse> done) {
                return StartNode(node, timeout_ns, std::move(done));
              });
  const absl::Status why_ended = AwaitEnd(calls);
  if (!why_ended.ok()) CancelEverywhere(why_ended, calls);
  NoteAnswers(calls);
  return why_ended;
}

}  // namespace distbench
