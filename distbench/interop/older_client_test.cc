// Clients of other programs send requests to our engines: bytes made from the table of fields, in
// every order and with every filler that a program may write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "distbench/interop/older_sequencer.h"
#include "distbench/interop/our_node.h"
#include "distbench/interop/raw_message.h"
#include "distbench/interop/raw_peers.h"
#include "google/protobuf/text_format.h"

namespace distbench {
namespace {

using testing::IsEmpty;
using testing::StartsWith;

// "ask" is answered at once, "relay" after an RPC to the other instance.
constexpr char kConfig[] = R"(
  name: "served"
  services { name: "client" count: 1 x_size: 1 }
  services { name: "server" count: 2 x_size: 2 }
  payload_descriptions { name: "out" size: 1000 }
  rpc_descriptions { name: "other" client: "server" server: "client" }
  rpc_descriptions { name: "ask" client: "client" server: "server" response_payload_name: "out" }
  rpc_descriptions { name: "relay" client: "client" server: "server" }
  rpc_descriptions { name: "onward" client: "server" server: "server" }
  action_lists { name: "other" } action_lists { name: "ask" } action_lists { name: "onward" }
  action_lists { name: "relay" action_names: "onward" }
  actions { name: "onward" rpc_name: "onward" }
)";
constexpr uint64_t kOther = 0;
constexpr uint64_t kAsk = 1;
constexpr uint64_t kRelay = 2;

class OlderClientTest : public testing::Test {
 protected:
  OlderClientTest() : node_(sequencer_.port()) {
    DistributedSystemDescription config;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kConfig, &config));
    const absl::Status status = sequencer_.Configure(config, {{"server/0", "server/1"}});
    EXPECT_TRUE(status.ok()) << status;
    client_ = std::make_unique<RawClient>(DataPlaneOf("server/0"));
  }

  std::string DataPlaneOf(const std::string& instance) {
    grpc::ClientContext context;
    SetLongDeadline(context);
    ConnectRequest request;
    request.set_initiator_info("");
    ConnectResponse response;
    const std::string& endpoint =
        sequencer_.endpoints().service_endpoints().at(instance).endpoint_address();
    const grpc::Status status = ConnectionSetup::NewStub(PlainChannel(endpoint))
                                    ->SetupConnection(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    ServerAddress address;
    EXPECT_TRUE(address.ParseFromString(response.responder_info()));
    return address.socket_address();
  }

  void Introduce() {
    const absl::Status status = sequencer_.Introduce();
    ASSERT_TRUE(status.ok()) << status;
  }

  // What an older program reads in the answer.
  GenericRequestResponse Answer(const RawMessage& request) {
    const absl::StatusOr<std::string> bytes = client_->Call(request.bytes());
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    GenericRequestResponse answer;
    EXPECT_TRUE(answer.ParseFromString(bytes.value_or("")));
    EXPECT_THAT(PublicFormat::Get().Unknown(answer), IsEmpty());
    EXPECT_TRUE(answer.has_warmup());
    EXPECT_FALSE(answer.has_server_instance());
    return answer;
  }

  OlderSequencer sequencer_;
  OurNode node_;
  std::unique_ptr<RawClient> client_;
};

TEST_F(OlderClientTest, TheSmallestRequestIsServed) {
  Introduce();
  const GenericRequestResponse answer =
      Answer(RawMessage().Varint("rpc_index", kAsk).Varint("warmup", 0));
  EXPECT_EQ(answer.error_message(), "");
  EXPECT_FALSE(answer.warmup());
  EXPECT_EQ(answer.ByteSizeLong(), 1000u);
}

