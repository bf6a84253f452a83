// EventLoop: a thread that serves many sockets, in turns.
//
//        .--------------------------- one turn ---------------------------.
//        |                                                                |
//   epoll_wait --> members whose sockets have news --> members that had more --> timers
//        ^                                                                |
//        |                                                                v
//        '--------- flush each member that has something to send <-- posted tasks
//
// What a member sends while it handles its own news goes out when it is done with them, so that its
// peer can go to work while this loop turns to other members. What is sent over other members'
// sockets, however much and by however many callbacks, goes out at the turn's end with one write
// for each.
//
// The thread sleeps in epoll_wait, or, as an option, polls all the time. A thread that wants
// something sent while the loop sleeps does so itself (see asleep()): waking another thread up
// costs more than the write.
//
// Threads: as each part of the class says.
#ifndef DISTBENCH_DRIVER_TCP_EVENT_LOOP_H_
#define DISTBENCH_DRIVER_TCP_EVENT_LOOP_H_

#include <sys/epoll.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/base/cpu_list.h"
#include "distbench/base/timer_heap.h"
#include "distbench/driver/tcp/chunk_pool.h"
#include "distbench/driver/tcp/frame_batch.h"
#include "distbench/net/socket.h"

namespace distbench {

// What lives in an event loop: the owner of a socket.
class LoopMember : public std::enable_shared_from_this<LoopMember> {
 public:
  // `group` is anything that tells members of one kind and purpose from others.
  explicit LoopMember(const void* group = nullptr) : group_(group) {}
  virtual ~LoopMember() = default;

  // On the loop's thread: `epoll_events` have come, edge-triggered.
  virtual void OnReady(uint32_t epoll_events) = 0;

  // On any thread: sends what is to be sent.
  virtual void Flush() {}

  const void* group() const { return group_; }

 private:
  const void* const group_;
};

enum class PollMode {
  kBlock,  // sleep until there is something to do
  kSpin,   // never sleep
};

struct EventLoopOptions {
  size_t number = 0;  // among its like; names the thread and, by `placement`, its CPU
  PollMode poll = PollMode::kBlock;
  LoopPlacement placement;
};

class EventLoop {
 public:
  explicit EventLoop(const EventLoopOptions& options);

  // Joins the thread. Requires: no member is left.
  ~EventLoop();

  // The loop whose thread calls this; null on other threads.
  static EventLoop* Current() { return current_; }

  // --- On any thread

  // Runs `task` on the loop's thread soon.
  void Post(std::function<void()> task);

  // The same, and returns once it has run. Requires: not called on a loop's thread.
  void RunAndWait(std::function<void()> task);

  // Lets the loop call member->Flush() soon.
  void PostFlush(std::shared_ptr<LoopMember> member);

  // Calls member->OnReady(EPOLLIN) in the next turn, as if more could be read.
  void Continue(std::shared_ptr<LoopMember> member);

  // Whether the thread waits for news. What is posted just now may wake it up.
  bool asleep() const { return asleep_.load(); }

  // --- On the thread of any loop, for a member of any

  // Calls member->Flush() in this turn: the active member's soon, another one's at the turn's end.
  void FlushSoon(LoopMember* member) {
    if (member == active_) {
      flush_active_ = true;
    } else {
      to_flush_.push_back(member->shared_from_this());
    }
  }

  // --- On the loop's own thread

  // Reports whatever happens to `fd` to `member`, from now on; what is the case already too.
  // False, with errno set, if the kernel has no room for it.
  bool Add(int fd, std::shared_ptr<LoopMember> member);

  // Ends that. The member lives until the end of the turn at least.
  void Remove(int fd);

  // The member whose OnReady is running; null if none.
  LoopMember* active() const { return active_; }

  // Flushes the active member now if it wants it: for an OnReady that turns out to be long.
  void FlushActive();

  // Monotonic.
  int64_t NowNs() const { return clock_.MonotonicNs(); }

  // A timer that fires on this thread, to the millisecond.
  void Arm(Timer* timer, absl::Duration after);
  bool Disarm(Timer* timer) { return timers_.Remove(timer); }

  // For the members' readers.
  ChunkPool& chunks() { return chunks_; }
  FrameBatch& batch() { return batch_; }

 private:
  void Run(const EventLoopOptions& options);
  int WaitForNews(epoll_event* events);
  int TimeoutMs() const;
  void Activate(LoopMember* member, uint32_t epoll_events);
  void RunContinued();
  void RunTimers();
  void RunPosted();
  void FlushMembers();
  void WakeUp();
  void ReadWakeUps();
  bool has_posted() const { return has_posted_.load(); }

  static constinit thread_local EventLoop* current_;

  const PollMode poll_;
  const SystemClock clock_;
  const OwnedSocket epoll_;
  const OwnedSocket wake_up_;  // an eventfd

  // The thread's.
  bool is_running_ = true;
  LoopMember* active_ = nullptr;
  bool flush_active_ = false;
  absl::flat_hash_map<int, std::shared_ptr<LoopMember>> members_;
  std::vector<std::shared_ptr<LoopMember>> removed_;  // in this turn
  std::vector<std::shared_ptr<LoopMember>> to_flush_;
  std::vector<std::shared_ptr<LoopMember>> flushing_;
  std::vector<std::shared_ptr<LoopMember>> to_continue_;
  std::vector<std::shared_ptr<LoopMember>> continuing_;
  TimerHeap timers_;
  ChunkPool chunks_;
  FrameBatch batch_;

  std::atomic<bool> asleep_{false};
  std::atomic<bool> has_posted_{false};
  absl::Mutex mutex_;
  std::vector<std::function<void()>> posted_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<LoopMember>> posted_flushes_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;  // last: uses all of the above
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_EVENT_LOOP_H_
