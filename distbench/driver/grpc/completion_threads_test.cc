#include "distbench/driver/grpc/completion_threads.h"

#include <grpc/grpc.h>

#include <set>
#include <thread>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/notification.h"
#include "distbench/driver/grpc/completion_event.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

class CompletionThreadsTest : public testing::Test {
 protected:
  CompletionThreadsTest() { grpc_init(); }
  ~CompletionThreadsTest() override { grpc_shutdown(); }
};

// A call on a channel that leads nowhere: each of its batches completes at once.
class DeadEndCall {
 public:
  explicit DeadEndCall(grpc_completion_queue* queue)
      : channel_(grpc_lame_client_channel_create("nowhere", GRPC_STATUS_UNAVAILABLE, "")),
        call_(grpc_channel_create_call(channel_, nullptr, GRPC_PROPAGATE_DEFAULTS, queue,
                                       grpc_slice_from_static_string("/none"), nullptr,
                                       gpr_inf_future(GPR_CLOCK_MONOTONIC), nullptr)) {}
  ~DeadEndCall() {
    grpc_call_unref(call_);
    grpc_channel_destroy(channel_);
  }
  void Post(CompletionEvent* event) {
    EXPECT_EQ(grpc_call_start_batch(call_, nullptr, 0, event->tag(), nullptr), GRPC_CALL_OK);
  }

 private:
  grpc_channel* const channel_;
  grpc_call* const call_;
};

class ThreadRecorder final : public CompletionEvent {
 public:
  void OnEvent(bool ok) override {
    thread = std::this_thread::get_id();
    has_come.Notify();
  }
  std::thread::id thread;
  absl::Notification has_come;
};

TEST_F(CompletionThreadsTest, EachQueueHasAThreadOfItsOwn) {
  CompletionThreads threads({.queues = 3});
  EXPECT_EQ(threads.size(), 3u);
  std::set<std::thread::id> seen = {std::this_thread::get_id()};
  for (size_t i = 0; i < 3; ++i) {
    DeadEndCall call(threads.queue(QueueIndex(i)));
    ThreadRecorder event;
    call.Post(&event);
    event.has_come.WaitForNotification();
    EXPECT_TRUE(seen.insert(event.thread).second);
  }
}

// Each event waits for all others: one thread would wait for ever.
class MeetingEvent final : public CompletionEvent {
 public:
  explicit MeetingEvent(absl::Barrier* meeting) : meeting_(meeting) {}
  void OnEvent(bool ok) override { meeting_->Block(); }

 private:
  absl::Barrier* const meeting_;
};

TEST_F(CompletionThreadsTest, ThreadsOfAQueueHandleEventsAtTheSameTime) {
  constexpr int kThreads = 3;
  CompletionThreads threads({.threads_per_queue = kThreads});
  EXPECT_TRUE(threads.has_shared_queues());
  DeadEndCall call(threads.queue(QueueIndex(0)));
  absl::Barrier meeting(kThreads + 1);
  MeetingEvent events[kThreads] = {MeetingEvent(&meeting), MeetingEvent(&meeting),
                                   MeetingEvent(&meeting)};
  for (MeetingEvent& event : events) call.Post(&event);
  meeting.Block();
}

TEST_F(CompletionThreadsTest, EventsThatWaitAreHandledBeforeTheEnd) {
  for (const size_t threads_per_queue : {size_t{1}, size_t{4}}) {
    ThreadRecorder events[50];
    {
      CompletionThreads threads({.threads_per_queue = threads_per_queue});
      DeadEndCall call(threads.queue(QueueIndex(0)));
      for (ThreadRecorder& event : events) call.Post(&event);
    }
    for (const ThreadRecorder& event : events) EXPECT_TRUE(event.has_come.HasBeenNotified());
  }
}

}  // namespace
}  // namespace distbench
