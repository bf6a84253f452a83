// RateProfile: a rate that goes up and down with time, and what it does to arrivals.
//
// Arrivals at an even rate, whatever their kind, become arrivals at the profile's rate by a change
// of time: what comes when an even rate would have brought so much comes when the profile has
// brought as much. A Poisson process becomes one with that intensity (E. Çinlar, "Introduction to
// Stochastic Processes", Prentice-Hall 1975, chapter 4.7).
//
//   rate  2 |      ____              even   | | | | | | | |
//         1 |_____/    \____         steps  | | |||||| |  |
//           0     time
//
// Immutable, hence thread-safe.
#ifndef DISTBENCH_SAMPLING_RATE_PROFILE_H_
#define DISTBENCH_SAMPLING_RATE_PROFILE_H_

#include <cstdint>
#include <vector>

namespace distbench {

class RateProfile {
 public:
  // A part of the time, in which the rate goes linearly from one value to another.
  struct Step {
    double start_factor = 1;  // >= 0, in multiples of the even rate
    double end_factor = 1;    // >= 0
    int64_t duration_ns = 0;  // > 0
  };

  // At least one step. The last one's end factor is above 0 and goes on for ever.
  explicit RateProfile(std::vector<Step> steps);

  // When the profile has brought what an even rate brings in the given time, both counted from the
  // first step's beginning; the latest such moment if there is a pause. At most the end of time. To
  // a nanosecond in the first hundred days.
  int64_t TimeOf(int64_t even_ns) const;

  // What an even rate needs for all that the profile has brought until then, that moment included:
  // the longest even time whose TimeOf() is no later. -1 if even that of 0 is later.
  int64_t EvenTimeAt(int64_t time_ns) const;

 private:
  struct Part {
    double even_ns = 0;  // that it begins with
    int64_t start_ns = 0;
    double start_factor = 1;
    double growth_per_ns = 0;  // of the factor
  };

  std::vector<Part> parts_;
};

}  // namespace distbench

#endif  // DISTBENCH_SAMPLING_RATE_PROFILE_H_
