#include "distbench/engine/arrival_schedule.h"

#include <limits>

#include "distbench/sampling/rate_profile.h"

namespace distbench {
namespace {

constexpr int64_t kEndOfTime = std::numeric_limits<int64_t>::max();

}  // namespace

ArrivalSchedule::ArrivalSchedule(const ArrivalScheduleOptions& options)
    : is_poisson_(options.plan.arrivals == Arrivals::kExponential),
      process_({.mean_gap_ns = static_cast<double>(options.plan.interval_ns),
                .start_ns = options.action_start_ns,
                .gaps = options.gaps}),
      rates_(options.plan.rates),
      first_ns_(options.action_start_ns),
      interval_ns_(options.plan.interval_ns),
      step_(options.step) {
  if (options.plan.arrivals == Arrivals::kSyncBurst) StartAtMultiple(options, 0);
  if (options.plan.arrivals == Arrivals::kSyncBurstSpread) {
    StartAtMultiple(options, options.spread_ns % interval_ns_);
  }
  if (is_poisson_) due_ns_ = AtChangingRate(process_.NextNs());  // of arrival 0
  GoTo(options.first);
}

void ArrivalSchedule::StartAtMultiple(const ArrivalScheduleOptions& options, int64_t shift_ns) {
  const int64_t beyond_ns = (options.anchor.ToWallNs(first_ns_) - shift_ns) % interval_ns_;
  if (beyond_ns > 0) first_ns_ += interval_ns_;
  first_ns_ -= beyond_ns;
}

void ArrivalSchedule::Advance() { GoTo(number_ + step_); }

void ArrivalSchedule::GoTo(int64_t number) {
  if (is_poisson_) {
    if (number == number_) return;
    int64_t even_ns = 0;
    for (; number_ < number; ++number_) even_ns = process_.NextNs();
    due_ns_ = AtChangingRate(even_ns);
    return;
  }
  number_ = number;
  due_ns_ = AtChangingRate(EvenlyDueNs(number));
}

int64_t ArrivalSchedule::EvenlyDueNs(int64_t number) const {
  int64_t due_ns = 0;
  if (__builtin_mul_overflow(number, interval_ns_, &due_ns) ||
      __builtin_add_overflow(due_ns, first_ns_, &due_ns)) {
    return kEndOfTime;
  }
  return due_ns;
}

int64_t ArrivalSchedule::AtChangingRate(int64_t even_ns) const {
  if (rates_ == nullptr || even_ns == kEndOfTime) return even_ns;
  int64_t due_ns = 0;
  if (__builtin_add_overflow(rates_->TimeOf(even_ns - first_ns_), first_ns_, &due_ns)) {
    return kEndOfTime;
  }
  return due_ns;
}

}  // namespace distbench
