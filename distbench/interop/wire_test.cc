// Messages of every size that may be asked for have exactly that size on the wire, as gRPC sees
// them that knows nothing of their contents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "distbench/interop/older_engine.h"
#include "distbench/interop/older_sequencer.h"
#include "distbench/interop/our_node.h"
#include "distbench/interop/raw_message.h"
#include "distbench/interop/raw_peers.h"
#include "google/protobuf/text_format.h"

namespace distbench {
namespace {

constexpr int64_t kSmallestRequest = 4;   // rpc_index, warmup
constexpr int64_t kSmallestResponse = 2;  // warmup

// All small ones, and the neighbours of each power of 128 that fits into a test's time.
std::vector<int64_t> AskedSizes() {
  std::vector<int64_t> sizes;
  for (int64_t size = 0; size <= 4096; ++size) sizes.push_back(size);
  for (const int64_t power : {128 * 128, 128 * 128 * 128}) {
    for (int64_t size = power - 12; size <= power + 12; ++size) sizes.push_back(size);
  }
  return sizes;
}

// The client sends one RPC of each size; the server answers at once.
DistributedSystemDescription OneRpcOfEachSize(const std::vector<int64_t>& sizes) {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
    name: "sizes"
    services { name: "client" count: 1 x_size: 1 }
    services { name: "server" count: 1 x_size: 1 }
    rpc_descriptions { name: "ask" client: "client" server: "server" }
    action_lists { name: "client" }
    action_lists { name: "ask" })",
                                                            &config));
  for (const int64_t size : sizes) {
    const std::string name = absl::StrCat("of_", size);
    PayloadSpec& payload = *config.add_payload_descriptions();
    payload.set_name(name);
    payload.set_size(size);
    Action& action = *config.add_actions();
    action.set_name(name);
    action.set_rpc_name("ask");
    action.set_request_payload_override(name);
    config.mutable_action_lists(0)->add_action_names(name);
  }
  return config;
}

class WireTest : public testing::Test {
 protected:
  WireTest() : node_(sequencer_.port()) {}

  void Configure(const std::string& instance) {
    const absl::Status status = sequencer_.Configure(OneRpcOfEachSize(sizes_), {{instance}});
    ASSERT_TRUE(status.ok()) << status;
  }

  const std::vector<int64_t> sizes_ = AskedSizes();
  OlderSequencer sequencer_;
  OurNode node_;
};

TEST_F(WireTest, ARequestHasTheSizeThatIsAskedFor) {
  absl::Mutex mutex;
  std::map<int64_t, int> seen;
  RawServer server([&](const std::string& request) {
    absl::MutexLock lock(&mutex);
    ++seen[static_cast<int64_t>(request.size())];
    return RawMessage().Varint("warmup", 0).Bytes("payload", "all right").bytes();
  });
  OlderSetup setup(server.address());
  PlainServer setup_server(&setup);
  Configure("client/0");

  ServiceEndpointMap peers = sequencer_.endpoints();
  (*peers.mutable_service_endpoints())["server/0"].set_endpoint_address(setup_server.address());
  const auto introduced =
      sequencer_.Call(0, &OlderSequencer::Stub::IntroducePeers, peers, absl::Seconds(60));
  ASSERT_TRUE(introduced.ok()) << introduced.status();
  const absl::Status run = sequencer_.RunTraffic(absl::Seconds(60));
  ASSERT_TRUE(run.ok()) << run;

  std::map<int64_t, int> expected;
  for (const int64_t size : sizes_) ++expected[std::max(size, kSmallestRequest)];
  absl::MutexLock lock(&mutex);
  EXPECT_EQ(seen, expected);
  const auto results = sequencer_.GetResults();
  ASSERT_TRUE(results.ok()) << results.status();
  std::map<int64_t, int> recorded;
  const auto& log = (*results)[0].service_logs().instance_logs().at("client/0");
  for (const RpcSample& sample :
       log.peer_logs().at("server/0").rpc_logs().at(0).successful_rpc_samples()) {
    ++recorded[sample.request_size()];
    EXPECT_EQ(sample.response_size(), 2 + 2 + 9);
  }
  EXPECT_EQ(recorded, expected);
}

TEST_F(WireTest, AResponseHasTheSizeThatIsAskedFor) {
  Configure("server/0");
  grpc::ClientContext context;
  SetLongDeadline(context);
  ConnectRequest request;
  request.set_initiator_info("");
  ConnectResponse response;
  const std::string& endpoint =
      sequencer_.endpoints().service_endpoints().at("server/0").endpoint_address();
  ASSERT_TRUE(ConnectionSetup::NewStub(PlainChannel(endpoint))
                  ->SetupConnection(&context, request, &response)
                  .ok());
  ServerAddress address;
  ASSERT_TRUE(address.ParseFromString(response.responder_info()));
  ASSERT_TRUE(sequencer_.Introduce().ok());
  RawClient client(address.socket_address());
  for (const int64_t size : sizes_) {
    const absl::StatusOr<std::string> answer =
        client.Call(RawMessage()
                        .Varint("rpc_index", 0)
                        .Varint("warmup", 0)
                        .Varint("response_payload_size", static_cast<uint64_t>(size))
                        .bytes());
    ASSERT_TRUE(answer.ok()) << answer.status();
    ASSERT_EQ(static_cast<int64_t>(answer->size()), std::max(size, kSmallestResponse));
  }
}

}  // namespace
}  // namespace distbench
