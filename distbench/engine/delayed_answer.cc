#include "distbench/engine/delayed_answer.h"

#include <new>
#include <string>

#include "distbench/engine/engine_shard.h"
#include "distbench/payload/generic_message.h"

namespace distbench {

void DelayedAnswer::Post(EngineShard* shard, Order order) {
  void* room = order.responder.scratch();
  shard->executor().Post(new (room) DelayedAnswer(shard, std::move(order)));
}

void DelayedAnswer::Run() {
  EngineContext& context = shard_->context();
  if (is_waiting_) {
    shard_->RemoveDelayed(this);
  } else if (!context.is_cancelled() && order_.due_ns > context.clock->MonotonicNs()) {
    is_waiting_ = true;
    shard_->AddDelayed(this);
    context.timers->Arm(this, order_.due_ns);
    return;
  }
  Answer();
}

void DelayedAnswer::OnTimer() { shard_->executor().Post(this); }

void DelayedAnswer::Stop() {
  // Otherwise the timer's task is on its way.
  if (shard_->context().timers->Disarm(this)) shard_->executor().Post(this);
}

void DelayedAnswer::Answer() {
  EngineContext& context = shard_->context();
  // Moved out, since the answer gives the room back to the driver.
  Order order = std::move(order_);
  this->~DelayedAnswer();
  std::string error;
  if (context.is_cancelled()) error = context.control->CancellationText();
  HeadBuffer buffer;
  order.responder.Respond(
      buffer.EncodeResponse({.warmup = order.warmup,
                             .error_message = error,
                             .server_instance = context.told_instance_of_replay()},
                            error.empty() ? order.response_bytes : 0));
}

}  // namespace distbench
