#include "distbench/engine/replay_call.h"

#include "distbench/engine/engine_shard.h"
#include "distbench/engine/replay_run.h"

namespace distbench {

ReplayCall::ReplayCall(EngineShard* engine_shard) : shard_(engine_shard) {
  shard = engine_shard->index();
  driver_state = engine_shard->context().driver->NewCallState();
}

void ReplayCall::Send(const Order& order) {
  run_ = order.run;
  step_ = order.step;
  rpc_ = order.rpc;
  outcome_.Clear();
  peer = rpc_.server;
  channel = order.record.channel;
  request =
      head_.EncodeRequest({.warmup = rpc_.warmup,
                           .response_payload_size = order.record.response_bytes,
                           .server_processing_time_ns = order.record.server_processing_time_ns},
                          order.record.request_bytes);
  rpc_.request_bytes = request.size();
  shard_->context().driver->StartCall(this);
}

void ReplayCall::OnCallDone(const absl::Status& status, const ReceivedMessage& response) {
  rpc_.end_ns = shard_->context().clock->MonotonicNs();
  rpc_.response_bytes = response.size;
  outcome_.Read(status, response);
  // Servers of other programs need not tell it of replayed RPCs.
  if (channel && outcome_.server_instance()) {
    outcome_.FindServer(*shard_->context().plan, *channel, &rpc_.server);
    rpc_.server_instance = outcome_.server_instance();
  }
  shard_->executor().Post(this);
}

void ReplayCall::Run() {
  EngineContext& context = shard_->context();
  context.driver->ReleaseCall(this);
  if (outcome_.is_overload()) context.control->CancelTraffic(outcome_.OverloadReason());
  run_->OnCallDone(this);
}

}  // namespace distbench
