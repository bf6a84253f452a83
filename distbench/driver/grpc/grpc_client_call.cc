#include "distbench/driver/grpc/grpc_client_call.h"

#include <grpc/slice.h>

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/grpc/grpc_client.h"
#include "distbench/driver/grpc/grpc_time.h"
#include "distbench/driver/grpc/slice_text.h"

namespace distbench {

GrpcClientCall::GrpcClientCall(std::shared_ptr<GrpcClient> client)
    : client_(std::move(client)), status_details_(grpc_empty_slice()) {
  grpc_metadata_array_init(&initial_metadata_);
  grpc_metadata_array_init(&trailing_metadata_);
  PrepareBatch();
}

GrpcClientCall::~GrpcClientCall() {
  grpc_metadata_array_destroy(&initial_metadata_);
  grpc_metadata_array_destroy(&trailing_metadata_);
}

// The batch is the same for each RPC: all that changes is behind its pointers.
void GrpcClientCall::PrepareBatch() {
  for (grpc_op& op : batch_) op = {};
  batch_[0].op = GRPC_OP_SEND_INITIAL_METADATA;
  batch_[1].op = GRPC_OP_SEND_MESSAGE;
  batch_[1].data.send_message.send_message = request_.get();
  batch_[2].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
  batch_[3].op = GRPC_OP_RECV_INITIAL_METADATA;
  batch_[3].data.recv_initial_metadata.recv_initial_metadata = &initial_metadata_;
  batch_[4].op = GRPC_OP_RECV_MESSAGE;
  batch_[4].data.recv_message.recv_message = &response_;
  batch_[5].op = GRPC_OP_RECV_STATUS_ON_CLIENT;
  batch_[5].data.recv_status_on_client.trailing_metadata = &trailing_metadata_;
  batch_[5].data.recv_status_on_client.status = &status_code_;
  batch_[5].data.recv_status_on_client.status_details = &status_details_;
}

void GrpcClientCall::Start(ClientCall* call, const PeerChannel& peer,
                           grpc_completion_queue* queue) {
  call_ = call;
  shard_ = call->shard;
  peer_ = &peer;
  has_ended_ = false;
  grpc_call* grpc_call = peer.NewCall(queue, ToGrpcDeadline(call->deadline_ns));
  grpc_call_ = grpc_call;
  request_.Fill(call->request);
  state_.store(State::kInFlight, std::memory_order_release);
  const grpc_call_error error =
      grpc_call_start_batch(grpc_call, batch_, kOperations, tag(), nullptr);
  if (error == GRPC_CALL_OK) return;  // from here on OnEvent() may have run
  status_code_ = GRPC_STATUS_INTERNAL;
  status_details_ = grpc_slice_from_static_string(grpc_call_error_to_string(error));
  OnEvent(false);
}

void GrpcClientCall::Cancel() {
  // Not so if the driver had stopped and refused to start the call.
  if (state_.load(std::memory_order_acquire) == State::kIdle) return;
  grpc_call_cancel_with_status(grpc_call_, GRPC_STATUS_CANCELLED, "cancelled by the caller",
                               nullptr);
}

void GrpcClientCall::Release() {
  // While Stop holds the gRPC call, it is Stop that drops it.
  if (state_.exchange(State::kIdle, std::memory_order_acq_rel) == State::kInFlight) {
    grpc_call_unref(std::exchange(grpc_call_, nullptr));
  }
}

void GrpcClientCall::CancelFromOutside() {
  State expected = State::kInFlight;
  if (!state_.compare_exchange_strong(expected, State::kHeld)) return;
  grpc_call* held = grpc_call_;
  grpc_call_cancel_with_status(held, GRPC_STATUS_CANCELLED, "the grpc driver has stopped", nullptr);
  expected = State::kHeld;
  if (state_.compare_exchange_strong(expected, State::kInFlight)) return;
  // Released meanwhile. No call starts any more, so that nothing but this refers to it.
  grpc_call_ = nullptr;
  grpc_call_unref(held);
}

void GrpcClientCall::OnEvent(bool) {
  ReceiveBuffer response(std::exchange(response_, nullptr));
  const absl::Status status = TakeStatus(response.has_message());
  CallGate& gate = client_->gate();
  const ShardIndex shard = shard_;
  if (!gate.BeginCallback(shard)) {
    EndAbandoned();
    return;
  }
  has_ended_ = true;
  // Inside OnCallDone this object may be started again, or destroyed. The gate outlives it: the
  // driver's Stop waits for EndCallbackAndLeave().
  call_->OnCallDone(status, status.ok() ? response.message() : ReceivedMessage{});
  gate.EndCallbackAndLeave(shard);
}

absl::Status GrpcClientCall::TakeStatus(bool has_response) {
  // The elements belong to the gRPC call, the arrays are used again.
  initial_metadata_.count = 0;
  trailing_metadata_.count = 0;
  if (status_code_ == GRPC_STATUS_OK && has_response) {
    grpc_slice_unref(std::exchange(status_details_, grpc_empty_slice()));
    return absl::OkStatus();
  }
  const bool lacks_message = status_code_ == GRPC_STATUS_OK;
  const auto code =
      lacks_message ? absl::StatusCode::kInternal : static_cast<absl::StatusCode>(status_code_);
  const std::string details =
      lacks_message ? "the answer carries no message" : ToText(status_details_);
  const absl::Status status(code, absl::StrCat(details, " (grpc peer ", peer_->address(), ")"));
  grpc_slice_unref(std::exchange(status_details_, grpc_empty_slice()));
  return status;
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
  grpc_call_unref(grpc_call_);
  delete this;
}

}  // namespace distbench
