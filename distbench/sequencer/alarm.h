// Alarm: a moment that the owner of a mailbox waits for, among other things.
//
//   Alarm timeout(timers, mailbox, deadline_ns);
//   mailbox.RunUntil([&] { return answered || timeout.rung(); });
//
// Made, asked and destroyed on the mailbox's thread.
#ifndef DISTBENCH_SEQUENCER_ALARM_H_
#define DISTBENCH_SEQUENCER_ALARM_H_

#include <cstdint>

#include "distbench/base/timer.h"
#include "distbench/sequencer/mailbox.h"

namespace distbench {

class Alarm final : public Timer {
 public:
  // Rings at `deadline_ns` of the monotonic clock. `timers` and `mailbox` must outlive the alarm.
  Alarm(TimerService& timers, Mailbox& mailbox, int64_t deadline_ns)
      : timers_(timers), mailbox_(mailbox) {
    timers_.Arm(this, deadline_ns);
  }

  // A timer that can no longer be disarmed is about to post; its task must find the alarm alive.
  ~Alarm() {
    if (rung_ || timers_.Disarm(this)) return;
    mailbox_.RunUntil([this] { return rung_; });
  }

  bool rung() const { return rung_; }

  void OnTimer() override {
    mailbox_.Post([this] { rung_ = true; });
  }

 private:
  TimerService& timers_;
  Mailbox& mailbox_;
  bool rung_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_ALARM_H_
