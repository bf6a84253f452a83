#include "distbench/driver/grpc/callback_client_call.h"

#include <grpcpp/support/proto_buffer_reader.h>

#include <utility>

#include "absl/container/inlined_vector.h"
#include "distbench/driver/grpc/callback_stub.h"
#include "distbench/driver/grpc/grpc_time.h"

#if defined(DISTBENCH_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace distbench {
namespace {

using Fragments = absl::InlinedVector<absl::string_view, 8>;

// Refers to the buffer's bytes.
Fragments FragmentsOf(grpc::ByteBuffer* buffer) {
  Fragments fragments;
  grpc::ProtoBufferReader reader(buffer);
  const void* data = nullptr;
  int size = 0;
  while (reader.Next(&data, &size)) {
    fragments.emplace_back(static_cast<const char*>(data), static_cast<size_t>(size));
  }
  return fragments;
}

}  // namespace

void CallbackClientCall::Prepare(const ClientCall& call, const PeerChannel&,
                                 grpc_completion_queue*) {
  context_.emplace();
  if (call.deadline_ns != ClientCall::kNoDeadline) {
    context_->set_deadline(ToGrpcDeadline(call.deadline_ns));
  }
  slices_.emplace_back(call.request.head.data(), call.request.head.size());
  ForEachPayloadPiece(call.request, [&](absl::string_view piece) {
    slices_.emplace_back(piece.data(), piece.size(), grpc::Slice::STATIC_SLICE);
  });
  request_ = grpc::ByteBuffer(slices_.data(), slices_.size());
  slices_.clear();
}

void CallbackClientCall::Send(const ClientCall&, const PeerChannel& channel) {
#if defined(DISTBENCH_TSAN)
  __tsan_release(this);
#endif
  channel.stub().GenericRpc(&*context_, &request_, &response_, [this](grpc::Status status) {
#if defined(DISTBENCH_TSAN)
    __tsan_acquire(this);
#endif
    OnDone(status);
  });
}

void CallbackClientCall::CancelRpc(const char*) { context_->TryCancel(); }

void CallbackClientCall::DropRpc() { context_.reset(); }

void CallbackClientCall::OnDone(const grpc::Status& status) {
  grpc::ByteBuffer response;
  response.Swap(&response_);
  const bool has_response = response.Valid();
  const Fragments fragments = has_response ? FragmentsOf(&response) : Fragments();
  Ended(
      ToStatus(status, has_response),
      {.fragments = fragments, .size = static_cast<int64_t>(has_response ? response.Length() : 0)});
}

absl::Status CallbackClientCall::ToStatus(const grpc::Status& status, bool has_response) const {
  if (!status.ok()) {
    return ErrorOf(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
  }
  if (has_response) return absl::OkStatus();
  return ErrorOf(absl::StatusCode::kInternal, "the answer carries no message");
}

}  // namespace distbench
