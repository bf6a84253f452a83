#include "distbench/sampling/rate_profile.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace distbench {

RateProfile::RateProfile(std::vector<Step> steps) {
  double even_ns = 0;
  int64_t start_ns = 0;
  for (const Step& step : steps) {
    const auto duration_ns = static_cast<double>(step.duration_ns);
    parts_.push_back({.even_ns = even_ns,
                      .start_ns = start_ns,
                      .start_factor = step.start_factor,
                      .growth_per_ns = (step.end_factor - step.start_factor) / duration_ns});
    even_ns += duration_ns * (step.start_factor + step.end_factor) / 2;
    start_ns += step.duration_ns;
  }
  parts_.push_back(
      {.even_ns = even_ns, .start_ns = start_ns, .start_factor = steps.back().end_factor});
}

int64_t RateProfile::TimeOf(int64_t even_ns) const {
  const auto wanted = static_cast<double>(even_ns);
  const auto next =
      std::upper_bound(parts_.begin(), parts_.end(), wanted,
                       [](double value, const Part& part) { return value < part.even_ns; });
  const Part& part = *std::prev(next);
  const double in_part = wanted - part.even_ns;
  if (in_part <= 0) return part.start_ns;
  // The root of start_factor * t + growth_per_ns * t^2 / 2 = in_part, in the form that loses no
  // digits where the growth is next to nothing. Rounding must not make the root's argument
  // negative.
  const double discriminant =
      part.start_factor * part.start_factor + 2 * part.growth_per_ns * in_part;
  const double elapsed_ns =
      2 * in_part / (part.start_factor + std::sqrt(std::max(discriminant, 0.0)));
  constexpr auto kEndOfTime = std::numeric_limits<int64_t>::max();
  if (!(elapsed_ns < static_cast<double>(kEndOfTime - part.start_ns))) return kEndOfTime;
  return part.start_ns + static_cast<int64_t>(std::llround(elapsed_ns));
}

// Asks TimeOf(), so that the two agree to the nanosecond.
int64_t RateProfile::EvenTimeAt(int64_t time_ns) const {
  if (TimeOf(0) > time_ns) return -1;
  int64_t least = 0;
  int64_t most = std::numeric_limits<int64_t>::max();
  while (least < most) {
    const int64_t middle = most - (most - least) / 2;
    if (TimeOf(middle) <= time_ns) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

}  // namespace distbench
