// SimulatedEvents: things that happen at given moments of simulated time. Not thread-safe.
#ifndef DISTBENCH_SEQUENCER_SIMULATED_EVENTS_H_
#define DISTBENCH_SEQUENCER_SIMULATED_EVENTS_H_

#include <cstdint>
#include <functional>
#include <list>
#include <utility>

#include "distbench/testing/simulated_time.h"

namespace distbench {

class SimulatedEvents {
 public:
  explicit SimulatedEvents(SimulatedTime& time) : time_(time) {}
  SimulatedEvents(const SimulatedEvents&) = delete;
  SimulatedEvents& operator=(const SimulatedEvents&) = delete;

  // What has not happened yet never will.
  ~SimulatedEvents() {
    for (Event& event : events_) time_.Disarm(&event);
  }

  void After(int64_t delay_ns, std::function<void()> happen) {
    Event& event = events_.emplace_back();
    event.happen = std::move(happen);
    time_.Arm(&event, time_.MonotonicNs() + delay_ns);
  }

 private:
  struct Event final : Timer {
    void OnTimer() override { std::exchange(happen, nullptr)(); }
    std::function<void()> happen;
  };

  SimulatedTime& time_;
  std::list<Event> events_;  // those that have happened stay, empty
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SIMULATED_EVENTS_H_
