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
  CHECK_EQ(outstanding_, 0) << "destroyed with handshakes outstanding";
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
  const std::shared_ptr<grpc::Channel> channel = ControlPlaneChannel(GrpcTarget(*peer));
  call->stub = ConnectionSetup::NewStub(channel);
  call->context.set_deadline(absl::ToChronoTime(deadline));
  if (!Register(call, channel)) {
    return call->done(absl::CancelledError("the engine is being stopped"));
  }
  owned_call.release();  // OnAnswer() deletes it
  call->stub->async()->SetupConnection(&call->context, &call->request, &call->response,
                                       [this, call](const grpc::Status& status) {
                                         if (!status.ok())
                                           return OnAnswer(call, FromGrpcStatus(status));
                                         OnAnswer(call, std::move(call->response));
                                       });
}

bool ConnectionSetupClient::Register(Call* call, const std::shared_ptr<grpc::Channel>& channel) {
  absl::MutexLock lock(&mutex_);
  if (closed_) return false;
  if (first_channel_ == nullptr) first_channel_ = channel;
  calls_.insert(call);
  ++outstanding_;
  return true;
}

void ConnectionSetupClient::OnAnswer(Call* call, absl::StatusOr<ConnectResponse> answer) {
  if (answer.ok()) {
    call->done(std::move(answer));
  } else {
    call->done(absl::Status(answer.status().code(),
                            absl::StrCat("no connection setup with the engine at ", call->address,
                                         ": ", answer.status().message())));
  }
  {
    absl::MutexLock lock(&mutex_);
    calls_.erase(call);
  }
  delete call;
  absl::MutexLock lock(&mutex_);
  --outstanding_;
}

void ConnectionSetupClient::Close() {
  std::shared_ptr<grpc::Channel> last_to_go;
  absl::MutexLock lock(&mutex_);
  closed_ = true;
  for (Call* call : calls_) call->context.TryCancel();
  mutex_.Await(absl::Condition(this, &ConnectionSetupClient::NothingOutstanding));
  last_to_go.swap(first_channel_);
}

}  // namespace distbench
