// FakeOneWay: the one-way calls of a FakeDriver, of which only so many are on their way at a time.
//
//               room                          served, or lost
//   Send ------------------> handed over: ------------------------> gone: there is room for the
//    |                       to its client       OnGone             first that waits
//    | no room               it has ended
//    '---------> waits
//
// Thread-safe. Outlives its driver while calls are on their way.
#ifndef DISTBENCH_DRIVER_FAKE_FAKE_ONE_WAY_H_
#define DISTBENCH_DRIVER_FAKE_FAKE_ONE_WAY_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/fake/fake_call.h"

namespace distbench {

class FakeOneWay final : public std::enable_shared_from_this<FakeOneWay> {
 public:
  static constexpr size_t kMostOnTheWay = 64;

  // Hands the call over, now or when there is room, and then calls `travel`.
  void Send(std::shared_ptr<FakeCall> call, std::function<void()> travel)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Nothing is handed over any more: what waits is left to who ends all calls.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);

  // Calls `done` when none is on its way.
  void Drain(std::function<void()> done) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Waiting {
    std::shared_ptr<FakeCall> call;
    std::function<void()> travel;
  };

  void HandOverWhatFits() ABSL_LOCKS_EXCLUDED(mutex_);
  bool TakeNext(Waiting* next) ABSL_LOCKS_EXCLUDED(mutex_);
  void OnGone() ABSL_LOCKS_EXCLUDED(mutex_);

  absl::Mutex mutex_;
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  size_t on_the_way_ ABSL_GUARDED_BY(mutex_) = 0;
  // One thread at a time hands over, in a loop: a call may be gone before its handing over returns.
  bool is_handing_over_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::function<void()>> drains_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_FAKE_FAKE_ONE_WAY_H_
