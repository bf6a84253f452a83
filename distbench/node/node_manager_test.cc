#include "distbench/node/node_manager.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/net/grpc_status.h"
#include "distbench/net/socket_address.h"
#include "distbench/node/node_testbed.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// A sequencer that knows how to register nodes, or how not to.
class FakeSequencer final : public DistBenchTestSequencer::CallbackService {
 public:
  // Its answers to the next calls; success when there are none.
  void Refuse(std::vector<absl::Status> errors) {
    absl::MutexLock lock(&mutex_);
    errors_ = std::move(errors);
  }
  std::vector<NodeRegistration> registrations() {
    absl::MutexLock lock(&mutex_);
    return registrations_;
  }
  void AwaitRegistrations(size_t count) {
    absl::MutexLock lock(&mutex_);
    const auto enough = [&] { return registrations_.size() >= count; };
    mutex_.Await(absl::Condition(&enough));
  }

  grpc::ServerUnaryReactor* RegisterNode(grpc::CallbackServerContext* context,
                                         const NodeRegistration* request,
                                         NodeConfig* response) override {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    absl::Status status;
    {
      absl::MutexLock lock(&mutex_);
      registrations_.push_back(*request);
      response->set_node_id(static_cast<int32_t>(registrations_.size()) - 1);
      response->set_node_alias(absl::StrCat("node", registrations_.size() - 1));
      if (is_of_this_program_) response->mutable_daemon()->set_control_protocol(1);
      if (!errors_.empty()) {
        status = errors_.front();
        errors_.erase(errors_.begin());
      }
    }
    reactor->Finish(ToGrpcStatus(status));
    return reactor;
  }

  // Call before anybody registers.
  void BeOfAnotherProgram() { is_of_this_program_ = false; }

 private:
  bool is_of_this_program_ = true;
  absl::Mutex mutex_;
  std::vector<absl::Status> errors_ ABSL_GUARDED_BY(mutex_);
  std::vector<NodeRegistration> registrations_ ABSL_GUARDED_BY(mutex_);
};

class NodeManagerTest : public ::testing::Test {
 protected:
  NodeManagerTest() {
    auto listener = GrpcListener::Start({.bind_ip = "127.0.0.1", .service = &sequencer_});
    EXPECT_TRUE(listener.ok()) << listener.status();
    sequencer_listener_ = std::move(*listener);
  }

  NodeManagerOptions Options() {
    return {.environment = &bed_.environment(),
            .control_plane = {.bind_ip = "127.0.0.1",
                              .advertise_host = "127.0.0.1",
                              .numeric_ip = "127.0.0.1",
                              .host_name = "worker"},
            .test_sequencer = absl::StrCat("127.0.0.1:", sequencer_listener_->port())};
  }

  static std::unique_ptr<NodeManager> Start(NodeManagerOptions options) {
    auto manager = NodeManager::Start(std::move(options));
    EXPECT_TRUE(manager.ok()) << manager.status();
    return std::move(*manager);
  }

  NodeTestbed bed_{0};
  FakeSequencer sequencer_;
  std::unique_ptr<GrpcListener> sequencer_listener_;
};

// Calls a node manager as its sequencer does.
class NodeClient {
 public:
  explicit NodeClient(const NodeManager& manager)
      : stub_(DistBenchNodeManager::NewStub(ControlPlaneChannel(manager.service_address()))) {}

  template <typename Request, typename Response>
  absl::Status Call(grpc::Status (DistBenchNodeManager::Stub::*method)(grpc::ClientContext*,
                                                                       const Request&, Response*),
                    const Request& request, Response* response) {
    grpc::ClientContext context;
    context.set_deadline(absl::ToChronoTime(absl::Now() + absl::Seconds(60)));
    return FromGrpcStatus((stub_.get()->*method)(&context, request, response));
  }

  DistBenchNodeManager::Stub* stub() { return stub_.get(); }

