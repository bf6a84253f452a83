#include "distbench/driver/grpc/queue_client_call.h"

#include <grpc/slice.h>

#include <string>
#include <utility>

#include "distbench/driver/grpc/grpc_time.h"
#include "distbench/driver/grpc/slice_text.h"

namespace distbench {

QueueClientCall::QueueClientCall(std::shared_ptr<GrpcClient> client)
    : GrpcClientCall(std::move(client)), status_details_(grpc_empty_slice()) {
  grpc_metadata_array_init(&initial_metadata_);
  grpc_metadata_array_init(&trailing_metadata_);
  PrepareBatch();
}

QueueClientCall::~QueueClientCall() {
  grpc_metadata_array_destroy(&initial_metadata_);
  grpc_metadata_array_destroy(&trailing_metadata_);
}

// The batch is the same for each RPC: all that changes is behind its pointers.
void QueueClientCall::PrepareBatch() {
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

void QueueClientCall::Prepare(const ClientCall& call, const PeerChannel& channel,
                              grpc_completion_queue* queue) {
  grpc_call_ = channel.NewCall(queue, ToGrpcDeadline(call.deadline_ns));
  request_.Fill(call.request);
}

void QueueClientCall::Send(const ClientCall&, const PeerChannel&) {
  const grpc_call_error error =
      grpc_call_start_batch(grpc_call_, batch_, kOperations, tag(), nullptr);
  if (error == GRPC_CALL_OK) return;  // from here on OnEvent() may have run
  status_code_ = GRPC_STATUS_INTERNAL;
  status_details_ = grpc_slice_from_static_string(grpc_call_error_to_string(error));
  OnEvent(false);
}

void QueueClientCall::CancelRpc(const char* reason) {
  grpc_call_cancel_with_status(grpc_call_, GRPC_STATUS_CANCELLED, reason, nullptr);
}

void QueueClientCall::DropRpc() { grpc_call_unref(std::exchange(grpc_call_, nullptr)); }

void QueueClientCall::OnEvent(bool) {
  const ReceiveBuffer response(std::exchange(response_, nullptr));
  Ended(TakeStatus(response.has_message()), response.message());
}

absl::Status QueueClientCall::TakeStatus(bool has_response) {
  // The elements belong to the gRPC call, the arrays are used again.
  initial_metadata_.count = 0;
  trailing_metadata_.count = 0;
  const grpc_slice details = std::exchange(status_details_, grpc_empty_slice());
  absl::Status status;
  if (status_code_ != GRPC_STATUS_OK) {
    status = ErrorOf(static_cast<absl::StatusCode>(status_code_), ToText(details));
  } else if (!has_response) {
    status = ErrorOf(absl::StatusCode::kInternal, "the answer carries no message");
  }
  grpc_slice_unref(details);
  return status;
}

}  // namespace distbench
