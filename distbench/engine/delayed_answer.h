// DelayedAnswer: a replayed request whose answer goes out some time after its arrival.
//
//   posted to a shard --> waits for a timer --passed, or traffic cancelled--> posted --> answered
//                '--the time has passed already, or traffic is cancelled-------------------^
//
// Lives in the scratch room of its own server call, so it costs no allocation. Belongs to the
// shard's tasks once it was posted; only OnTimer runs elsewhere.
#ifndef DISTBENCH_ENGINE_DELAYED_ANSWER_H_
#define DISTBENCH_ENGINE_DELAYED_ANSWER_H_

#include <cstdint>
#include <utility>

#include "distbench/base/serial_executor.h"
#include "distbench/base/timer.h"
#include "distbench/driver/server_call.h"

namespace distbench {

class EngineShard;

class DelayedAnswer final : public SerialExecutor::Task, public Timer {
 public:
  struct Order {
    Responder responder;
    int64_t due_ns = 0;  // monotonic
    int64_t response_bytes = 0;
    bool warmup = false;
  };
  // Has `shard` answer. Thread-safe.
  static void Post(EngineShard* shard, Order order);

  // Traffic was cancelled: answers with that now.
  void Stop();

  void OnTimer() override;
  void Run() override;

  // Links of the shard's list of those that wait.
  DelayedAnswer* next_waiting = nullptr;
  DelayedAnswer* previous_waiting = nullptr;

 private:
  DelayedAnswer(EngineShard* shard, Order order) : shard_(shard), order_(std::move(order)) {}
  ~DelayedAnswer() = default;

  void Answer();

  EngineShard* const shard_;
  Order order_;
  bool is_waiting_ = false;
};

static_assert(sizeof(DelayedAnswer) <= ServerCall::kScratchBytes);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_DELAYED_ANSWER_H_