 private:
  std::unique_ptr<DistBenchNodeManager::Stub> stub_;
};

using Stub = DistBenchNodeManager::Stub;

// Everything up to RunTraffic, for a test that ends when it is cancelled.
void PrepareEndlessTest(NodeClient* client) {
  NodeServiceConfig config;
  *config.mutable_traffic_config() = EndlessTest();
  for (const char* instance : {"client/0", "server/0", "server/1"}) config.add_services(instance);
  ServiceEndpointMap endpoints;
  absl::Status status = client->Call(&Stub::ConfigureNode, config, &endpoints);
  ASSERT_TRUE(status.ok()) << status;
  IntroducePeersResult introduced;
  status = client->Call(&Stub::IntroducePeers, endpoints, &introduced);
  ASSERT_TRUE(status.ok()) << status;
}

// Results are kept back while traffic runs.
bool TrafficRuns(NodeClient* client) {
  GetTrafficResultResponse result;
  return absl::IsFailedPrecondition(
      client->Call(&Stub::GetTrafficResult, GetTrafficResultRequest(), &result));
}

TEST_F(NodeManagerTest, TellsTheSequencerWhoItIs) {
  NodeManagerOptions options = Options();
  options.attributes = {{"rack", "r7"}, {"cpus", "64"}};
  options.preassigned_id = 12;
  auto manager = Start(options);
  const absl::Status registered = manager->Register();
  ASSERT_TRUE(registered.ok()) << registered;
  EXPECT_EQ(manager->alias(), "node0") << "the sequencer has the last word";

  ASSERT_EQ(sequencer_.registrations().size(), 1u);
  const NodeRegistration registration = sequencer_.registrations()[0];
  EXPECT_EQ(registration.hostname(), "worker");
  EXPECT_EQ(registration.control_ip(), "127.0.0.1");
  EXPECT_EQ(registration.control_port(), manager->port());
  EXPECT_EQ(registration.service_address(), absl::StrCat("ipv4:///127.0.0.1:", manager->port()));
  EXPECT_EQ(registration.preassigned_node_id(), 12);
  std::vector<std::string> attributes;
  for (const Attribute& attribute : registration.attributes()) {
    attributes.push_back(absl::StrCat(attribute.name(), "=", attribute.value()));
  }
  EXPECT_THAT(attributes, testing::ElementsAre("rack=r7", "cpus=64", "node_alias=node12"));
  EXPECT_EQ(registration.daemon().control_protocol(), 1);
  EXPECT_THAT(registration.daemon().capabilities(), IsSupersetOf({"agreed_start", "probe_clock"}));
  EXPECT_FALSE(registration.daemon().provenance().version().empty());
}

TEST_F(NodeManagerTest, AsksForNoIdByDefaultAndAdvertisesWhatItIsTold) {
  NodeManagerOptions options = Options();
  options.service_address = "dns:///gateway:31000";
  auto manager = Start(options);
  ASSERT_TRUE(manager->Register().ok());
  EXPECT_LT(sequencer_.registrations()[0].preassigned_node_id(), 0);
  EXPECT_EQ(sequencer_.registrations()[0].service_address(), "dns:///gateway:31000");
}

TEST_F(NodeManagerTest, TriesAgainWhenTheSequencerGoesAwayMeanwhile) {
  sequencer_.Refuse({absl::UnavailableError("restarting")});
  auto manager = Start(Options());
  EXPECT_TRUE(manager->Register().ok());
  EXPECT_EQ(sequencer_.registrations().size(), 2u);
}

