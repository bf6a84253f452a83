#include "distbench/driver/grpc/callback_threads.h"

#include <grpc/grpc.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>

#include "absl/synchronization/notification.h"
#include "distbench/driver/grpc/generic_rpc_method.h"

namespace distbench {

CallbackThreads::CallbackThreads()
    : channel_(grpc::CreateChannelInternal(
          "", grpc_lame_client_channel_create("none", GRPC_STATUS_UNAVAILABLE, "no real channel"),
          {})) {
  // A call that fails is a call too.
  grpc::GenericStub stub(channel_);
  grpc::ClientContext context;
  const grpc::Slice empty;
  const grpc::ByteBuffer request(&empty, 1);
  grpc::ByteBuffer response;
  absl::Notification failed;
  stub.UnaryCall(&context, kGenericRpcMethod, grpc::StubOptions(), &request, &response,
                 [&](grpc::Status) { failed.Notify(); });
  failed.WaitForNotification();
}

CallbackThreads::~CallbackThreads() = default;

}  // namespace distbench
