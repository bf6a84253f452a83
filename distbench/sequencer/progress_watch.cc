#include "distbench/sequencer/progress_watch.h"

#include <glog/logging.h>

#include <algorithm>
#include <utility>

#include "distbench/results/traffic_counts.h"

namespace distbench {
namespace {

constexpr int64_t kMinIntervalNs = 100'000'000;
constexpr int64_t kIntervalNsPerNode = 2'000'000;
// What comes later is of no interest.
constexpr int64_t kAnswerTimeoutNs = 2'000'000'000;

}  // namespace

ProgressWatch::ProgressWatch(const CallContext& context, int64_t start_ns, ControlCalls& control,
                             const Participants& participants, OnTrafficProgress listener)
    : context_(context), control_(control), listener_(std::move(listener)) {
  if (listener_ == nullptr) return;
  for (const Participant& participant : participants) {
    if (!participant.node->knows_extensions() || participant.instances.empty()) continue;
    sources_.push_back({.node = participant.node.get(), .latest = {}});
  }
  if (sources_.empty()) return;
  interval_ns_ =
      std::max(kMinIntervalNs, kIntervalNsPerNode * static_cast<int64_t>(participants.size()));
  AskAt(start_ns + interval_ns_);
}

void ProgressWatch::AskAt(int64_t time_ns) {
  next_.emplace(context_.timers, context_.mailbox, time_ns);
}

void ProgressWatch::Check() {
  if (next_.has_value() && next_->rung()) {
    next_.reset();
    Ask();
  }
  if (calls_.has_value() && calls_->all_finished()) TakeAnswers();
}

void ProgressWatch::Ask() {
  asked_ns_ = context_.clock.MonotonicNs();
  calls_.emplace(context_, sources_.size(), NodeCallsOptions{.timeout_ns = kAnswerTimeoutNs},
                 [this](NodeIndex source, int64_t timeout_ns, NodeDone<TrafficProgress> done) {
                   const RegisteredNode& node = *sources_[source.value()].node;
                   GetTrafficProgressRequest request;
                   control_.Introduce(node, request);
                   return node.stub->GetTrafficProgress(std::move(request), timeout_ns,
                                                        std::move(done));
                 });
}

void ProgressWatch::TakeAnswers() {
  std::vector<Source> later;  // those worth asking again
  for (size_t i = 0; i < sources_.size(); ++i) {
    absl::StatusOr<TrafficProgress>& answer = *calls_->answer(NodeIndex(i));
    // An older version of this program.
    if (absl::IsUnimplemented(answer.status())) continue;
    if (answer.ok()) sources_[i].latest = *std::move(answer);
    later.push_back(std::move(sources_[i]));
  }
  sources_ = std::move(later);
  calls_.reset();
  if (sources_.empty()) return;
  Tell();
  // At once if the answers took longer than the interval.
  AskAt(std::max(asked_ns_ + interval_ns_, context_.clock.MonotonicNs()));
}

void ProgressWatch::Tell() const {
  TrafficCounts sum;
  for (const Source& source : sources_) {
    const absl::Status added = sum.Add(source.latest);
    LOG_IF_EVERY_N(WARNING, !added.ok(), 100)
        << source.node->ToString() << " told a progress that makes no sense: " << added;
  }
  listener_(sum.ToProgress());
}

}  // namespace distbench
