#include "distbench/driver/fake/fake_one_way.h"

#include <utility>

namespace distbench {

void FakeOneWay::Send(std::shared_ptr<FakeCall> call, std::function<void()> travel) {
  {
    absl::MutexLock lock(&mutex_);
    waiting_.push_back({.call = std::move(call), .travel = std::move(travel)});
    if (std::exchange(is_handing_over_, true)) return;
  }
  HandOverWhatFits();
}

// Requires: is_handing_over_ was set by the caller.
void FakeOneWay::HandOverWhatFits() {
  Waiting next;
  while (TakeNext(&next)) {
    const auto gone = [self = shared_from_this()] { self->OnGone(); };
    if (next.call->HandOver(gone)) {
      next.travel();
    } else {
      OnGone();
    }
  }
}

// False, and then nobody hands over any more, if nothing fits.
bool FakeOneWay::TakeNext(Waiting* next) {
  absl::MutexLock lock(&mutex_);
  is_handing_over_ = !is_closed_ && !waiting_.empty() && on_the_way_ < kMostOnTheWay;
  if (!is_handing_over_) return false;
  *next = std::move(waiting_.front());
  waiting_.pop_front();
  ++on_the_way_;
  return true;
}

void FakeOneWay::Close() {
  std::deque<Waiting> waiting;  // dropped without the lock
  absl::MutexLock lock(&mutex_);
  is_closed_ = true;
  waiting.swap(waiting_);
}

void FakeOneWay::OnGone() {
  std::vector<std::function<void()>> drained;
  bool hands_over;
  {
    absl::MutexLock lock(&mutex_);
    if (--on_the_way_ == 0) drained.swap(drains_);
    hands_over = !std::exchange(is_handing_over_, true);
  }
  for (const auto& done : drained) done();
  if (hands_over) HandOverWhatFits();
}

void FakeOneWay::Drain(std::function<void()> done) {
  {
    absl::MutexLock lock(&mutex_);
    if (on_the_way_ > 0) return drains_.push_back(std::move(done));
  }
  done();
}

}  // namespace distbench