TEST_F(OlderClientTest, FieldsComeInAnyOrderWithAnyFiller) {
  Introduce();
  const std::string trace = PublicFormat::Get()
                                .AsRead([] {
                                  TraceContext context;
                                  context.add_engine_ids(0);
                                  context.add_actionlist_indices(1);
                                  context.add_actionlist_invocations(2);
                                  context.add_action_indices(3);
                                  context.add_action_iterations(4);
                                  context.add_fanout_index(5);
                                  return context;
                                }())
                                .SerializeAsString();
  const std::vector<RawMessage> requests = {
      RawMessage()
          .Fixed64("after_payload64", ~uint64_t{0})
          .Bytes("payload", std::string(300, 'p'))
          .Varint("warmup", 1)
          .Varint("rpc_index", kRelay),
      RawMessage()
          .Fixed32("before_payload32", 7)
          .Fixed64("before_payload64", 8)
          .Varint("trim", 0)
          .Varint("rpc_index", kRelay)
          .Bytes("trace_context", trace)
          .Varint("warmup", 1)
          .Fixed32("after_payload32", 9),
      RawMessage()
          .UnknownVarint(7, 1)
          .Varint("rpc_index", kOther)
          .UnknownBytes(1017, "what will come")
          .Varint("rpc_index", kRelay)  // the last one counts
          .Varint("warmup", 1)
          .UnknownBytes(11, std::string(200, 'u')),
  };
  for (const RawMessage& request : requests) {
    const GenericRequestResponse answer = Answer(request);
    EXPECT_EQ(answer.error_message(), "");
    EXPECT_TRUE(answer.warmup());
    EXPECT_EQ(answer.ByteSizeLong(), 32u);
  }
}

TEST_F(OlderClientTest, TheSizeThatIsAskedForComesBeforeAllElse) {
  Introduce();
  for (const uint64_t size : {0, 2, 3, 4, 5, 100, 1000, 70000}) {
    const absl::StatusOr<std::string> bytes =
        client_->Call(RawMessage()
                          .Varint("rpc_index", kAsk)
                          .Varint("warmup", 0)
                          .Varint("response_payload_size", size)
                          .bytes());
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(bytes->size(), std::max<uint64_t>(size, 2));
  }
}

TEST_F(OlderClientTest, ErrorsTravelInTheAnswer) {
  Introduce();
  const auto error_of = [this](uint64_t rpc_index) {
    return Answer(RawMessage().Varint("rpc_index", rpc_index).Varint("warmup", 0)).error_message();
  };
  EXPECT_EQ(error_of(77), "rpc_index out of range: 77");
  EXPECT_EQ(error_of(~uint64_t{0}), "rpc_index out of range: -1");
  EXPECT_EQ(error_of(kOther), "rpc_index should never be sent to this service: 0");
}

TEST_F(OlderClientTest, EveryRequestIsAnsweredAfterACancelToo) {
  Introduce();
  ASSERT_TRUE(sequencer_.CancelTraffic().ok());
  for (const uint64_t rpc : {kAsk, kRelay}) {
    EXPECT_THAT(Answer(RawMessage().Varint("rpc_index", rpc).Varint("warmup", 0)).error_message(),
                StartsWith("Traffic cancelled: CANCELLED"));
  }
}

TEST_F(OlderClientTest, RequestsThatComeTooEarlyWait) {
  absl::Notification answered;
  client_->Start(RawMessage().Varint("rpc_index", kRelay).Varint("warmup", 0).bytes(),
                 [&](absl::StatusOr<std::string> answer) {
                   EXPECT_TRUE(answer.ok()) << answer.status();
                   answered.Notify();
                 });
  // Later ones are behind it in the same connection, and are seen to wait as well.
  absl::Notification second;
  client_->Start(RawMessage().Varint("rpc_index", kAsk).Varint("warmup", 0).bytes(),
                 [&](absl::StatusOr<std::string> answer) {
                   EXPECT_TRUE(answer.ok()) << answer.status();
                   second.Notify();
                 });
  EXPECT_FALSE(second.WaitForNotificationWithTimeout(absl::Milliseconds(50)));
  EXPECT_FALSE(answered.HasBeenNotified());
  Introduce();
  answered.WaitForNotification();
  second.WaitForNotification();
}

}  // namespace
}  // namespace distbench
