// A node of an older program takes part in a test that our sequencer runs, beside a node of ours.
#include "distbench/interop/older_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/interop/our_node.h"
#include "distbench/interop/plain_server.h"
#include "distbench/sequencer/sequencer.h"
#include "google/protobuf/text_format.h"
#include "protos/provenance.pb.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// RPCs in both directions; the answer to "tell" waits for one that goes back. Actions stand in an
// order that is not canonical, and what only our program knows is set too.
constexpr char kMixed[] = R"(
  tests {
    name: "mixed"
    seed: 5
    attributes { key: "test_timeout" value: "60" }
    services { name: "left" count: 1 }
    services { name: "right" count: 2 }
    node_service_bundles { key: "node0" value { services: "left/0" } }
    node_service_bundles { key: "node1" value { services: "right/0" services: "right/1" } }
    payload_descriptions { name: "in" size: 300 }
    payload_descriptions { name: "out" size: 700 }
    rpc_descriptions { name: "ask" client: "left" server: "right" request_payload_name: "in"
                       response_payload_name: "out" }
    rpc_descriptions { name: "tell" client: "right" server: "left" request_payload_name: "out"
                       response_payload_name: "in" }
    rpc_descriptions { name: "back" client: "left" server: "right" }
    action_lists { name: "left" action_names: "again" action_names: "ask" }
    action_lists { name: "right" action_names: "tell" }
    action_lists { name: "ask" } action_lists { name: "back" }
    action_lists { name: "tell" action_names: "back" }
    actions { name: "again" rpc_name: "ask" dependencies: "ask" }
    actions { name: "ask" rpc_name: "ask" iterations { max_iteration_count_64: 20
                                                      max_parallel_iterations: 4 } }
    actions { name: "tell" rpc_name: "tell" iterations { max_iteration_count_64: 10 } }
    actions { name: "back" rpc_name: "back" }
  }
)";

class OlderNodeTest : public testing::Test {
 protected:
  OlderNodeTest() {
    auto sequencer = Sequencer::Start(
        {.bind_ip = "127.0.0.1", .port = 0, .drivers = {.names = {"grpc"}}}, Provenance());
    EXPECT_TRUE(sequencer.ok()) << sequencer.status();
    sequencer_ = *std::move(sequencer);
    ours_ = std::make_unique<OurNode>(sequencer_->port());
    older_ = std::make_unique<OlderNode>(sequencer_->port());
  }
  ~OlderNodeTest() override { sequencer_->Shutdown(); }

  TestResult RunTest(const std::string& sequence_text) {
    TestSequence sequence;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(sequence_text, &sequence));
    const auto stub = DistBenchTestSequencer::NewStub(
        PlainChannel(absl::StrCat("127.0.0.1:", sequencer_->port())));
    grpc::ClientContext context;
    SetLongDeadline(context);
    TestSequenceResults results;
    const grpc::Status status = stub->RunTestSequence(&context, sequence, &results);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(results.test_results_size(), 1);
    return results.test_results_size() == 1 ? results.test_results(0) : TestResult();
  }

  std::unique_ptr<Sequencer> sequencer_;
  std::unique_ptr<OurNode> ours_;
  std::unique_ptr<OlderNode> older_;
};

// The RPCs of one kind from one instance to another; all of the same sizes.
struct Sent {
  int count = 0;
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
  bool operator==(const Sent&) const = default;
};

Sent SentBy(const TestResult& result, const std::string& client, const std::string& server,
            int rpc) {
  const ServicePerformanceLog& log = result.service_logs().instance_logs().at(client);
  const RpcPerformanceLog& rpcs = log.peer_logs().at(server).rpc_logs().at(rpc);
  Sent sent = {.count = rpcs.successful_rpc_samples_size()};
  for (const RpcSample& sample : rpcs.successful_rpc_samples()) {
    sent.request_bytes = sample.request_size();
    sent.response_bytes = sample.response_size();
  }
  return sent;
}

TEST_F(OlderNodeTest, TakesPartInATestOfOurs) {
  ASSERT_EQ(older_->alias(), "node1");
  const TestResult result = RunTest(kMixed);
  EXPECT_EQ(result.report().status_message(), "");
  for (const auto& [instance, log] : result.service_logs().instance_logs()) {
    EXPECT_EQ(log.error_dictionary().error_message_size(), 1)
        << instance;  // none but the empty one
  }
  EXPECT_EQ(SentBy(result, "left/0", "right/0", 0), (Sent{21, 300, 700}));
  EXPECT_EQ(SentBy(result, "left/0", "right/1", 0), (Sent{21, 300, 700}));
  EXPECT_EQ(SentBy(result, "right/0", "left/0", 1), (Sent{10, 700, 300}));
  EXPECT_EQ(SentBy(result, "right/1", "left/0", 1), (Sent{10, 700, 300}));
  EXPECT_EQ(SentBy(result, "left/0", "right/1", 2), (Sent{20, 16, 32}));
  EXPECT_EQ(
      result.resource_usage_logs().node_usages().at("node1").rusage_diff().user_cpu_time_seconds(),
      0.5);
  EXPECT_GT(result.log_summary_size(), 0);
}

TEST_F(OlderNodeTest, IsCalledAsThePublicFormatHasIt) {
  RunTest(kMixed);
  EXPECT_THAT(older_->complaints(), IsEmpty());
  EXPECT_THAT(older_->calls(),
              ElementsAre("ConfigureNode", "IntroducePeers", "RunTraffic", "GetTrafficResult"));
}

TEST_F(OlderNodeTest, TakesPartWithoutInstancesToo) {
  const TestResult result = RunTest(R"(
    tests {
      services { name: "pair" count: 2 }
      node_service_bundles { key: "node0" value { services: "pair/0" services: "pair/1" } }
      rpc_descriptions { name: "ask" client: "pair" server: "pair" }
      action_lists { name: "pair" action_names: "ask" } action_lists { name: "ask" }
      actions { name: "ask" rpc_name: "ask" }
    })");
  EXPECT_EQ(SentBy(result, "pair/0", "pair/1", 0).count, 1);
  EXPECT_THAT(older_->complaints(), IsEmpty());
  EXPECT_THAT(older_->calls(),
              ElementsAre("ConfigureNode", "IntroducePeers", "RunTraffic", "GetTrafficResult"));
}

TEST_F(OlderNodeTest, IsToldToCancelWhenTheTestTakesTooLong) {
  std::string endless = kMixed;
  const std::string count = "max_iteration_count_64: 10 ";
  endless.replace(endless.find(count), count.size(), "max_iteration_count: 2147483647 ");
  const std::string timeout = "value: \"60\"";
  endless.replace(endless.find(timeout), timeout.size(), "value: \"1\"");
  const TestResult result = RunTest(endless);
  EXPECT_NE(result.report().status_message(), "");
  EXPECT_GT(SentBy(result, "right/0", "left/0", 1).count, 0);
  EXPECT_THAT(older_->calls(), ElementsAre("ConfigureNode", "IntroducePeers", "RunTraffic",
                                           "CancelTraffic", "GetTrafficResult"));
  EXPECT_THAT(older_->complaints(), IsEmpty());
}

TEST_F(OlderNodeTest, IsShutDownAfterTheTests) {
  RunTest(absl::StrCat(kMixed, "tests_setting { shutdown_after_tests: true }"));
  sequencer_->Wait();
  sequencer_->Shutdown();
  EXPECT_EQ(older_->calls().back(), "ShutdownNode");
  ours_->manager().Wait();
}

}  // namespace
}  // namespace distbench
