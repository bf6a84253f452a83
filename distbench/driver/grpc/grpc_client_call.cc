#include "distbench/driver/grpc/grpc_client_call.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/grpc/grpc_client.h"

namespace distbench {

GrpcClientCall::GrpcClientCall(std::shared_ptr<GrpcClient> client) : client_(std::move(client)) {}

GrpcClientCall::~GrpcClientCall() = default;

void GrpcClientCall::Start(ClientCall* call, const PeerChannel& channel,
                           grpc_completion_queue* queue) {
  call_ = call;
  shard_ = call->shard;
  channel_ = &channel;
  has_ended_ = false;
  Prepare(*call, channel, queue);
  state_.store(State::kInFlight, std::memory_order_release);
  Send(*call, channel);
}

void GrpcClientCall::Cancel() {
  // Not so if the driver had stopped and refused to start the call.
  if (state_.load(std::memory_order_acquire) == State::kIdle) return;
  CancelRpc("cancelled by the caller");
}

void GrpcClientCall::Release() {
  // While Stop holds the gRPC call, it is Stop that drops it.
  if (state_.exchange(State::kIdle, std::memory_order_acq_rel) == State::kInFlight) DropRpc();
}

void GrpcClientCall::CancelFromOutside() {
  State expected = State::kInFlight;
  if (!state_.compare_exchange_strong(expected, State::kHeld)) return;
  CancelRpc("the grpc driver has stopped");
  expected = State::kHeld;
  if (state_.compare_exchange_strong(expected, State::kInFlight)) return;
  // Released meanwhile. No call starts any more, so that nothing but this refers to it.
  DropRpc();
}

void GrpcClientCall::Ended(const absl::Status& status, const ReceivedMessage& response) {
  CallGate& gate = client_->gate();
  const ShardIndex shard = shard_;
  if (!gate.BeginCallback(shard)) {
    EndAbandoned();
    return;
  }
  has_ended_ = true;
  // The gate outlives this object: the driver's Stop waits for EndCallbackAndLeave().
  call_->OnCallDone(status, status.ok() ? response : ReceivedMessage{});
  gate.EndCallbackAndLeave(shard);
}

absl::Status GrpcClientCall::ErrorOf(absl::StatusCode code, absl::string_view details) const {
  return absl::Status(code, absl::StrCat(details, " (grpc peer ", channel_->address(), ")"));
}

void GrpcClientCall::EndAbandoned() {
  client_->gate().Leave(shard_);
  if (remains_.exchange(Remains::kHandle) == Remains::kEvent) DeleteAbandoned();
}

void GrpcClientCall::Orphan() {
  client_->Forget(this);
  if (has_ended_) {
    Release();
    delete this;
  } else if (remains_.exchange(Remains::kEvent) == Remains::kHandle) {
    DeleteAbandoned();
  }
}

void GrpcClientCall::DeleteAbandoned() {
  DropRpc();
  delete this;
}

}  // namespace distbench
