#include "distbench/node/registration_renewal.h"

#include <algorithm>
#include <utility>

#include "glog/logging.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// While the sequencer does not answer.
constexpr absl::Duration kLongestPeriodUnreachable = absl::Seconds(2);
// Whatever a sequencer wishes.
constexpr absl::Duration kShortestPeriod = absl::Seconds(1);
constexpr absl::Duration kLongestPeriod = absl::Minutes(10);

}  // namespace

RegistrationRenewal::RegistrationRenewal(RegistrationRenewalOptions options)
    : options_(std::move(options)), period_(options_.period) {
  absl::MutexLock lock(&mutex_);
  Wait();
}

RegistrationRenewal::~RegistrationRenewal() {
  Stop();
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &RegistrationRenewal::IsIdle));
}

void RegistrationRenewal::Stop() {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
  if (waiting_ && options_.timers->Disarm(this)) waiting_ = false;
}

void RegistrationRenewal::Wait() {
  absl::Duration period = period_;
  if (standing_ == Standing::kUnreachable) period = std::min(period, kLongestPeriodUnreachable);
  waiting_ = true;
  options_.timers->Arm(this, options_.clock->MonotonicNs() +
                                 absl::ToInt64Nanoseconds(period * (0.5 + options_.draw_unit())));
}

void RegistrationRenewal::OnTimer() {
  {
    absl::MutexLock lock(&mutex_);
    waiting_ = false;
    if (stopping_) return;
    asking_ = true;
  }
  options_.ask([this](const absl::StatusOr<NodeConfig>& answer) { OnAnswer(answer); });
}

void RegistrationRenewal::OnAnswer(const absl::StatusOr<NodeConfig>& answer) {
  bool stopping;
  Standing before;
  {
    absl::MutexLock lock(&mutex_);
    stopping = stopping_;
    before = standing_;
  }
  const Standing now = StandingAfter(answer.status());
  if (!stopping && now != before) TellChange(now, answer.status());
  if (!stopping && answer.ok()) options_.on_registered(*answer);

  absl::MutexLock lock(&mutex_);
  asking_ = false;
  standing_ = now;
  if (answer.ok() && answer->has_registration_period_ms()) {
    period_ = std::clamp(absl::Milliseconds(answer->registration_period_ms()), kShortestPeriod,
                         kLongestPeriod);
  }
  if (!stopping_) Wait();
}

RegistrationRenewal::Standing RegistrationRenewal::StandingAfter(const absl::Status& answer) const {
  if (answer.ok()) return Standing::kRegistered;
  const bool silent =
      absl::IsUnavailable(answer) || absl::IsDeadlineExceeded(answer) || absl::IsCancelled(answer);
  return silent ? Standing::kUnreachable : Standing::kRefused;
}

void RegistrationRenewal::TellChange(Standing now, const absl::Status& answer) const {
  switch (now) {
    case Standing::kRegistered:
      LOG(WARNING) << "registered with the test sequencer at " << options_.sequencer << " again";
      return;
    case Standing::kUnreachable:
      LOG(WARNING) << "the test sequencer at " << options_.sequencer
                   << " does not answer; registering again once it does";
      return;
    case Standing::kRefused:
      LOG(WARNING) << "the test sequencer at " << options_.sequencer
                   << " does not take this node back: " << answer.message() << "; asking on";
      return;
  }
}

}  // namespace distbench
