// The daemon over gRPC, on loopback, with a node manager that only pretends.
#include "distbench/sequencer/sequencer.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/sequencer/fake_cluster.h"
#include "protos/provenance.pb.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using testing::HasSubstr;

class PretendingNode final : public DistBenchNodeManager::CallbackService {
 public:
  // Traffic goes on until it is cancelled.
  void RunForever() { runs_forever_ = true; }
  void AwaitTraffic() { traffic_runs_.WaitForNotification(); }
  void AwaitCancel() { cancelled_.WaitForNotification(); }
  void AwaitShutdown() { shut_down_.WaitForNotification(); }

  grpc::ServerUnaryReactor* ConfigureNode(grpc::CallbackServerContext* context,
                                          const NodeServiceConfig* request,
                                          ServiceEndpointMap* response) override {
    for (const std::string& instance : request->services()) {
      (*response->mutable_service_endpoints())[instance].set_endpoint_address("127.0.0.1:1");
    }
    return Ok(context);
  }
  grpc::ServerUnaryReactor* IntroducePeers(grpc::CallbackServerContext* context,
                                           const ServiceEndpointMap* /*request*/,
                                           IntroducePeersResult* /*response*/) override {
    return Ok(context);
  }
  grpc::ServerUnaryReactor* RunTraffic(grpc::CallbackServerContext* context,
                                       const RunTrafficRequest* /*request*/,
                                       RunTrafficResponse* /*response*/) override {
    if (!runs_forever_) return Ok(context);
    absl::MutexLock lock(&mutex_);
    traffic_ = context->DefaultReactor();
    traffic_runs_.Notify();
    return traffic_;
  }
  grpc::ServerUnaryReactor* CancelTraffic(grpc::CallbackServerContext* context,
                                          const CancelTrafficRequest* /*request*/,
                                          CancelTrafficResult* /*response*/) override {
    absl::MutexLock lock(&mutex_);
    if (traffic_ != nullptr) std::exchange(traffic_, nullptr)->Finish(grpc::Status::OK);
    cancelled_.Notify();
    return Ok(context);
  }
  grpc::ServerUnaryReactor* GetTrafficResult(grpc::CallbackServerContext* context,
                                             const GetTrafficResultRequest* /*request*/,
                                             GetTrafficResultResponse* /*response*/) override {
    return Ok(context);
  }
  grpc::ServerUnaryReactor* ShutdownNode(grpc::CallbackServerContext* context,
                                         const ShutdownNodeRequest* /*request*/,
                                         ShutdownNodeResult* /*response*/) override {
    shut_down_.Notify();
    return Ok(context);
  }
  // ProbeClock is not implemented: a node of another program.

 private:
  static grpc::ServerUnaryReactor* Ok(grpc::CallbackServerContext* context) {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

  bool runs_forever_ = false;
  absl::Notification traffic_runs_;
  absl::Notification cancelled_;
  absl::Notification shut_down_;
  absl::Mutex mutex_;
  grpc::ServerUnaryReactor* traffic_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

class SequencerTest : public testing::Test {
 protected:
  SequencerTest() {
    provenance_.set_version("test");
    auto sequencer = Sequencer::Start({.bind_ip = "127.0.0.1", .port = 0, .drivers = FakeDrivers()},
                                      provenance_);
    EXPECT_TRUE(sequencer.ok()) << sequencer.status();
    sequencer_ = *std::move(sequencer);
    stub_ = DistBenchTestSequencer::NewStub(
        ControlPlaneChannel(absl::StrCat("ipv4:///127.0.0.1:", sequencer_->port())));
  }

  // The sequencer first: it ends the node's traffic, which the node's server waits for.
  ~SequencerTest() override { sequencer_.reset(); }

  grpc::Status Register(int port, NodeConfig* config) {
    NodeRegistration registration;
    registration.set_hostname("localhost");
    registration.set_control_port(port);
    registration.set_service_address(absl::StrCat("ipv4:///127.0.0.1:", port));
    grpc::ClientContext context;
    return stub_->RegisterNode(&context, registration, config);
  }

  void StartNode() {
    auto listener = GrpcListener::Start({.bind_ip = "127.0.0.1", .ports = {}, .service = &node_});
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
    NodeConfig config;
    ASSERT_TRUE(Register(listener_->port(), &config).ok());
    EXPECT_EQ(config.node_alias(), "node0");
    EXPECT_EQ(config.daemon().provenance().version(), "test");
  }

  grpc::Status Stop(const std::string& sequence_id) {
    grpc::ClientContext context;
    StopTestSequenceRequest request;
    request.set_sequence_id(sequence_id);
    StopTestSequenceResult result;
    return stub_->StopTestSequence(&context, request, &result);
  }

  static TestSequence OneNodeTest() {
    return ClientServerTest(1, R"(node_service_bundles { key: "node0" value { services: "client/0"
                                                          services: "server/0" } })");
  }

