// SimulatedMailbox: a mailbox on simulated time. Where another would block, it moves the clock to
// the next timer, so that a whole test runs on one thread, in no time, and the same way each time.
#ifndef DISTBENCH_SEQUENCER_SIMULATED_MAILBOX_H_
#define DISTBENCH_SEQUENCER_SIMULATED_MAILBOX_H_

#include <glog/logging.h>

#include <deque>
#include <utility>

#include "distbench/sequencer/mailbox.h"
#include "distbench/testing/simulated_time.h"

namespace distbench {

// Not thread-safe.
class SimulatedMailbox final : public Mailbox {
 public:
  explicit SimulatedMailbox(SimulatedTime& time) : time_(time) {}

  void Post(Task task) override { tasks_.push_back(std::move(task)); }

  void RunOne() override {
    while (tasks_.empty()) {
      CHECK(time_.RunNextTimer()) << "waits for something that will never come";
    }
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
  }

 private:
  SimulatedTime& time_;
  std::deque<Task> tasks_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SIMULATED_MAILBOX_H_
