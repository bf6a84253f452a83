// A sequencer of an older program runs tests on nodes of ours.
#include "distbench/interop/older_sequencer.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "distbench/interop/our_node.h"
#include "google/protobuf/text_format.h"
#include "protos/progress.pb.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

using Stub = OlderSequencer::Stub;

constexpr absl::Duration kTimeout = absl::Seconds(60);

// Two clients that ask two servers, each of which asks the store; in canonical form.
DistributedSystemDescription Tiers(const std::string& iterations) {
  DistributedSystemDescription config;
  const std::string text = R"(
    name: "tiers"
    services { name: "client" count: 2 x_size: 2 }
    services { name: "server" count: 2 x_size: 2 }
    services { name: "store" count: 1 x_size: 1 }
    rpc_descriptions { name: "ask" client: "client" server: "server" }
    rpc_descriptions { name: "load" client: "server" server: "store" }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "ask" action_names: "load" }
    action_lists { name: "load" }
    actions { name: "ask" rpc_name: "ask" iterations { )" +
                           iterations + R"( } }
    actions { name: "load" rpc_name: "load" })";
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &config)) << text;
  return config;
}

const OlderPlacement& Spread() {
  static const OlderPlacement placement = {
      {"client/0", "server/1"}, {"client/1", "server/0", "store/0"}, {}};
  return placement;
}

// Whether an RPC that the node sent has succeeded: what a sequencer of ours would ask.
bool HasSucceeded(const NodeManager& node) {
  const auto stub = DistBenchNodeManager::NewStub(grpc::CreateChannel(
      absl::StrCat("127.0.0.1:", node.port()), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  TrafficProgress progress;
  const grpc::Status status = stub->GetTrafficProgress(&context, {}, &progress);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return progress.rpcs_size() > 0 && progress.rpcs(0).measured_successes() > 0;
}

class OlderSequencerTest : public testing::Test {
 protected:
  OlderSequencerTest() {
    for (size_t i = 0; i < Spread().size(); ++i) {
      nodes_.push_back(std::make_unique<OurNode>(sequencer_.port()));
    }
  }

  void Prepare(const std::string& iterations) {
    absl::Status status = sequencer_.Configure(Tiers(iterations), Spread());
    ASSERT_TRUE(status.ok()) << status;
    status = sequencer_.Introduce();
    ASSERT_TRUE(status.ok()) << status;
  }

  // Instances whose results say something, each with the RPCs that it sent.
  std::map<std::string, int> RpcsSent() {
    const auto results = sequencer_.GetResults();
    EXPECT_TRUE(results.ok()) << results.status();
    std::map<std::string, int> sent;
    for (size_t node = 0; results.ok() && node < results->size(); ++node) {
      EXPECT_THAT((*results)[node].node_usages(),
                  ElementsAre(Pair(nodes_[node]->manager().alias(), testing::_)));
      for (const auto& [instance, log] : (*results)[node].service_logs().instance_logs()) {
        for (const auto& [peer, peer_log] : log.peer_logs()) {
          for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
            EXPECT_EQ(rpc_log.failed_rpc_samples_size(), 0);
            sent[instance] += rpc_log.successful_rpc_samples_size();
          }
        }
      }
    }
    return sent;
  }

  OlderSequencer sequencer_;
  std::vector<std::unique_ptr<OurNode>> nodes_;
};

TEST_F(OlderSequencerTest, RunsTestsOneAfterTheOther) {
  for (const int count : {30, 7}) {
    Prepare("max_iteration_count: " + std::to_string(count) + " max_parallel_iterations: 3");
    const absl::Status run = sequencer_.RunTraffic(kTimeout);
    ASSERT_TRUE(run.ok()) << run;
    EXPECT_THAT(RpcsSent(),
                UnorderedElementsAre(Pair("client/0", 2 * count), Pair("client/1", 2 * count),
                                     Pair("server/0", 2 * count), Pair("server/1", 2 * count)));
  }
}

TEST_F(OlderSequencerTest, InstancesWithoutLogsAreLeftOut) {
  Prepare("max_iteration_count: 3");
  ASSERT_TRUE(sequencer_.RunTraffic(kTimeout).ok());
  const auto results = sequencer_.GetResults();
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_FALSE((*results)[1].service_logs().instance_logs().contains("store/0"));
  EXPECT_TRUE((*results)[2].service_logs().instance_logs().empty());
}

TEST_F(OlderSequencerTest, CancelsTrafficWhichEndsWell) {
  Prepare("max_iteration_count: 2000000000");
  std::thread canceller([this] {
    // Until then servers serve: RPCs have come through.
    while (!HasSucceeded(nodes_[0]->manager())) std::this_thread::yield();
    const absl::Status cancelled = sequencer_.CancelTraffic();
    EXPECT_TRUE(cancelled.ok()) << cancelled;
  });
  const absl::Status run = sequencer_.RunTraffic(kTimeout);
  canceller.join();
  EXPECT_TRUE(run.ok()) << run;
  const auto results = sequencer_.GetResults();
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_GT((*results)[0].service_logs().instance_logs().at("client/0").peer_logs_size(), 0);
}

TEST_F(OlderSequencerTest, EnginesAnswerAsSoonAsTheyAreConfigured) {
  const absl::Status configured = sequencer_.Configure(Tiers("max_iteration_count: 1"), Spread());
  ASSERT_TRUE(configured.ok()) << configured;
  ASSERT_EQ(sequencer_.endpoints().service_endpoints_size(), 5);
  for (const auto& [instance, endpoint] : sequencer_.endpoints().service_endpoints()) {
    grpc::ClientContext context;
    SetLongDeadline(context);
    ConnectRequest request;
    request.set_initiator_info("");
    ConnectResponse response;
    const grpc::Status status = ConnectionSetup::NewStub(PlainChannel(endpoint.endpoint_address()))
                                    ->SetupConnection(&context, request, &response);
    ASSERT_TRUE(status.ok()) << instance << status.error_message();
    ServerAddress address;
    ASSERT_TRUE(address.ParseFromString(response.responder_info()));
    EXPECT_THAT(address.socket_address(), testing::StartsWith("127.0.0.1:"));
  }
}

TEST_F(OlderSequencerTest, ALimitOfNoThreadsIsRefused) {
  NodeServiceConfig request;
  *request.mutable_traffic_config() = Tiers("max_iteration_count: 1");
  request.mutable_traffic_config()->mutable_overload_limits()->set_max_threads(0);
  request.add_services("client/0");
  const auto answer = sequencer_.Call(0, &Stub::ConfigureNode, request, kTimeout);
  EXPECT_TRUE(absl::IsInvalidArgument(answer.status())) << answer.status();
}

TEST_F(OlderSequencerTest, NodesSayWhoTheyAreAndStopWhenTheyAreTold) {
  EXPECT_EQ(sequencer_.registration(2).hostname(), "ours");
  EXPECT_EQ(sequencer_.registration(2).control_port(), nodes_[2]->manager().port());
  Prepare("max_iteration_count: 1");
  const absl::Status shut_down = sequencer_.Shutdown();
  EXPECT_TRUE(shut_down.ok()) << shut_down;
  for (const auto& node : nodes_) node->manager().Wait();
}

}  // namespace
}  // namespace distbench