TEST_F(NodeManagerTest, RegistersAgainAndAgainAndGoesByTheNameItIsGivenLast) {
  NodeManagerOptions options = Options();
  options.registration_period = absl::Milliseconds(1);
  auto manager = Start(options);
  ASSERT_TRUE(manager->Register().ok());
  sequencer_.AwaitRegistrations(5);
  std::vector<NodeRegistration> registrations = sequencer_.registrations();
  EXPECT_FALSE(registrations[0].has_former_node_id());
  EXPECT_TRUE(registrations[0].has_incarnation());
  for (size_t i = 1; i < registrations.size(); ++i) {
    EXPECT_EQ(registrations[i].former_node_id(), static_cast<int32_t>(i) - 1);
    registrations[i].clear_former_node_id();
    EXPECT_EQ(registrations[i].ShortDebugString(), registrations[0].ShortDebugString());
  }
  // The answer before the one that may be on its way has arrived.
  EXPECT_NE(manager->alias(), "node0");
}

TEST_F(NodeManagerTest, ToASequencerOfAnotherProgramItsRegistrationsAreIdentical) {
  sequencer_.BeOfAnotherProgram();
  NodeManagerOptions options = Options();
  options.registration_period = absl::Milliseconds(1);
  auto manager = Start(options);
  ASSERT_TRUE(manager->Register().ok());
  sequencer_.AwaitRegistrations(3);
  const std::vector<NodeRegistration> registrations = sequencer_.registrations();
  EXPECT_EQ(registrations[1].ShortDebugString(), registrations[0].ShortDebugString());
  EXPECT_EQ(registrations[2].ShortDebugString(), registrations[0].ShortDebugString());
}

TEST_F(NodeManagerTest, FindsASequencerThatWasStartedAnew) {
  NodeManagerOptions options = Options();
  options.registration_period = absl::Milliseconds(1);
  auto manager = Start(options);
  ASSERT_TRUE(manager->Register().ok());
  const uint16_t port = sequencer_listener_->port();
  sequencer_listener_.reset();
  FakeSequencer anew;
  auto listener =
      GrpcListener::Start({.bind_ip = "127.0.0.1", .ports = {port, port}, .service = &anew});
  ASSERT_TRUE(listener.ok()) << listener.status();
  anew.AwaitRegistrations(1);
  EXPECT_TRUE(anew.registrations()[0].has_former_node_id());
  manager.reset();
}

TEST_F(NodeManagerTest, ANodeThatIsShutDownDoesNotRegisterAgain) {
  NodeManagerOptions options = Options();
  options.registration_period = absl::Milliseconds(1);
  auto manager = Start(options);
  ASSERT_TRUE(manager->Register().ok());
  sequencer_.AwaitRegistrations(2);
  manager->Shutdown();
  manager.reset();
  const size_t count = sequencer_.registrations().size();
  // Whatever it had on its way would have to come before this one.
  auto other = Start(Options());
  ASSERT_TRUE(other->Register().ok());
  EXPECT_EQ(sequencer_.registrations().size(), count + 1);
}

TEST_F(NodeManagerTest, DoesNotArgueWithARefusal) {
  sequencer_.Refuse({absl::InvalidArgumentError("node12 is worker-9")});
  auto manager = Start(Options());
  const absl::Status registered = manager->Register();
  EXPECT_TRUE(absl::IsInvalidArgument(registered)) << registered;
  EXPECT_THAT(std::string(registered.message()),
              AllOf(HasSubstr("node12 is worker-9"), HasSubstr("127.0.0.1:")));
  EXPECT_EQ(sequencer_.registrations().size(), 1u);
}

TEST_F(NodeManagerTest, NamesASequencerThatDoesNotAnswer) {
  NodeManagerOptions options = Options();
  sequencer_listener_.reset();
  options.registration_timeout = absl::Milliseconds(50);
  auto manager = Start(options);
  const absl::Status registered = manager->Register();
  EXPECT_TRUE(absl::IsUnavailable(registered)) << registered;
  EXPECT_THAT(std::string(registered.message()),
              AllOf(HasSubstr(options.test_sequencer), HasSubstr("--test_sequencer")));
}

