#include "distbench/driver/grpc/grpc_server_call.h"

#include <grpc/slice.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/grpc/grpc_server.h"
#include "distbench/driver/grpc/slice_text.h"
#include "glog/logging.h"

namespace distbench {

GrpcServerCall::GrpcServerCall(const GrpcServerCallOptions& options)
    : server_(options.server), shard_(options.shard), queue_(options.queue) {
  grpc_metadata_array_init(&metadata_);
  PrepareBatch();
}

GrpcServerCall::~GrpcServerCall() { grpc_metadata_array_destroy(&metadata_); }

void GrpcServerCall::PrepareBatch() {
  for (grpc_op& op : batch_) op = {};
  batch_[0].op = GRPC_OP_SEND_INITIAL_METADATA;
  batch_[1].op = GRPC_OP_SEND_STATUS_FROM_SERVER;
  batch_[2].op = GRPC_OP_RECV_CLOSE_ON_SERVER;
  batch_[2].data.recv_close_on_server.cancelled = &was_cancelled_;
  batch_[3].op = GRPC_OP_SEND_MESSAGE;
  batch_[3].data.send_message.send_message = response_.get();
}

void GrpcServerCall::AskForRequest() {
  state_ = State::kAsked;
  grpc_completion_queue* queue = server_->threads_.queue(queue_);
  const grpc_call_error error =
      grpc_server_request_registered_call(server_->server_, server_->method_, &call_, &deadline_,
                                          &metadata_, &request_, queue, queue, tag());
  CHECK_EQ(error, GRPC_CALL_OK);
}

void GrpcServerCall::OnEvent(bool ok) {
  if (state_ == State::kAnswering) {
    OnAnswered();
  } else if (ok) {
    OnRequest();
  } else {
    server_->CallEnded(this);
  }
}

void GrpcServerCall::OnRequest() {
  state_ = State::kUnanswered;
  arrival_ns_ = server_->NowNs();
  server_->AskForRequest(queue_);
  if (server_->pool_ == nullptr) return HandleHere();
  // From its arrival on the request is one that Stop waits for.
  is_counted_ = server_->gate_.Enter(shard_);
  if (!is_counted_) return Refuse();
  server_->pool_->Post(this);
}

void GrpcServerCall::HandleHere() {
  is_counted_ = server_->gate_.EnterInCallback(shard_);
  if (!is_counted_) return Refuse();
  HandleInCallback();
}

void GrpcServerCall::RunInPool() {
  if (!server_->gate_.BeginCallback(shard_)) return Refuse();
  HandleInCallback();
}

void GrpcServerCall::Refuse() {
  ReceiveBuffer(std::exchange(request_, nullptr));
  RespondError(absl::UnavailableError("the server is stopping"));
}

void GrpcServerCall::HandleInCallback() {
  // Once it is answered this call may be at the next request.
  GrpcServer& server = *server_;
  const ShardIndex shard = shard_;
  const ReceiveBuffer request(std::exchange(request_, nullptr));
  if (request.has_message()) {
    ReceivedMessage message = request.message();
    message.arrival_ns = arrival_ns_;
    server.handler_->OnRequest(shard, message, Responder(this));
  } else {
    RespondError(absl::InvalidArgumentError("the call carries no request message"));
  }
  server.gate_.EndCallback(shard);
}

void GrpcServerCall::Respond(const OutgoingMessage& response) {
  if (response.size() > kMaxGrpcMessageSize) {
    return RespondError(absl::ResourceExhaustedError(absl::StrCat(
        "a response of ", response.size(), " bytes; gRPC takes at most ", kMaxGrpcMessageSize)));
  }
  response_.Fill(response);
  batch_[1].data.send_status_from_server.status = GRPC_STATUS_OK;
  batch_[1].data.send_status_from_server.status_details = nullptr;
  Answer(kOperationsOfResponse);
}

void GrpcServerCall::RespondError(const absl::Status& status) {
  grpc_slice details = ToSlice(status.message());
  batch_[1].data.send_status_from_server.status = static_cast<grpc_status_code>(status.code());
  batch_[1].data.send_status_from_server.status_details = &details;
  Answer(kOperationsOfError);
  grpc_slice_unref(details);
}

void GrpcServerCall::Answer(size_t operations) {
  state_ = State::kAnswering;
  grpc_call* call = call_;  // from the batch's start on all fields are the event's
  const grpc_call_error error = grpc_call_start_batch(call, batch_, operations, tag(), nullptr);
  // Only an answer that comes after the process has torn down its event loops is refused.
  LOG_IF(ERROR, error != GRPC_CALL_OK)
      << "an answer could not be sent: " << grpc_call_error_to_string(error);
}

void GrpcServerCall::OnAnswered() {
  grpc_call_unref(std::exchange(call_, nullptr));
  metadata_.count = 0;
  if (std::exchange(is_counted_, false)) server_->gate_.Leave(shard_);
  server_->CallEnded(this);
}

}  // namespace distbench
