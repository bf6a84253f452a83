// TimerHeap: armed timers, the earliest first; a binary heap in which each timer knows its place,
// so that arming and disarming cost O(log n) and no allocation per timer. Not thread-safe.
#ifndef DISTBENCH_BASE_TIMER_HEAP_H_
#define DISTBENCH_BASE_TIMER_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "distbench/base/timer.h"

namespace distbench {

class TimerHeap {
 public:
  bool empty() const { return heap_.empty(); }

  // Requires: not empty.
  int64_t earliest_deadline_ns() const { return heap_.front()->deadline_ns_; }

  // Requires: the timer is in no heap. Timers of one deadline come out in no particular order.
  void Insert(Timer* timer, int64_t deadline_ns);

  // Returns false if the timer is not in the heap.
  bool Remove(Timer* timer);

  // Removes and returns the earliest timer. Requires: not empty.
  Timer* PopEarliest();

 private:
  void Place(Timer* timer, size_t position);
  void SiftUp(size_t position);
  void SiftDown(size_t position);

  std::vector<Timer*> heap_;
};

}  // namespace distbench

#endif  // DISTBENCH_BASE_TIMER_HEAP_H_