TEST_F(NodeManagerTest, StopsWaitingForTheSequencerWhenItIsShutDown) {
  NodeManagerOptions options = Options();
  sequencer_listener_.reset();
  options.registration_timeout = absl::InfiniteDuration();
  auto manager = Start(options);
  std::thread stopper([&] { manager->Shutdown(); });
  EXPECT_TRUE(absl::IsCancelled(manager->Register()));
  stopper.join();
  manager->Wait();
}

TEST_F(NodeManagerTest, NamesAnAddressThatIsInUseOrIsNone) {
  auto first = Start(Options());
  NodeManagerOptions options = Options();
  options.control_plane.port = first->port();
  const auto second = NodeManager::Start(options);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr(absl::StrCat("127.0.0.1:", first->port())));
  options.test_sequencer = "head";
  EXPECT_TRUE(absl::IsInvalidArgument(NodeManager::Start(options).status()));
}

TEST_F(NodeManagerTest, RunsATestOverGrpcAndShutsDownAfterItsAnswer) {
  auto manager = Start(Options());
  ASSERT_TRUE(manager->Register().ok());
  NodeClient client(*manager);
  NodeServiceConfig config;
  *config.mutable_traffic_config() = ShortTest();
  for (const char* instance : {"client/0", "server/0", "server/1"}) config.add_services(instance);
  ServiceEndpointMap endpoints;
  absl::Status status = client.Call(&Stub::ConfigureNode, config, &endpoints);
  ASSERT_TRUE(status.ok()) << status;
  IntroducePeersResult introduced;
  status = client.Call(&Stub::IntroducePeers, endpoints, &introduced);
  ASSERT_TRUE(status.ok()) << status;
  ClockReading reading;
  EXPECT_TRUE(client.Call(&Stub::ProbeClock, ClockProbe(), &reading).ok());
  EXPECT_GT(reading.receive_timestamp_ns(), 0);
  RunTrafficResponse run;
  status = client.Call(&Stub::RunTraffic, RunTrafficRequest(), &run);
  ASSERT_TRUE(status.ok()) << status;
  GetTrafficResultRequest get;
  get.set_clear_services(true);
  GetTrafficResultResponse result;
  status = client.Call(&Stub::GetTrafficResult, get, &result);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(result.service_logs().instance_logs().at("client/0").peer_logs_size(), 2);
  EXPECT_EQ(result.node_usages().count("node0"), 1u);

  ShutdownNodeResult shutdown;
  EXPECT_TRUE(client.Call(&Stub::ShutdownNode, ShutdownNodeRequest(), &shutdown).ok());
  manager->Wait();
}

TEST_F(NodeManagerTest, CancelsTrafficWhoseCallerHasGone) {
  auto manager = Start(Options());
  NodeClient client(*manager);
  bed_.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  PrepareEndlessTest(&client);

  RunTrafficRequest request;
  request.mutable_control()->set_request_id("request");
  RunTrafficResponse lost_answer;
  grpc::ClientContext gone;
  std::thread caller([&] { client.stub()->RunTraffic(&gone, request, &lost_answer); });
  while (!TrafficRuns(&client)) continue;
  gone.TryCancel();
  caller.join();
  while (TrafficRuns(&client)) continue;
  RunTrafficResponse run;
  ASSERT_TRUE(client.Call(&Stub::RunTraffic, request, &run).ok()) << "the same request again";
  EXPECT_EQ(run.status_code(), static_cast<int>(absl::StatusCode::kCancelled));
}

TEST_F(NodeManagerTest, EndsWithTrafficRunning) {
  auto manager = Start(Options());
  NodeClient client(*manager);
  bed_.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  PrepareEndlessTest(&client);
  RunTrafficResponse run;
  std::thread caller([&] {
    const absl::Status status = client.Call(&Stub::RunTraffic, RunTrafficRequest(), &run);
    EXPECT_TRUE(status.ok()) << status;
  });
  while (!TrafficRuns(&client)) continue;
  manager.reset();
  caller.join();
  EXPECT_EQ(run.status_code(), static_cast<int>(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace distbench
