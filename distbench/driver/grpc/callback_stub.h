// CallbackStub: gRPC's callback interface on a channel of the core library.
#ifndef DISTBENCH_DRIVER_GRPC_CALLBACK_STUB_H_
#define DISTBENCH_DRIVER_GRPC_CALLBACK_STUB_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>

#include <functional>
#include <string>

#include "distbench/driver/grpc/generic_rpc_method.h"

namespace distbench {

// Thread-safe.
class CallbackStub {
 public:
  // Takes over `channel`.
  explicit CallbackStub(grpc_channel* channel)
      : stub_(grpc::CreateChannelInternal("", channel, {})), method_(kGenericRpcMethod) {}

  // All arguments live until `done`, which is called on a thread of gRPC's own.
  void GenericRpc(grpc::ClientContext* context, const grpc::ByteBuffer* request,
                  grpc::ByteBuffer* response, std::function<void(grpc::Status)> done) {
    stub_.UnaryCall(context, method_, grpc::StubOptions(), request, response, std::move(done));
  }

 private:
  grpc::GenericStub stub_;
  const std::string method_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_CALLBACK_STUB_H_
