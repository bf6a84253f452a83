#include "distbench/results/sample_reservoir.h"

#include <algorithm>

namespace distbench {

void SampleReservoir::DropGreatest() {
  const auto last_kept = candidates_.begin() + static_cast<ptrdiff_t>(max_samples_ - 1);
  std::nth_element(candidates_.begin(), last_kept, candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.priority < b.priority; });
  bar_ = last_kept->priority;
  candidates_.resize(max_samples_);
}

}  // namespace distbench
