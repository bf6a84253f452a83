#include "distbench/engine/arrival_schedule.h"

#include <limits>

namespace distbench {

ArrivalSchedule::ArrivalSchedule(const ArrivalScheduleOptions& options)
    : is_poisson_(options.plan.arrivals == Arrivals::kExponential),
      process_({.mean_gap_ns = static_cast<double>(options.plan.interval_ns),
                .start_ns = options.action_start_ns,
                .gaps = options.gaps}),
      first_ns_(options.action_start_ns),
      interval_ns_(options.plan.interval_ns),
      step_(options.step) {
  if (options.plan.arrivals == Arrivals::kSyncBurst) StartAtMultiple(options, 0);
  if (options.plan.arrivals == Arrivals::kSyncBurstSpread) {
    StartAtMultiple(options, options.spread_ns % interval_ns_);
  }
  if (is_poisson_) due_ns_ = process_.NextNs();  // of arrival 0
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
    for (; number_ < number; ++number_) due_ns_ = process_.NextNs();
    return;
  }
  number_ = number;
  if (__builtin_mul_overflow(number, interval_ns_, &due_ns_) ||
      __builtin_add_overflow(due_ns_, first_ns_, &due_ns_)) {
    due_ns_ = std::numeric_limits<int64_t>::max();
  }
}

}  // namespace distbench
