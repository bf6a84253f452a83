#include "distbench/base/timer_heap.h"

namespace distbench {

void TimerHeap::Place(Timer* timer, size_t position) {
  heap_[position] = timer;
  timer->heap_position_ = position;
}

void TimerHeap::SiftUp(size_t position) {
  Timer* timer = heap_[position];
  while (position > 0) {
    const size_t parent = (position - 1) / 2;
    if (heap_[parent]->deadline_ns_ <= timer->deadline_ns_) break;
    Place(heap_[parent], position);
    position = parent;
  }
  Place(timer, position);
}

void TimerHeap::SiftDown(size_t position) {
  Timer* timer = heap_[position];
  while (true) {
    size_t child = 2 * position + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && heap_[child + 1]->deadline_ns_ < heap_[child]->deadline_ns_) {
      ++child;
    }
    if (timer->deadline_ns_ <= heap_[child]->deadline_ns_) break;
    Place(heap_[child], position);
    position = child;
  }
  Place(timer, position);
}

void TimerHeap::Insert(Timer* timer, int64_t deadline_ns) {
  timer->deadline_ns_ = deadline_ns;
  heap_.push_back(timer);
  SiftUp(heap_.size() - 1);
}

bool TimerHeap::Remove(Timer* timer) {
  const size_t position = timer->heap_position_;
  if (position == Timer::kNotArmed) return false;
  timer->heap_position_ = Timer::kNotArmed;
  Timer* last = heap_.back();
  heap_.pop_back();
  if (last != timer) {
    Place(last, position);
    SiftUp(position);
    SiftDown(last->heap_position_);
  }
  return true;
}

Timer* TimerHeap::PopEarliest() {
  Timer* earliest = heap_.front();
  Remove(earliest);
  return earliest;
}

}  // namespace distbench
