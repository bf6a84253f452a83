#include "distbench/driver/grpc/completion_threads.h"

#include <grpc/support/time.h>
#include <pthread.h>

#include <string>
#include <thread>

#include "distbench/driver/grpc/completion_event.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// How long operations may take to complete after their drivers have gone.
constexpr int64_t kDrainLimitMs = 1000;

// Each thread of a queue ends with the first such event that it takes.
class QuitEvent final : public CompletionEvent {
 public:
  void OnEvent(bool ok) override {}
};

}  // namespace

class CompletionThreads::Loop {
 public:
  Loop(const CompletionThreadsOptions& options, size_t index)
      : queue_(grpc_completion_queue_create_for_next(nullptr)), quits_(options.threads_per_queue) {
    for (size_t i = 0; i < options.threads_per_queue; ++i) {
      const size_t number = index * options.threads_per_queue + i;
      threads_.emplace_back([this, number, placement = options.placement] {
        placement.EnterLoop(number);
        Run();
      });
      const std::string name = options.name + "-" + std::to_string(number);
      pthread_setname_np(threads_.back().native_handle(), name.c_str());
    }
  }

  ~Loop() {
    for (QuitEvent& quit : quits_) Post(quit);
    for (std::thread& thread : threads_) thread.join();
    if (Drain()) {
      grpc_completion_queue_destroy(queue_);
    } else {
      LOG(WARNING) << "gRPC operations did not end; their completion queue is left behind";
    }
  }

  grpc_completion_queue* queue() const { return queue_; }

 private:
  void Run() {
    while (!IsQuit(HandleNext(gpr_inf_future(GPR_CLOCK_MONOTONIC)).tag)) {
    }
  }

  // On the destroying thread. False if operations are left.
  bool Drain() {
    grpc_completion_queue_shutdown(queue_);
    const gpr_timespec limit = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                            gpr_time_from_millis(kDrainLimitMs, GPR_TIMESPAN));
    grpc_completion_type type;
    do {
      type = HandleNext(limit).type;
    } while (type == GRPC_OP_COMPLETE);
    return type == GRPC_QUEUE_SHUTDOWN;
  }

  grpc_event HandleNext(gpr_timespec deadline) {
    const grpc_event event = grpc_completion_queue_next(queue_, deadline, nullptr);
    if (event.type == GRPC_OP_COMPLETE) CompletionEvent::Dispatch(event.tag, event.success != 0);
    return event;
  }

  // The tag may be of an event that has gone.
  bool IsQuit(const void* tag) const {
    for (const QuitEvent& quit : quits_) {
      if (tag == static_cast<const CompletionEvent*>(&quit)) return true;
    }
    return false;
  }

  // A batch without operations completes at once, which is gRPC's way to post to a queue; it takes
  // a call, and a channel that leads nowhere to make one.
  void Post(QuitEvent& quit) {
    grpc_channel* channel =
        grpc_lame_client_channel_create("quit", GRPC_STATUS_UNAVAILABLE, "no real channel");
    grpc_call* call = grpc_channel_create_call(channel, nullptr, GRPC_PROPAGATE_DEFAULTS, queue_,
                                               grpc_slice_from_static_string("/quit"), nullptr,
                                               gpr_inf_future(GPR_CLOCK_MONOTONIC), nullptr);
    const grpc_call_error error = grpc_call_start_batch(call, nullptr, 0, quit.tag(), nullptr);
    CHECK_EQ(error, GRPC_CALL_OK);
    grpc_call_unref(call);
    grpc_channel_destroy(channel);
  }

  grpc_completion_queue* const queue_;
  std::vector<QuitEvent> quits_;
  std::vector<std::thread> threads_;
};

CompletionThreads::CompletionThreads(const CompletionThreadsOptions& options)
    : has_shared_queues_(options.threads_per_queue > 1) {
  for (size_t i = 0; i < options.queues; ++i) {
    loops_.push_back(std::make_unique<Loop>(options, i));
  }
}

CompletionThreads::~CompletionThreads() = default;

grpc_completion_queue* CompletionThreads::queue(QueueIndex index) const {
  return loops_[index.value()]->queue();
}

}  // namespace distbench
