#include "distbench/node/connection_setup_service.h"

#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/net/grpc_status.h"
#include "distbench/node/driver_hello.h"

namespace distbench {

grpc::ServerUnaryReactor* ConnectionSetupService::SetupConnection(
    grpc::CallbackServerContext* context, const ConnectRequest* request,
    ConnectResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(Answer(*request, response)));
  return reactor;
}

absl::Status ConnectionSetupService::Answer(const ConnectRequest& request,
                                            ConnectResponse* response) {
  if (request.has_hello()) {
    RETURN_IF_ERROR(CheckDriverHello(hello_, request.hello()));
    *response->mutable_hello() = hello_;
  }
  ASSIGN_OR_RETURN(*response->mutable_responder_info(),
                   driver_->AcceptConnection(request.initiator_info()));
  return absl::OkStatus();
}

}  // namespace distbench