  Provenance provenance_;
  std::unique_ptr<Sequencer> sequencer_;
  std::unique_ptr<DistBenchTestSequencer::Stub> stub_;
  PretendingNode node_;
  std::unique_ptr<GrpcListener> listener_;
};

TEST_F(SequencerTest, ASequenceRunsFromRequestToAnswer) {
  StartNode();
  grpc::ClientContext context;
  TestSequenceResults results;
  const grpc::Status status = stub_->RunTestSequence(&context, OneNodeTest(), &results);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(results.test_results_size(), 1);
  EXPECT_EQ(results.test_results(0).report().status_code(), 0)
      << results.test_results(0).report().status_message();
}

TEST_F(SequencerTest, AStoppedSequenceIsAnsweredWithWhatThereIs) {
  node_.RunForever();
  StartNode();
  TestSequence sequence = OneNodeTest();
  sequence.set_sequence_id("mine");
  TestSequenceResults results;
  std::thread caller([&] {
    grpc::ClientContext context;
    EXPECT_TRUE(stub_->RunTestSequence(&context, sequence, &results).ok());
  });
  node_.AwaitTraffic();
  EXPECT_EQ(Stop("other").error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Stop("").error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(Stop("mine").ok());
  caller.join();
  ASSERT_EQ(results.test_results_size(), 1);
  EXPECT_EQ(results.test_results(0).report().status_message(), "stopped by the caller");
}

TEST_F(SequencerTest, NodesAreToldHowOftenToRegisterAgain) {
  NodeConfig config;
  ASSERT_TRUE(Register(1, &config).ok());
  EXPECT_EQ(config.registration_period_ms(), 5000);
  for (int port = 2; port <= 1000; ++port) ASSERT_TRUE(Register(port, &config).ok());
  EXPECT_EQ(config.registration_period_ms(), 10'000) << "a thousand nodes, a hundred a second";
}

TEST_F(SequencerTest, ACallerWhoGoesAwayHasTrafficCancelled) {
  node_.RunForever();
  StartNode();
  grpc::ClientContext context;
  std::thread caller([&] {
    TestSequenceResults results;
    EXPECT_EQ(stub_->RunTestSequence(&context, OneNodeTest(), &results).error_code(),
              grpc::StatusCode::CANCELLED);
  });
  node_.AwaitTraffic();
  context.TryCancel();
  node_.AwaitCancel();
  caller.join();
}

TEST_F(SequencerTest, NodesMayRegisterWhileASequenceRuns) {
  node_.RunForever();
  StartNode();
  grpc::ClientContext context;
  std::thread caller([&] {
    TestSequenceResults results;
    stub_->RunTestSequence(&context, OneNodeTest(), &results);
  });
  node_.AwaitTraffic();
  NodeConfig config;
  EXPECT_TRUE(Register(1, &config).ok());
  EXPECT_EQ(config.node_alias(), "node1");
  context.TryCancel();
  caller.join();
}

TEST_F(SequencerTest, ShutdownAnswersTheCallerWithWhatThereIs) {
  node_.RunForever();
  StartNode();
  TestSequenceResults results;
  std::thread caller([&] {
    grpc::ClientContext context;
    EXPECT_TRUE(stub_->RunTestSequence(&context, OneNodeTest(), &results).ok());
  });
  node_.AwaitTraffic();
  sequencer_->Shutdown();
  caller.join();
  ASSERT_EQ(results.test_results_size(), 1);
  EXPECT_THAT(results.test_results(0).report().status_message(), HasSubstr("shutting down"));
}

TEST_F(SequencerTest, ShutdownAfterTestsReachesNodesAndReleasesWait) {
  StartNode();
  TestSequence sequence = OneNodeTest();
  sequence.mutable_tests_setting()->set_shutdown_after_tests(true);
  grpc::ClientContext context;
  TestSequenceResults results;
  EXPECT_TRUE(stub_->RunTestSequence(&context, sequence, &results).ok());
  node_.AwaitShutdown();
  sequencer_->Wait();
  sequencer_->Shutdown();
}

TEST_F(SequencerTest, ConfigErrorsComeBackAsInvalidArgument) {
  TestSequence sequence = OneNodeTest();
  sequence.mutable_tests(0)->mutable_actions(0)->set_rpc_name("nonsense");
  grpc::ClientContext context;
  TestSequenceResults results;
  const grpc::Status status = stub_->RunTestSequence(&context, sequence, &results);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("nonsense"));
}

TEST_F(SequencerTest, APortInUseIsAnErrorThatNamesIt) {
  const auto second = Sequencer::Start(
      {.bind_ip = "127.0.0.1", .port = sequencer_->port(), .drivers = FakeDrivers()}, provenance_);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr(absl::StrCat("127.0.0.1:", sequencer_->port())));
}

}  // namespace
}  // namespace distbench
