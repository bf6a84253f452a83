// StopCondition: tells long work that nobody wants it any more. Thread-safe, cheap to ask.
#ifndef DISTBENCH_ACTIVITY_STOP_CONDITION_H_
#define DISTBENCH_ACTIVITY_STOP_CONDITION_H_

#include <atomic>

namespace distbench {

class StopCondition {
 public:
  // Never holds.
  StopCondition() = default;
  // Holds as soon as `*level` is at least `least`. `level` outlives the condition.
  StopCondition(const std::atomic<int>* level, int least) : level_(level), least_(least) {}

  bool holds() const {
    return level_ != nullptr && level_->load(std::memory_order_relaxed) >= least_;
  }

 private:
  const std::atomic<int>* level_ = nullptr;
  int least_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_STOP_CONDITION_H_
