// PoissonProcess: the arrivals of a Poisson process, one after the other, in whole nanoseconds.
//
// Gap i is drawn from stream i of a CounterRandom, so whoever walks the process sees the same one.
// What a time loses when it is cut to whole nanoseconds is carried on to the next: the error of the
// billionth arrival is that of the first. An arrival costs some 10 ns.
#ifndef DISTBENCH_SAMPLING_POISSON_PROCESS_H_
#define DISTBENCH_SAMPLING_POISSON_PROCESS_H_

#include <cstdint>
#include <limits>

#include "distbench/sampling/counter_random.h"

namespace distbench {

class PoissonProcess {
 public:
  struct Options {
    double mean_gap_ns = 1;  // > 0
    int64_t start_ns = 0;    // the first arrival comes a gap later
    CounterRandom gaps = CounterRandom({0});
  };

  PoissonProcess() = default;
  explicit PoissonProcess(const Options& options)
      : gaps_(options.gaps), mean_gap_ns_(options.mean_gap_ns), time_ns_(options.start_ns) {}

  // Goes to the next arrival and returns its time. An arrival beyond the end of time comes then.
  int64_t NextNs() {
    CounterRandom random = gaps_.Stream(arrivals_++);
    const double elapsed_ns = fraction_ns_ + mean_gap_ns_ * random.Exponential();
    if (elapsed_ns >= kForeverNs) [[unlikely]] {
      return time_ns_ = std::numeric_limits<int64_t>::max();
    }
    const int64_t whole_ns = static_cast<int64_t>(elapsed_ns);
    fraction_ns_ = elapsed_ns - static_cast<double>(whole_ns);
    if (__builtin_add_overflow(time_ns_, whole_ns, &time_ns_)) [[unlikely]] {
      time_ns_ = std::numeric_limits<int64_t>::max();
    }
    return time_ns_;
  }

 private:
  static constexpr double kForeverNs = 0x1p62;

  CounterRandom gaps_ = CounterRandom({0});
  double mean_gap_ns_ = 1;
  double fraction_ns_ = 0;  // of the last arrival, in [0, 1)
  int64_t time_ns_ = 0;     // of the last arrival
  uint64_t arrivals_ = 0;   // so far
};

}  // namespace distbench

#endif  // DISTBENCH_SAMPLING_POISSON_PROCESS_H_
