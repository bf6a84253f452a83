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
  if (options.plan.arrivals == Arrivals::kSyncBurst) {
    const int64_t since_multiple_ns = options.anchor.ToWallNs(first_ns_) % interval_ns_;
    if (since_multiple_ns != 0) first_ns_ += interval_ns_ - since_multiple_ns;
  }
  if (is_poisson_) due_ns_ = process_.NextNs();  // of arrival 0
  GoTo(options.first);
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
