#include "distbench/interop/plain_server.h"

#include <chrono>
#include <limits>

#include "absl/strings/str_cat.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr std::chrono::seconds kLong(60);

}  // namespace

PlainServer::PlainServer(grpc::Service* service) {
  grpc::ServerBuilder builder;
  builder.RegisterService(service);
  Start(builder);
}

PlainServer::PlainServer(grpc::CallbackGenericService* service) {
  grpc::ServerBuilder builder;
  builder.RegisterCallbackGenericService(service);
  Start(builder);
}

void PlainServer::Start(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
  server_ = builder.BuildAndStart();
  CHECK(server_ != nullptr && port_ != 0);
}

PlainServer::~PlainServer() { server_->Shutdown(std::chrono::system_clock::now()); }

std::string PlainServer::address() const { return absl::StrCat("127.0.0.1:", port_); }

std::shared_ptr<grpc::Channel> PlainChannel(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(absl::StrCat("ipv4:///", address),
                                   grpc::InsecureChannelCredentials(), arguments);
}

void SetLongDeadline(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + kLong);
}

}  // namespace distbench
