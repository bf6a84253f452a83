#include "distbench/node/connection_setup_client.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "distbench/net/grpc_target.h"
#include "glog/logging.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

// One question on its way. Deletes itself when it is answered.
class ConnectionSetupClient::Call final : public grpc::ClientUnaryReactor {
 public:
  Call(ConnectionSetupClient* client, std::string address, const ConnectRequest& request, Done done)
      : client_(client), address_(std::move(address)), request_(request), done_(std::move(done)) {}

  void Start(const std::shared_ptr<grpc::Channel>& channel, absl::Time deadline) {
    context_.set_deadline(absl::ToChronoTime(deadline));
    stub_ = ConnectionSetup::NewStub(channel);
    stub_->async()->SetupConnection(&context_, &request_, &response_, this);
    StartCall();
  }

  // Before the start: the call then ends as it begins.
  void Cancel() { context_.TryCancel(); }

  void OnDone(const grpc::Status& status) override {
    ConnectionSetupClient* const client = client_;
    client->Forget(this);
    Tell(FromGrpcStatus(status));
    delete this;
    client->OnCallDeleted();
  }

  void Tell(const absl::Status& status) {
    if (status.ok()) return done_(std::move(response_));
    done_(absl::Status(status.code(), absl::StrCat("no connection setup with the engine at ",
                                                   address_, ": ", status.message())));
  }

 private:
  ConnectionSetupClient* const client_;
  const std::string address_;
  const ConnectRequest request_;
  const Done done_;
  ConnectResponse response_;
  std::unique_ptr<ConnectionSetup::Stub> stub_;
  grpc::ClientContext context_;
};

ConnectionSetupClient::~ConnectionSetupClient() {
  absl::MutexLock lock(&mutex_);
  CHECK_EQ(outstanding_, 0u) << "destroyed with handshakes outstanding";
}

void ConnectionSetupClient::Ask(const std::string& address, const ConnectRequest& request,
                                absl::Time deadline, Done done) {
  const absl::StatusOr<HostPort> peer = ParseHostPortOrTarget(address);
  if (!peer.ok()) return done(peer.status());
  const std::shared_ptr<grpc::Channel> channel = ControlPlaneChannel(GrpcTarget(*peer));
  auto call = std::make_unique<Call>(this, address, request, std::move(done));
  if (!Remember(call.get(), channel)) {
    return call->Tell(absl::CancelledError("the engine is being stopped"));
  }
  call.release()->Start(channel, deadline);
}

bool ConnectionSetupClient::Remember(Call* call, const std::shared_ptr<grpc::Channel>& channel) {
  absl::MutexLock lock(&mutex_);
  if (closed_) return false;
  if (first_channel_ == nullptr) first_channel_ = channel;
  calls_.insert(call);
  ++outstanding_;
  return true;
}

void ConnectionSetupClient::Forget(Call* call) {
  absl::MutexLock lock(&mutex_);
  calls_.erase(call);
}

void ConnectionSetupClient::OnCallDeleted() {
  absl::MutexLock lock(&mutex_);
  --outstanding_;
}

void ConnectionSetupClient::Close() {
  std::shared_ptr<grpc::Channel> last_to_go;
  absl::MutexLock lock(&mutex_);
  closed_ = true;
  for (Call* call : calls_) call->Cancel();
  mutex_.Await(absl::Condition(this, &ConnectionSetupClient::NothingOutstanding));
  last_to_go.swap(first_channel_);
}

}  // namespace distbench
