// SpinMargin: how long before a moment a thread must wake up to be there in time, learnt from how
// late its wake-ups were.
//
// A wake-up's lateness differs from machine to machine and from hour to hour by ten times. So the
// first wake-ups, which are a trial, have a wide margin, and what they need at most is the margin
// after them. From then on it follows the 99.9 % quantile of what it sees: up by a step when it was
// too short, down by 1/999 of a step when it was not, so that the two balance when one in 1000
// wake-ups is too late (Robbins and Monro, "A stochastic approximation method", Annals of
// Mathematical Statistics 22, 1951). Where the margin is wider than the time between two moments
// the thread does not sleep, and so learns nothing: then it goes down all the same, until a wake-up
// tells whether that was too much. Not thread-safe.
#ifndef DISTBENCH_BASE_SPIN_MARGIN_H_
#define DISTBENCH_BASE_SPIN_MARGIN_H_

#include <algorithm>
#include <cstdint>

namespace distbench {

class SpinMargin {
 public:
  static constexpr int64_t kMostNs = 4'000'000;

  // `first_ns` is the margin before anything was learnt; it never becomes less than a tenth of it.
  explicit SpinMargin(int64_t first_ns) : least_ns_(first_ns / 10), ns_(first_ns) {}

  int64_t ns() const { return ns_; }

  // A thread that wanted to wake up at some moment did so `late_ns` after it.
  void OnWakeUp(int64_t late_ns) {
    if (trials_left_ == 0) return MoveBy(late_ns > ns_ ? kUpNs : -kDownNs);
    greatest_ns_ = std::max(greatest_ns_, late_ns);
    MoveBy(std::max<int64_t>(late_ns - ns_, 0));
    if (--trials_left_ == 0) MoveBy(greatest_ns_ - ns_);
  }

  // The moment came without the thread having slept.
  void OnSpunThrough() { MoveBy(-kDownNs); }

 private:
  static constexpr int64_t kDownNs = 25;
  static constexpr int64_t kUpNs = 999 * kDownNs;

  void MoveBy(int64_t change_ns) {
    ns_ = std::clamp(ns_ + change_ns, least_ns_, std::max(least_ns_, kMostNs));
  }

  const int64_t least_ns_;
  int trials_left_ = 500;
  int64_t greatest_ns_ = 0;  // of the trials
  int64_t ns_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_SPIN_MARGIN_H_
