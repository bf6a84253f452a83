#include "distbench/driver/tcp/event_loop.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// News that one turn takes in: enough to make use of a system call, few enough that the first
// answer need not wait long for the last request.
constexpr int kMaxEvents = 64;

}  // namespace

constinit thread_local EventLoop* EventLoop::current_ = nullptr;

EventLoop::EventLoop(const EventLoopOptions& options)
    : poll_(options.poll),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_up_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // Both are counted by the process's start-up budget of descriptors.
  PCHECK(epoll_.valid() && wake_up_.valid()) << "no descriptors for an event loop";
  epoll_event event = {.events = EPOLLIN | EPOLLET, .data = {.ptr = nullptr}};
  PCHECK(epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, wake_up_.fd(), &event) == 0);
  thread_ = std::thread([this, options] { Run(options); });
}

EventLoop::~EventLoop() {
  Post([this] { is_running_ = false; });
  thread_.join();
}

// --- On any thread

void EventLoop::Post(std::function<void()> task) {
  {
    absl::MutexLock lock(&mutex_);
    posted_.push_back(std::move(task));
  }
  has_posted_.store(true);
  if (asleep()) WakeUp();
}

void EventLoop::RunAndWait(std::function<void()> task) {
  absl::Notification has_run;
  Post([&] {
    task();
    has_run.Notify();
  });
  has_run.WaitForNotification();
}

void EventLoop::PostFlush(std::shared_ptr<LoopMember> member) {
  {
    absl::MutexLock lock(&mutex_);
    posted_flushes_.push_back(std::move(member));
  }
  has_posted_.store(true);
  if (asleep()) WakeUp();
}

void EventLoop::Continue(std::shared_ptr<LoopMember> member) {
  if (Current() == this) {
    to_continue_.push_back(std::move(member));
  } else {
    Post([this, member = std::move(member)] { to_continue_.push_back(member); });
  }
}

void EventLoop::WakeUp() {
  const uint64_t one = 1;
  // Fails only if the counter is full of wake-ups already.
  if (write(wake_up_.fd(), &one, sizeof(one)) < 0) return;
}

// --- On the loop's thread

bool EventLoop::Add(int fd, std::shared_ptr<LoopMember> member) {
  epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                       .data = {.ptr = member.get()}};
  if (epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, fd, &event) != 0) return false;
  members_[fd] = std::move(member);
  return true;
}

void EventLoop::Remove(int fd) {
  const auto it = members_.find(fd);
  if (it == members_.end()) return;
  PCHECK(epoll_ctl(epoll_.fd(), EPOLL_CTL_DEL, fd, nullptr) == 0);
  removed_.push_back(std::move(it->second));
  members_.erase(it);
}

void EventLoop::Arm(Timer* timer, absl::Duration after) {
  timers_.Insert(timer, clock_.MonotonicNs() + absl::ToInt64Nanoseconds(after));
}

void EventLoop::Run(const EventLoopOptions& options) {
  pthread_setname_np(pthread_self(), absl::StrCat("db-tcp-", options.number).c_str());
  options.placement.EnterLoop(options.number);
  current_ = this;
  epoll_event events[kMaxEvents];
  while (is_running_) {
    const int count = WaitForNews(events);
    for (int i = 0; i < count; ++i) {
      auto* member = static_cast<LoopMember*>(events[i].data.ptr);
      if (member == nullptr) {
        ReadWakeUps();
      } else {
        Activate(member, events[i].events);
      }
    }
    RunContinued();
    RunTimers();
    RunPosted();
    FlushMembers();
    removed_.clear();
  }
}

// Either the thread that posts sees `asleep_` and wakes this one up, or this one sees what was
// posted: both write first and read then.
int EventLoop::WaitForNews(epoll_event* events) {
  int timeout_ms = poll_ == PollMode::kSpin || !to_continue_.empty() ? 0 : TimeoutMs();
  const bool may_sleep = timeout_ms != 0;
  if (may_sleep) {
    asleep_.store(true);
    if (has_posted()) timeout_ms = 0;
  }
  const int count = epoll_wait(epoll_.fd(), events, kMaxEvents, timeout_ms);
  if (may_sleep) asleep_.store(false, std::memory_order_relaxed);
  PCHECK(count >= 0 || errno == EINTR);
  return std::max(count, 0);
}

// -1: for ever.
int EventLoop::TimeoutMs() const {
  if (timers_.empty()) return -1;
  const int64_t left_ns = timers_.earliest_deadline_ns() - clock_.MonotonicNs();
  constexpr int64_t kNsPerMs = 1'000'000;
  constexpr int64_t kLongestMs = 3'600'000;
  return static_cast<int>(std::clamp<int64_t>(left_ns / kNsPerMs + 1, 0, kLongestMs));
}

void EventLoop::ReadWakeUps() {
  uint64_t wake_ups;
  if (read(wake_up_.fd(), &wake_ups, sizeof(wake_ups)) < 0) return;
}

void EventLoop::Activate(LoopMember* member, uint32_t epoll_events) {
  active_ = member;
  member->OnReady(epoll_events);
  FlushActive();
  active_ = nullptr;
}

void EventLoop::FlushActive() {
  if (std::exchange(flush_active_, false)) active_->Flush();
}

void EventLoop::RunContinued() {
  if (to_continue_.empty()) return;
  continuing_.swap(to_continue_);
  for (const auto& member : continuing_) Activate(member.get(), EPOLLIN);
  continuing_.clear();
}

void EventLoop::RunTimers() {
  while (!timers_.empty() && timers_.earliest_deadline_ns() <= clock_.MonotonicNs()) {
    timers_.PopEarliest()->OnTimer();
  }
}

void EventLoop::RunPosted() {
  if (!has_posted()) return;
  // Before the look: what is posted later sets it again.
  has_posted_.store(false);
  std::vector<std::function<void()>> tasks;
  {
    absl::MutexLock lock(&mutex_);
    tasks.swap(posted_);
    for (auto& member : posted_flushes_) to_flush_.push_back(std::move(member));
    posted_flushes_.clear();
  }
  for (const auto& task : tasks) task();
}

void EventLoop::FlushMembers() {
  while (!to_flush_.empty()) {
    flushing_.swap(to_flush_);
    for (const auto& member : flushing_) member->Flush();
    flushing_.clear();
  }
}

}  // namespace distbench
