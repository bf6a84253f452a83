// CallbackClientCall: an RPC on gRPC's C++ callback interface, completed on a thread that gRPC
// keeps for callbacks. As a program that uses that interface pays for them, each RPC has a context
// and byte buffers of its own; the payload's bytes are referred to all the same.
#ifndef DISTBENCH_DRIVER_GRPC_CALLBACK_CLIENT_CALL_H_
#define DISTBENCH_DRIVER_GRPC_CALLBACK_CLIENT_CALL_H_

#include <grpcpp/client_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <memory>
#include <optional>
#include <vector>

#include "distbench/driver/grpc/grpc_client_call.h"

namespace distbench {

class CallbackClientCall final : public GrpcClientCall {
 public:
  using GrpcClientCall::GrpcClientCall;

 private:
  ~CallbackClientCall() override = default;

  void Prepare(const ClientCall& call, const PeerChannel& channel,
               grpc_completion_queue* queue) override;
  void Send(const ClientCall& call, const PeerChannel& channel) override;
  void CancelRpc(const char* reason) override;
  void DropRpc() override;

  void OnDone(const grpc::Status& status);
  absl::Status ToStatus(const grpc::Status& status, bool has_response) const;

  std::optional<grpc::ClientContext> context_;  // of the current RPC, until it is dropped
  std::vector<grpc::Slice> slices_;             // of the request, while it is made
  grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_CALLBACK_CLIENT_CALL_H_
