// SpinMargin: how long before a moment a thread must wake up to be there in time, learnt from how
// late its wake-ups were.
//
// A wake-up's lateness differs from machine to machine and from hour to hour by ten times. At first
// the margin is the greatest that was seen, which costs some six wake-ups that come too late: the
// records among 200 of one kind. From then on it follows the 99.5 % quantile of what it sees: up by
// a step when it was too short, down by 1/199 of a step when it was not, so that the two balance
// when one in 200 wake-ups is too late (Robbins and Monro, "A stochastic approximation method",
// Annals of Mathematical Statistics 22, 1951). Not thread-safe.
#ifndef DISTBENCH_BASE_SPIN_MARGIN_H_
#define DISTBENCH_BASE_SPIN_MARGIN_H_

#include <algorithm>
#include <cstdint>

namespace distbench {

class SpinMargin {
 public:
  static constexpr int64_t kMostNs = 500'000;

  // `first_ns` is the margin before anything was learnt; it never becomes less than half of it.
  explicit SpinMargin(int64_t first_ns) : least_ns_(first_ns / 2), ns_(first_ns) {}

  int64_t ns() const { return ns_; }

  // A thread that wanted to wake up at some moment did so `late_ns` after it.
  void OnWakeUp(int64_t late_ns) {
    if (first_wake_ups_left_ > 0) {
      --first_wake_ups_left_;
      ns_ = std::max(ns_, late_ns);
    } else {
      ns_ += late_ns > ns_ ? kUpNs : -kDownNs;
    }
    ns_ = std::clamp(ns_, least_ns_, std::max(least_ns_, kMostNs));
  }

 private:
  static constexpr int64_t kDownNs = 100;
  static constexpr int64_t kUpNs = 199 * kDownNs;

  const int64_t least_ns_;
  int first_wake_ups_left_ = 200;
  int64_t ns_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_SPIN_MARGIN_H_
