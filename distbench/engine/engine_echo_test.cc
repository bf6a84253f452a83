// Responses that echo their requests, on the fake driver: they carry the payload back, and one that
// does not is a failed RPC.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/payload/generic_message.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

std::string EchoingServer(const std::string& more = "") {
  return absl::StrCat(ClientServer("iterations { max_iteration_count: 20 }", 1,
                                   "echo_request: true request_payload_name: 'sized'"),
                      "payload_descriptions { name: 'sized' size: 5000 }", more);
}

TEST(EngineEchoTest, TheResponseIsAsLargeAsThePayloadOfTheRequestMakesIt) {
  EngineCluster cluster(EchoingServer());
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto counts = cluster.Counts("client/0", "query");
  EXPECT_EQ(counts.successes, 20);
  EXPECT_EQ(counts.failures, 0);
  for (const RpcSample& sample : counts.samples) {
    EXPECT_EQ(sample.request_size(), 5000);
    EXPECT_EQ(sample.response_size(), 5000 - 2);  // it has no rpc_index
  }
}

TEST(EngineEchoTest, AListThatWorksFirstEchoesWhatCameBeforeIt) {
  EngineCluster cluster(absl::StrReplaceAll(
      EchoingServer("actions { name: 'nap' activity_config_name: 'nap' }"
                    "activity_configs { name: 'nap'"
                    " activity_settings { name: 'activity_func' string_value: 'SleepFor' }"
                    " activity_settings { name: 'duration_us' int64_value: 1000 } }"),
      {{"action_lists { name: \"query\" }",
        "action_lists { name: 'query' action_names: 'nap' }"}}));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 20);
  EXPECT_EQ(cluster.Counts("client/0", "query").samples.front().latency_ns(), kMs);
}

// A server that keeps the payload of the first request, and sends it back to each.
class StaleServer final : public RequestHandler {
 public:
  void OnRequest(ShardIndex, const ReceivedMessage& request, Responder responder) override {
    if (payload_.empty()) payload_ = CopyPayload(request);
    HeadBuffer buffer;
    responder.Respond(buffer.EncodeEcho({}, payload_));
  }

 private:
  std::string payload_;
};

TEST(EngineEchoTest, AnEchoOfAnotherRequestIsAFailedRpc) {
  EngineCluster cluster(EchoingServer());
  cluster.Connect();
  const DriverEnvironment environment = {
      .clock = &cluster.time(), .timers = &cluster.time(), .peer_count = 2};
  FakeDriver driver(&cluster.network(), environment);
  StaleServer server;
  ASSERT_TRUE(driver.StartServer(&server).ok());
  cluster.engine("client/0")
      .driver()
      .Connect(cluster.plan().instance_by_name.at("server/0"), *driver.AcceptConnection(""),
               absl::InfiniteFuture(),
               [](const absl::Status& status) { ASSERT_TRUE(status.ok()); });
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 1);
  EXPECT_EQ(cluster.Counts("client/0", "query").failures, 19);
  EXPECT_EQ(cluster.Log("client/0").error_dictionary().error_message(1),
            "DATA_LOSS: the payload that the response echoes is not that of the request");
  driver.Stop(absl::InfinitePast());
}

}  // namespace
}  // namespace distbench
