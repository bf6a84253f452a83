// The grpc driver and gRPC's own C++ classes understand each other.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "absl/synchronization/notification.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "distbench/payload/generic_message.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

// Answers with a response of the size that the request asks for.
void AnswerAsAsked(const ReceivedMessage& request, Responder responder) {
  std::string storage;
  const auto head = DecodeRequest(request, &storage);
  if (!head.ok()) return responder.RespondError(head.status());
  HeadBuffer buffer;
  responder.Respond(buffer.EncodeResponse({.warmup = head->warmup, .server_instance = 7},
                                          head->response_payload_size.value_or(0)));
}

class GrpcInteropTest : public testing::Test {
 protected:
  GrpcInteropTest()
      : driver_(*subject_.factory().Create(subject_.options(), subject_.environment())) {}

  void StartServer(RequestHandler* handler) {
    ASSERT_TRUE(driver_->StartServer(handler).ok());
    ServerAddress address;
    ASSERT_TRUE(address.ParseFromString(*driver_->AcceptConnection("")));
    address_ = address.socket_address();
  }
  ~GrpcInteropTest() override { EXPECT_EQ(driver_->Stop(Soon()), 0); }

  std::shared_ptr<grpc::Channel> NewChannel() {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());
    return grpc::CreateCustomChannel(address_, grpc::InsecureChannelCredentials(), arguments);
  }

  GrpcSubject subject_{{}};
  std::unique_ptr<ProtocolDriver> driver_;
  std::string address_;
};

TEST_F(GrpcInteropTest, StockStubCallsOurServer) {
  TestServer handler(AnswerAsAsked);
  StartServer(&handler);
  auto stub = Traffic::NewStub(NewChannel());
  for (const int size : {2, 5, 6, 100, 134, 135, 136, 200000, 5000000}) {
    grpc::ClientContext context;
    GenericRequestResponse request;
    request.set_rpc_index(0);
    request.set_warmup(true);
    request.set_response_payload_size(size);
    request.set_payload(std::string(static_cast<size_t>(size), 'p'));
    GenericRequestResponse response;
    const grpc::Status status = stub->GenericRpc(&context, request, &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
    EXPECT_TRUE(response.warmup());
    EXPECT_EQ(response.server_instance(), 7);
    // Protobuf counts five bytes as four: it would not write the fifth.
    EXPECT_EQ(response.ByteSizeLong(), size == 5 ? 4 : std::max<size_t>(size, 4));
  }
}

TEST_F(GrpcInteropTest, CompressedRequestIsUnderstood) {
  TestServer handler(AnswerAsAsked);
  StartServer(&handler);
  auto stub = Traffic::NewStub(NewChannel());
  grpc::ClientContext context;
  context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  GenericRequestResponse request;
  request.set_rpc_index(0);
  request.set_response_payload_size(1000);
  request.set_payload(std::string(100000, 'p'));
  GenericRequestResponse response;
  const grpc::Status status = stub->GenericRpc(&context, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.ByteSizeLong(), 1000u);
}

TEST_F(GrpcInteropTest, ErrorReachesAStockStub) {
  TestServer handler([](const ReceivedMessage&, Responder responder) {
    responder.RespondError(absl::ResourceExhaustedError("no more room"));
  });
  StartServer(&handler);
  auto stub = Traffic::NewStub(NewChannel());
  grpc::ClientContext context;
  GenericRequestResponse response;
  const grpc::Status status = stub->GenericRpc(&context, GenericRequestResponse(), &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(status.error_message(), "no more room");
}

TEST_F(GrpcInteropTest, UnknownMethodIsRefusedAtOnce) {
  TestServer handler(AnswerAsAsked);
  StartServer(&handler);
  auto stub = ConnectionSetup::NewStub(NewChannel());
  for (int i = 0; i < 3; ++i) {
    grpc::ClientContext context;
    ConnectResponse response;
    const grpc::Status status = stub->SetupConnection(&context, ConnectRequest(), &response);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNIMPLEMENTED) << status.error_message();
    EXPECT_NE(status.error_message().find("SetupConnection"), std::string::npos);
  }
}

// Gives back the request with the fields of a response.
class StockService final : public Traffic::Service {
  grpc::Status GenericRpc(grpc::ServerContext*, const GenericRequestResponse* request,
                          GenericRequestResponse* response) override {
    if (request->rpc_index() == 99) return {grpc::StatusCode::NOT_FOUND, "no such rpc"};
    response->set_warmup(request->warmup());
    response->set_error_message("index " + std::to_string(request->rpc_index()));
    response->set_payload(request->payload());
    return grpc::Status::OK;
  }
};

class GrpcInteropClientTest : public GrpcInteropTest {
 protected:
  GrpcInteropClientTest() {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    absl::Notification connected;
    driver_->Connect(InstanceIndex(0), ResponderInfo("127.0.0.1:" + std::to_string(port)), Soon(),
                     [&](absl::Status status) {
                       EXPECT_TRUE(status.ok()) << status;
                       connected.Notify();
                     });
    connected.WaitForNotification();
  }

  StockService service_;
  std::unique_ptr<grpc::Server> server_;
};

TEST_F(GrpcInteropClientTest, OurClientCallsAStockServer) {
  TestCall call(*driver_);
  HeadBuffer buffer;
  for (const int64_t size : {4, 5, 6, 133, 134, 135, 300000, 6000000}) {
    call.request = buffer.EncodeRequest({.rpc_index = 3, .warmup = true}, size);
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
    const std::string bytes = call.response();
    const std::vector<absl::string_view> fragments = {bytes};
    std::string storage;
    const auto head = DecodeResponse(
        {.fragments = fragments, .size = static_cast<int64_t>(bytes.size())}, &storage);
    ASSERT_TRUE(head.ok()) << head.status();
    EXPECT_TRUE(head->warmup);
    EXPECT_EQ(head->error_message, "index 3");
    if (size > 200) {
      EXPECT_EQ(bytes.size(), static_cast<size_t>(size) + 7);  // "index 3" for rpc_index 3
    }
  }
}

TEST_F(GrpcInteropClientTest, ErrorOfAStockServerArrives) {
  TestCall call(*driver_);
  HeadBuffer buffer;
  call.request = buffer.EncodeRequest({.rpc_index = 99}, 10);
  call.Start();
  EXPECT_EQ(call.Wait().code(), absl::StatusCode::kNotFound) << call.status();
  EXPECT_NE(call.status().message().find("no such rpc"), std::string::npos) << call.status();
}

}  // namespace
}  // namespace distbench
