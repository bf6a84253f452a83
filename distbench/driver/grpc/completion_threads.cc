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

}  // namespace

class CompletionThreads::Loop {
 public:
  explicit Loop(size_t number)
      : queue_(grpc_completion_queue_create_for_next(nullptr)),
        thread_([this, number] { Run(number); }) {}

  ~Loop() {
    PostQuit();
    thread_.join();
    if (is_drained_) {
      grpc_completion_queue_destroy(queue_);
    } else {
      LOG(WARNING) << "gRPC operations did not end; their completion queue is left behind";
    }
  }

  grpc_completion_queue* queue() const { return queue_; }

 private:
  class QuitEvent final : public CompletionEvent {
   public:
    void OnEvent(bool ok) override { has_come = true; }
    bool has_come = false;
  };

  void Run(size_t number) {
    pthread_setname_np(pthread_self(), ("db-grpc-" + std::to_string(number)).c_str());
    while (!quit_.has_come) HandleNext(gpr_inf_future(GPR_CLOCK_MONOTONIC));
    grpc_completion_queue_shutdown(queue_);
    const gpr_timespec limit = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                            gpr_time_from_millis(kDrainLimitMs, GPR_TIMESPAN));
    grpc_completion_type type;
    do {
      type = HandleNext(limit);
    } while (type == GRPC_OP_COMPLETE);
    is_drained_ = type == GRPC_QUEUE_SHUTDOWN;
  }

  grpc_completion_type HandleNext(gpr_timespec deadline) {
    const grpc_event event = grpc_completion_queue_next(queue_, deadline, nullptr);
    if (event.type == GRPC_OP_COMPLETE) CompletionEvent::Dispatch(event.tag, event.success != 0);
    return event.type;
  }

  // A batch without operations completes at once, which is gRPC's way to post to a queue; it takes
  // a call, and a channel that leads nowhere to make one.
  void PostQuit() {
    grpc_channel* channel =
        grpc_lame_client_channel_create("quit", GRPC_STATUS_UNAVAILABLE, "no real channel");
    grpc_call* call = grpc_channel_create_call(channel, nullptr, GRPC_PROPAGATE_DEFAULTS, queue_,
                                               grpc_slice_from_static_string("/quit"), nullptr,
                                               gpr_inf_future(GPR_CLOCK_MONOTONIC), nullptr);
    const grpc_call_error error = grpc_call_start_batch(call, nullptr, 0, quit_.tag(), nullptr);
    CHECK_EQ(error, GRPC_CALL_OK);
    grpc_call_unref(call);
    grpc_channel_destroy(channel);
  }

  grpc_completion_queue* const queue_;
  QuitEvent quit_;
  bool is_drained_ = false;  // the thread's, until it is joined
  std::thread thread_;
};

namespace {

template <typename Loop>
std::vector<std::unique_ptr<Loop>> MakeLoops(size_t count) {
  std::vector<std::unique_ptr<Loop>> loops;
  for (size_t i = 0; i < count; ++i) loops.push_back(std::make_unique<Loop>(i));
  return loops;
}

}  // namespace

CompletionThreads::CompletionThreads(size_t count) : loops_(MakeLoops<Loop>(count)) {}

CompletionThreads::~CompletionThreads() = default;

grpc_completion_queue* CompletionThreads::queue(ShardIndex shard) const {
  return loops_[shard.value()]->queue();
}

}  // namespace distbench
