// ArrivalSchedule: when the iterations of an open-loop action are due, one after the other. What is
// due does not depend on what was late.
//
//   constant     arrival i at first + i * interval; the first one at the action's start
//   sync_burst   the same; the first one at the first multiple of the interval on the wall clock at
//                or after the action's start, the same moment on all instances
//   sync_burst_spread  like sync_burst, but at so much after the multiples
//   exponential  a Poisson process with the interval as its mean gap; the first arrival comes a gap
//                after the action's start
//
// Constant and exponential arrivals may have a rate that changes with time
// (sampling/rate_profile.h).
//
// An action that is spread over several lanes has one schedule in each, which goes through that
// lane's arrivals. All of them together are the arrivals of a single lane: a lane draws the gaps of
// the others' arrivals too.
//
// Not thread-safe.
#ifndef DISTBENCH_ENGINE_ARRIVAL_SCHEDULE_H_
#define DISTBENCH_ENGINE_ARRIVAL_SCHEDULE_H_

#include <cstdint>
#include <memory>

#include "distbench/base/clock.h"
#include "distbench/config/plan.h"
#include "distbench/sampling/counter_random.h"
#include "distbench/sampling/poisson_process.h"

namespace distbench {

struct ArrivalScheduleOptions {
  OpenLoopPlan plan;
  int64_t action_start_ns = 0;              // monotonic
  WallAnchor anchor;                        // sync_burst, sync_burst_spread
  int64_t spread_ns = 0;                    // sync_burst_spread; >= 0
  CounterRandom gaps = CounterRandom({0});  // exponential: of the action's run
  int64_t first = 0;                        // arrivals first, first + step, ...
  int64_t step = 1;
};

class ArrivalSchedule {
 public:
  ArrivalSchedule() = default;
  explicit ArrivalSchedule(const ArrivalScheduleOptions& options);

  // Of the arrival that is next. Time is monotonic; an arrival beyond its end is due then.
  int64_t number() const { return number_; }
  int64_t due_ns() const { return due_ns_; }

  void Advance();

 private:
  void StartAtMultiple(const ArrivalScheduleOptions& options, int64_t shift_ns);
  void GoTo(int64_t number);
  // Of evenly spaced arrivals, at a rate that does not change.
  int64_t EvenlyDueNs(int64_t number) const;
  // When that is due at the rate that changes which would be due then at one that does not.
  int64_t AtChangingRate(int64_t even_ns) const;

  bool is_poisson_ = false;
  PoissonProcess process_;
  std::shared_ptr<const RateProfile> rates_;  // null: the rate does not change
  int64_t first_ns_ = 0;                      // the action's start, or the first burst
  int64_t interval_ns_ = 0;
  int64_t step_ = 1;
  int64_t number_ = 0;
  int64_t due_ns_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ARRIVAL_SCHEDULE_H_
