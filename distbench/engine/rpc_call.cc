#include "distbench/engine/rpc_call.h"

#include <optional>
#include <utility>

#include "distbench/engine/engine_shard.h"
#include "distbench/engine/iteration_lane.h"
#include "distbench/results/trace_path_proto.h"

namespace distbench {

RpcCall::RpcCall(EngineShard* engine_shard) : shard_(engine_shard) {
  shard = engine_shard->index();
  driver_state = engine_shard->context().driver->NewCallState();
}

void RpcCall::LinkBefore(RpcCall** head) {
  previous_ = nullptr;
  next_ = *head;
  if (next_ != nullptr) next_->previous_ = this;
  *head = this;
}

void RpcCall::Unlink(RpcCall** head) {
  if (next_ != nullptr) next_->previous_ = previous_;
  if (previous_ != nullptr) {
    previous_->next_ = next_;
  } else {
    *head = next_;
  }
}

// Requires: the request is encoded.
inline void RpcCall::Start(const RpcOrder& order) {
  EngineContext& context = shard_->context();
  const RpcPlan& plan = context.plan->rpcs[order.rpc];
  Iteration* iteration = order.iteration;
  iteration_ = iteration;
  peer = order.target;
  channel = plan.channel;
  one_way = plan.one_way;
  expects_echo_ = plan.echo_request;
  // What has a meaning under a condition only may keep the last call's value.
  record_.rpc = order.rpc;
  record_.server = order.target;
  record_.warmup = iteration->warmup;
  record_.open_loop = iteration->lane->open_loop();
  record_.is_limited = iteration->lane->is_limited();
  record_.intended_start_ns = iteration->intended_start_ns;
  record_.start_ns = order.start_ns;
  record_.request_bytes = request.size();
  record_.latency_weight_ns = 0;
  record_.trace = trace_.get();
  if (record_.is_limited) [[unlikely]] {
    record_.list = iteration->lane->list();
    record_.sample_priority = iteration->lane->SamplePriority(*iteration, order.fanout_position);
  }
  deadline_ns = plan.deadline_ns ? order.start_ns + *plan.deadline_ns : kNoDeadline;
  if (!record_.open_loop) {
    if (iteration->previous_start_ns != 0) {
      record_.latency_weight_ns = order.start_ns - iteration->previous_start_ns;
    }
    iteration->previous_start_ns = order.start_ns;
  }
  context.driver->StartCall(this);
}

void RpcCall::Send(const RpcOrder& order) {
  request = shard_->context().ready->Request(order.rpc, order.iteration->warmup);
  Start(order);
}

void RpcCall::SendWithExtras(const RpcOrder& order, CallExtras extras) {
  trace_ = std::move(extras.trace);
  const std::string trace_context = trace_ == nullptr ? "" : SerializeTracePath(*trace_);
  if (head_ == nullptr) head_ = std::make_unique<HeadBuffer>();
  request = head_->EncodeRequest({.rpc_index = static_cast<int32_t>(order.rpc.value()),
                                  .warmup = order.iteration->warmup,
                                  .response_payload_size = extras.response_bytes,
                                  .causal_key = extras.causal_key,
                                  .trace_context = trace_context},
                                 extras.request_bytes);
  request.payload_offset = extras.payload_offset;
  Start(order);
}

void RpcCall::OnCallDone(const absl::Status& status, const ReceivedMessage& response) {
  record_.end_ns = shard_->context().clock->MonotonicNs();
  record_.response_bytes = response.size;
  // Nearly always there is nothing to read.
  if (!status.ok() || channel || !IsPlainSuccess(response)) outcome_.Read(status, response);
  if (expects_echo_) [[unlikely]] {
    outcome_.CheckEcho(request, response);
  }
  if (channel) [[unlikely]] {
    outcome_.FindServer(*shard_->context().plan, *channel, &record_.server);
  }
  shard_->executor().Post(this);
}

void RpcCall::Run() {
  EngineContext& context = shard_->context();
  context.driver->ReleaseCall(this);
  const bool is_success = outcome_.is_success();
  if (is_success) [[likely]] {
    if (shard_->recorder() != nullptr) shard_->recorder()->RecordSuccess(record_);
  } else {
    OnFailure();
  }
  if (trace_ != nullptr) [[unlikely]] {
    trace_ = nullptr;
  }
  Iteration* iteration = iteration_;
  shard_->ReturnCall(this);
  // The time that OnCallDone took is the present one if nothing but a success's recording, which is
  // shorter than another look at the clock, came between.
  std::optional<int64_t> now_ns;
  if (is_success && shard_->executor().runs_poster()) now_ns = record_.end_ns;
  iteration->lane->OnPartDone(iteration, now_ns);
}

void RpcCall::OnFailure() {
  if (shard_->recorder() != nullptr) RecordFailure(*shard_->recorder());
  if (outcome_.is_overload()) {
    shard_->context().control->CancelTraffic(outcome_.OverloadReason());
  }
  outcome_.Clear();
}

void RpcCall::RecordFailure(Recorder& recorder) {
  if (iteration_->lane->is_stopped() && outcome_.is_cancellation()) {
    recorder.RecordCancelled(record_.rpc, record_.server);
  } else {
    recorder.RecordFailure(record_, outcome_.ErrorText());
  }
}

}  // namespace distbench
