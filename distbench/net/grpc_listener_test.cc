#include "distbench/net/grpc_listener.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "distbench/net/grpc_target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Answers with what it was sent, or refuses to.
class EchoService final : public ConnectionSetup::CallbackService {
 public:
  grpc::ServerUnaryReactor* SetupConnection(grpc::CallbackServerContext* context,
                                            const ConnectRequest* request,
                                            ConnectResponse* response) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    response->set_responder_info(request->initiator_info());
    const absl::Status status = request->initiator_info() == "refuse"
                                    ? absl::FailedPreconditionError("refused")
                                    : absl::OkStatus();
    reactor->Finish(ToGrpcStatus(status));
    return reactor;
  }
};

absl::StatusOr<std::string> Ask(uint16_t port, const std::string& text) {
  auto stub = ConnectionSetup::NewStub(ControlPlaneChannel(GrpcTarget({"127.0.0.1", port})));
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Seconds(60)));
  ConnectRequest request;
  request.set_initiator_info(text);
  ConnectResponse response;
  const absl::Status status = FromGrpcStatus(stub->SetupConnection(&context, request, &response));
  if (!status.ok()) return status;
  return response.responder_info();
}

TEST(GrpcListenerTest, ServesOnThePortThatItGot) {
  EchoService service;
  auto listener = GrpcListener::Start({.bind_ip = "127.0.0.1", .service = &service});
  ASSERT_TRUE(listener.ok()) << listener.status();
  EXPECT_EQ(*Ask((*listener)->port(), "hello"), "hello");
  const std::string large(8 << 20, 'x');  // above gRPC's own limit
  EXPECT_TRUE(*Ask((*listener)->port(), large) == large);
}

TEST(GrpcListenerTest, StatusesCrossTheWireUnchanged) {
  EchoService service;
  auto listener = GrpcListener::Start({.bind_ip = "127.0.0.1", .service = &service});
  ASSERT_TRUE(listener.ok()) << listener.status();
  EXPECT_EQ(Ask((*listener)->port(), "refuse").status(), absl::FailedPreconditionError("refused"));
}

TEST(GrpcListenerTest, NamesAPortInUse) {
  EchoService service;
  auto first = GrpcListener::Start({.bind_ip = "127.0.0.1", .service = &service});
  ASSERT_TRUE(first.ok()) << first.status();
  const uint16_t port = (*first)->port();
  const auto second =
      GrpcListener::Start({.bind_ip = "127.0.0.1", .ports = {port, port}, .service = &service});
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()),
              AllOf(HasSubstr(absl::StrCat("127.0.0.1:", port)), HasSubstr("in use")));
}

TEST(GrpcListenerTest, TakesTheNextPortOfTheRangeAndNamesARangeThatIsFull) {
  EchoService service;
  // Two neighbours that are free, most probably; where they are not, the next pair is tried.
  std::unique_ptr<GrpcListener> first, second;
  PortRange ports;
  for (uint16_t port = 20011; second == nullptr && port < 30000; port += 2) {
    ports = {port, static_cast<uint16_t>(port + 1)};
    const GrpcListenerOptions options{.bind_ip = "127.0.0.1", .ports = ports, .service = &service};
    first = GrpcListener::Start(options).value_or(nullptr);
    if (first == nullptr || first->port() != port) continue;
    second = GrpcListener::Start(options).value_or(nullptr);
  }
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->port(), ports.last);
  const auto third =
      GrpcListener::Start({.bind_ip = "127.0.0.1", .ports = ports, .service = &service});
  EXPECT_THAT(std::string(third.status().message()),
              AllOf(HasSubstr(absl::StrCat(ports.first, "-", ports.last)), HasSubstr("127.0.0.1")));
}

TEST(GrpcListenerTest, FreesThePortAtItsEnd) {
  EchoService service;
  auto first = GrpcListener::Start({.bind_ip = "127.0.0.1", .service = &service});
  ASSERT_TRUE(first.ok()) << first.status();
  const uint16_t port = (*first)->port();
  first->reset();
  const auto second =
      GrpcListener::Start({.bind_ip = "127.0.0.1", .ports = {port, port}, .service = &service});
  EXPECT_TRUE(second.ok()) << second.status();
}

TEST(GrpcStatusTest, CutsMessagesThatHeadersCannotCarry) {
  const grpc::Status status = ToGrpcStatus(absl::InternalError(std::string(1 << 20, 'x')));
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_LT(status.error_message().size(), 8u << 10);
  EXPECT_TRUE(FromGrpcStatus(grpc::Status::OK).ok());
}

}  // namespace
}  // namespace distbench
