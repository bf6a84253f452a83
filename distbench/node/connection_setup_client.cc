#include "distbench/node/connection_setup_client.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "distbench/net/grpc_target.h"
#include "glog/logging.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

struct ConnectionSetupClient::Call {
  std::string address;
  ConnectRequest request;
  ConnectResponse response;
  Done done;
  std::unique_ptr<ConnectionSetup::Stub> stub;
  grpc::ClientContext context;
};

ConnectionSetupClient::~ConnectionSetupClient() {
  absl::MutexLock lock(&mutex_);
  CHECK(calls_.empty()) << "destroyed with handshakes outstanding";
}

void ConnectionSetupClient::Ask(const std::string& address, const ConnectRequest& request,
                                absl::Time deadline, Done done) {
  const absl::StatusOr<HostPort> peer = ParseHostPortOrTarget(address);
  if (!peer.ok()) return done(peer.status());
  auto owned_call = std::make_unique<Call>();
  Call* call = owned_call.get();
  call->address = address;
  call->request = request;
  call->done = std::move(done);
  call->stub = ConnectionSetup::NewStub(ControlPlaneChannel(GrpcTarget(*peer)));
  call->context.set_deadline(absl::ToChronoTime(deadline));
  {
    absl::MutexLock lock(&mutex_);
    if (!closed_) {
      calls_.insert(owned_call.release());
      call->stub->async()->SetupConnection(&call->context, &call->request, &call->response,
                                           [this, call](grpc::Status status) {
                                             if (!status.ok())
                                               return OnAnswer(call, FromGrpcStatus(status));
                                             OnAnswer(call, std::move(call->response));
                                           });
      return;
    }
  }
  call->done(absl::CancelledError("the engine is being stopped"));
}

void ConnectionSetupClient::OnAnswer(Call* call, absl::StatusOr<ConnectResponse> answer) {
  if (answer.ok()) {
    call->done(std::move(answer));
  } else {
    call->done(absl::Status(answer.status().code(),
                            absl::StrCat("no connection setup with the engine at ", call->address,
                                         ": ", answer.status().message())));
  }
  const std::unique_ptr<Call> owner(call);
  absl::MutexLock lock(&mutex_);
  calls_.erase(call);
}

void ConnectionSetupClient::Close() {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
  for (Call* call : calls_) call->context.TryCancel();
  mutex_.Await(absl::Condition(this, &ConnectionSetupClient::NothingOutstanding));
}

}  // namespace distbench
