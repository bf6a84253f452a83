#include "distbench/sequencer/liveness_watch.h"

#include <algorithm>
#include <utility>

#include "distbench/sequencer/node_errors.h"

namespace distbench {
namespace {

// Probes must not disturb what is measured: a large cluster is probed less often.
constexpr int64_t kMinIntervalNs = 1'000'000'000;
constexpr int64_t kIntervalNsPerNode = 2'000'000;
// A machine that is busy with traffic may be slow to answer; one that is dead never does.
constexpr int64_t kProbeTimeoutNs = 30'000'000'000;

}  // namespace

LivenessWatch::LivenessWatch(const CallContext& context, ControlCalls& control,
                             Participants& participants)
    : context_(context),
      control_(control),
      participants_(participants),
      interval_ns_(std::max(kMinIntervalNs,
                            kIntervalNsPerNode * static_cast<int64_t>(participants.size()))) {
  ScheduleProbes();
}

void LivenessWatch::ScheduleProbes() {
  next_probes_.emplace(context_.timers, context_.mailbox,
                       context_.clock.MonotonicNs() + interval_ns_);
}

absl::Status LivenessWatch::Check() {
  if (next_probes_.has_value() && next_probes_->rung()) {
    next_probes_.reset();
    BeginProbes();
  }
  // Without waiting for the others: a frozen node must not hide a dead one.
  if (probes_.has_value() && (probes_->failures() > 0 || probes_->all_finished())) {
    return EndProbes();
  }
  return absl::OkStatus();
}

void LivenessWatch::BeginProbes() {
  probes_.emplace(context_, participants_.size(), NodeCallsOptions{.timeout_ns = kProbeTimeoutNs},
                  [this](NodeIndex node, int64_t timeout_ns, NodeDone<ClockReading> done) {
                    ClockProbe request;
                    control_.Introduce(*participants_[node].node, request);
                    return participants_[node].node->stub->ProbeClock(std::move(request),
                                                                      timeout_ns, std::move(done));
                  });
}

absl::Status LivenessWatch::EndProbes() {
  NodeErrors errors;
  for (size_t i = 0; i < participants_.size(); ++i) {
    const auto& answer = probes_->answer(NodeIndex(i));
    // A node that knows no such call lives.
    if (!answer.has_value() || answer->ok() || absl::IsUnimplemented(answer->status())) continue;
    participants_[NodeIndex(i)].lost = true;
    errors.AddLost(participants_[NodeIndex(i)].node->ToString(), answer->status());
  }
  if (!errors.empty() || probes_->all_finished()) {
    probes_.reset();
    ScheduleProbes();
  }
  return errors.ToStatus("traffic failed");
}

}  // namespace distbench
