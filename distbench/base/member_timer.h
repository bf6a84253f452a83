// MemberTimer: a timer that calls a member function of the object it is embedded in.
#ifndef DISTBENCH_BASE_MEMBER_TIMER_H_
#define DISTBENCH_BASE_MEMBER_TIMER_H_

#include "distbench/base/timer.h"

namespace distbench {

template <typename T, void (T::*kMethod)()>
class MemberTimer final : public Timer {
 public:
  explicit MemberTimer(T* object) : object_(object) {}
  void OnTimer() override { (object_->*kMethod)(); }

 private:
  T* const object_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_MEMBER_TIMER_H_
