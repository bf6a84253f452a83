#include "distbench/node/node.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "distbench/net/port_range.h"
#include "distbench/net/socket.h"
#include "distbench/net/socket_address.h"
#include "distbench/node/node_testbed.h"
#include "distbench/node/resource_budget.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kEverything = {"client/0", "server/0", "server/1"};

std::string Message(const absl::Status& status) { return std::string(status.message()); }

std::vector<std::string> NamesOf(const ServiceEndpointMap& endpoints) {
  std::vector<std::string> names;
  for (const auto& [name, endpoint] : endpoints.service_endpoints()) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

// Successful RPCs by what the client's log says of each server.
std::map<std::string, int> SuccessesOf(const GetTrafficResultResponse& result) {
  std::map<std::string, int> successes;
  const auto log = result.service_logs().instance_logs().find("client/0");
  if (log == result.service_logs().instance_logs().end()) return successes;
  for (const auto& [peer, peer_log] : log->second.peer_logs()) {
    for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
      successes[peer] += rpc_log.successful_rpc_samples_size();
    }
  }
  return successes;
}

// Neighbouring ports on loopback that somebody listens on.
class TakenPorts {
 public:
  explicit TakenPorts(int count) {
    for (uint16_t first = 21011; sockets_.empty() && first < 30000; first += count) {
      for (int i = 0; i < count && Take(first + i); ++i) continue;
      if (static_cast<int>(sockets_.size()) != count) sockets_.clear();
      range_ = {first, static_cast<uint16_t>(first + count - 1)};
    }
    EXPECT_FALSE(sockets_.empty());
  }
  const PortRange& range() const { return range_; }

 private:
  bool Take(int port) {
    const SocketName name = *SocketName::FromNumeric("127.0.0.1", static_cast<uint16_t>(port));
    auto socket = std::make_unique<OwnedSocket>(::socket(AF_INET, SOCK_STREAM, 0));
    if (bind(socket->fd(), name.address(), name.length()) != 0) return false;
    if (listen(socket->fd(), 1) != 0) return false;
    sockets_.push_back(std::move(socket));
    return true;
  }

  PortRange range_;
  std::vector<std::unique_ptr<OwnedSocket>> sockets_;
};

// --- A test from request to result

TEST(NodeTest, RunsATestFromConfigurationToResult) {
  NodeTestbed bed(1);
  const auto endpoints = bed.Configure(0, ShortTest(), kEverything);
  ASSERT_TRUE(endpoints.ok()) << endpoints.status();
  EXPECT_THAT(NamesOf(*endpoints), ElementsAre("client/0", "server/0", "server/1"));
  for (const auto& [name, endpoint] : endpoints->service_endpoints()) {
    EXPECT_EQ(endpoint.hostname(), "host0");
    EXPECT_TRUE(ParseHostPort(endpoint.endpoint_address()).ok()) << endpoint.endpoint_address();
  }
  ASSERT_TRUE(bed.Introduce(0, *endpoints).ok());
  const auto run = bed.Run(0);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_FALSE(run->has_status_code());
  EXPECT_FALSE(run->has_start_skew_ns());

  const auto result = bed.Result(0, /*clear=*/true);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(SuccessesOf(*result), (std::map<std::string, int>{{"server/0", 10}, {"server/1", 10}}));
  EXPECT_EQ(result->service_logs().instance_logs_size(), 3) << "servers tell what they served";
  ASSERT_EQ(result->node_usages().count("node0"), 1u);
  EXPECT_EQ(result->report().node_alias(), "node0");
  EXPECT_FALSE(result->report().agreed_start());
  EXPECT_FALSE(result->report().provenance().version().empty());
}

TEST(NodeTest, RunsATestTogetherWithAnotherNode) {
  NodeTestbed bed(2);
  auto endpoints = bed.Configure(0, ShortTest(), {"client/0"});
  const auto servers = bed.Configure(1, ShortTest(), {"server/0", "server/1"});
  ASSERT_TRUE(endpoints.ok() && servers.ok());
  endpoints->MergeFrom(*servers);
  ASSERT_TRUE(bed.Introduce(1, *endpoints).ok());
  ASSERT_TRUE(bed.Introduce(0, *endpoints).ok());
  EXPECT_TRUE(bed.Run(1).ok()) << "a node without main lists is done at once";
  EXPECT_TRUE(bed.Run(0).ok());
  EXPECT_EQ(SuccessesOf(*bed.Result(0, true)).size(), 2u);
  EXPECT_EQ(bed.Result(1, true)->service_logs().instance_logs_size(), 2);
}

TEST(NodeTest, StartsAtTheAgreedTimeAndReportsTheSkew) {
  NodeTestbed bed(1);
  bed.Prepare(ShortTest());
  const int64_t agreed_ns = bed.environment().clock().WallNs() + 20'000'000;
  RunTrafficRequest request;
  request.mutable_agreed_start()->set_start_timestamp_ns(agreed_ns);
  request.mutable_agreed_start()->set_clock_offset_ns(-5);
  request.mutable_agreed_start()->set_clock_offset_bound_ns(3);
  const auto run = bed.Run(0, request);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_GE(run->start_skew_ns(), 0);
  const auto result = bed.Result(0, true);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->report().agreed_start());
  EXPECT_EQ(result->report().start_skew_ns(), run->start_skew_ns());
  EXPECT_EQ(result->report().clock_offset_ns(), -5);
  EXPECT_EQ(result->report().clock_offset_bound_ns(), 3);
  for (const auto& [peer, log] :
       result->service_logs().instance_logs().at("client/0").peer_logs()) {
    for (const RpcSample& sample : log.rpc_logs().at(0).successful_rpc_samples()) {
      EXPECT_GE(sample.start_timestamp_ns(), agreed_ns);
    }
  }
}

TEST(NodeTest, RefusesAStartFarFromItsClock) {
  NodeTestbed bed(1);
  bed.Prepare(ShortTest());
  for (const int64_t start_ns :
       {int64_t{0}, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    RunTrafficRequest request;
    request.mutable_agreed_start()->set_start_timestamp_ns(start_ns);
    const auto run = bed.Run(0, request);
    EXPECT_TRUE(absl::IsInvalidArgument(run.status())) << run.status();
    EXPECT_THAT(Message(run.status()), HasSubstr("agreed_start.start_timestamp_ns"));
  }
  EXPECT_TRUE(bed.Run(0).ok()) << "what was refused did not count as a run";
}

// --- What does not fit the state

TEST(NodeTest, DoesNothingSuccessfullyWithoutServices) {
  NodeTestbed bed(1);
  EXPECT_EQ(bed.Configure(0, {}, {})->service_endpoints_size(), 0);
  EXPECT_TRUE(bed.Introduce(0, {}).ok());
  EXPECT_TRUE(bed.Run(0).ok());
  EXPECT_TRUE(bed.Cancel(0).ok());
  const auto result = bed.Result(0, true);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->service_logs().instance_logs_size(), 0);
  EXPECT_EQ(result->node_usages_size(), 1);
}

TEST(NodeTest, RefusesTrafficBeforePeersAreIntroduced) {
  NodeTestbed bed(1);
  ASSERT_TRUE(bed.Configure(0, ShortTest(), kEverything).ok());
  const auto run = bed.Run(0);
  EXPECT_TRUE(absl::IsFailedPrecondition(run.status())) << run.status();
}

TEST(NodeTest, RunsTrafficOnceOnly) {
  NodeTestbed bed(1);
  bed.Prepare(ShortTest());
  EXPECT_TRUE(bed.Run(0).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(bed.Run(0).status()));
}

TEST(NodeTest, RefusesCallsOfAnotherRun) {
  NodeTestbed bed(1);
  const auto endpoints = bed.Configure(0, ShortTest(), kEverything, "second");
  ASSERT_TRUE(endpoints.ok());
  RunTrafficRequest run;
  run.mutable_control()->set_run_id("first");
  CancelTrafficRequest cancel;
  cancel.mutable_control()->set_run_id("first");
  for (const absl::Status& status :
       {bed.Introduce(0, *endpoints, "first"), bed.Run(0, run).status(), bed.Cancel(0, cancel),
        bed.Result(0, true, "first").status()}) {
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(Message(status), AllOf(HasSubstr("'first'"), HasSubstr("'second'")));
  }
  EXPECT_TRUE(bed.Introduce(0, *endpoints, "").ok()) << "callers that know no runs are served";
}

TEST(NodeTest, HandsOutResultsOnce) {
  NodeTestbed bed(1);
  bed.Prepare(ShortTest());
  ASSERT_TRUE(bed.Run(0).ok());
  EXPECT_EQ(SuccessesOf(*bed.Result(0, false)).size(), 2u);
  EXPECT_EQ(SuccessesOf(*bed.Result(0, true)).size(), 2u) << "until they are cleared";
  EXPECT_TRUE(absl::IsFailedPrecondition(bed.Result(0, true).status()));
}

TEST(NodeTest, KeepsResultsBackWhileTrafficRuns) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  bed.Prepare(EndlessTest());
  Awaited<RunTrafficResponse> run;
  bed.node(0).RunTraffic({}, run.done());
  EXPECT_TRUE(absl::IsFailedPrecondition(bed.Result(0, true).status()));
  EXPECT_FALSE(run.has_come());
  ASSERT_TRUE(bed.Cancel(0).ok());
  EXPECT_TRUE(run.Get().ok());
  EXPECT_TRUE(bed.Result(0, true).ok());
}

// --- Bad requests

TEST(NodeTest, NamesAnInstanceThatTheConfigDoesNotHave) {
  NodeTestbed bed(1);
  const auto endpoints = bed.Configure(0, ShortTest(), {"client/0", "client/1"});
  EXPECT_TRUE(absl::IsInvalidArgument(endpoints.status()));
  EXPECT_THAT(Message(endpoints.status()), HasSubstr("'client/1'"));
  const auto twice = bed.Configure(0, ShortTest(), {"client/0", "client/0"});
  EXPECT_THAT(Message(twice.status()), AllOf(HasSubstr("'client/0'"), HasSubstr("twice")));
}

TEST(NodeTest, ReportsWhatIsWrongWithAConfig) {
  NodeTestbed bed(1);
  DistributedSystemDescription config = ShortTest();
  config.mutable_rpc_descriptions(0)->set_server("sever");
  config.mutable_overload_limits()->set_max_threads(0);
  const auto endpoints = bed.Configure(0, config, {});
  EXPECT_TRUE(absl::IsInvalidArgument(endpoints.status())) << endpoints.status();
  EXPECT_THAT(Message(endpoints.status()), AllOf(HasSubstr("'sever'"), HasSubstr("max_threads")));
}

TEST(NodeTest, NamesAPeerWithoutEndpoint) {
  NodeTestbed bed(1);
  auto endpoints = bed.Configure(0, ShortTest(), kEverything);
  ASSERT_TRUE(endpoints.ok());
  endpoints->mutable_service_endpoints()->erase("server/1");
  const absl::Status introduced = bed.Introduce(0, *endpoints);
  EXPECT_TRUE(absl::IsInvalidArgument(introduced)) << introduced;
  EXPECT_THAT(Message(introduced), AllOf(HasSubstr("'server/1'"), HasSubstr("client/0")));
}

TEST(NodeTest, NamesBothSidesOfAConnectionThatFails) {
  NodeTestbed bed(1);
  auto endpoints = bed.Configure(0, ShortTest(), kEverything);
  ASSERT_TRUE(endpoints.ok());
  auto& endpoint = (*endpoints->mutable_service_endpoints())["server/1"];
  endpoint.set_endpoint_address("127.0.0.1:1");
  const absl::Status introduced = bed.Introduce(0, *endpoints);
  EXPECT_FALSE(introduced.ok());
  EXPECT_THAT(Message(introduced),
              AllOf(HasSubstr("client/0"), HasSubstr("server/1"), HasSubstr("127.0.0.1:1")));
}

TEST(NodeTest, NamesAnEndpointThatIsNoAddress) {
  NodeTestbed bed(1);
  auto endpoints = bed.Configure(0, ShortTest(), kEverything);
  ASSERT_TRUE(endpoints.ok());
  (*endpoints->mutable_service_endpoints())["server/1"].set_endpoint_address("nonsense");
  const absl::Status introduced = bed.Introduce(0, *endpoints);
  EXPECT_TRUE(absl::IsInvalidArgument(introduced)) << introduced;
  EXPECT_THAT(Message(introduced), AllOf(HasSubstr("'nonsense'"), HasSubstr("server/1")));
}

TEST(NodeTest, NamesThePortRangeThatIsTooSmall) {
  NodeTestbed bed(1, {20001, 20002});
  const auto endpoints = bed.Configure(0, ShortTest(), kEverything);
  EXPECT_TRUE(absl::IsResourceExhausted(endpoints.status())) << endpoints.status();
  EXPECT_THAT(Message(endpoints.status()), AllOf(HasSubstr("3 ports"), HasSubstr("range")));
}

TEST(NodeTest, NamesTheInstanceAndTheRangeWhosePortsAreInUse) {
  const TakenPorts taken(2);
  NodeTestbed bed(1, taken.range());
  const auto endpoints = bed.Configure(0, ShortTest(), {"client/0"});
  ASSERT_FALSE(endpoints.ok());
  EXPECT_THAT(
      Message(endpoints.status()),
      AllOf(HasSubstr("client/0"), HasSubstr(FormatPortRange(taken.range())), HasSubstr("in use")));
}

// --- Cancelling

TEST(NodeTest, CancelsWithTheReasonThatItIsGiven) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  bed.Prepare(EndlessTest());
  Awaited<RunTrafficResponse> run;
  bed.node(0).RunTraffic({}, run.done());
  CancelTrafficRequest request;
  request.set_reason("node7 is out of memory");
  request.set_status_code(static_cast<int>(absl::StatusCode::kResourceExhausted));
  ASSERT_TRUE(bed.Cancel(0, request).ok());
  ASSERT_TRUE(run.Get().ok()) << run.Get().status();
  EXPECT_EQ(run.Get()->status_code(), static_cast<int>(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(run.Get()->status_message(), "node7 is out of memory");
}

TEST(NodeTest, CancelsForNoStatedReasonOrAnInvalidOne) {
  for (const int code : {0, -1, 17, 1 << 20}) {
    NodeTestbed bed(1);
    bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
    bed.Prepare(EndlessTest());
    Awaited<RunTrafficResponse> run;
    bed.node(0).RunTraffic({}, run.done());
    CancelTrafficRequest request;
    if (code != 0) request.set_status_code(code);
    ASSERT_TRUE(bed.Cancel(0, request).ok());
    EXPECT_EQ(run.Get()->status_code(), static_cast<int>(absl::StatusCode::kCancelled));
  }
}

TEST(NodeTest, EndsTrafficThatIsCancelledBeforeItsStart) {
  NodeTestbed bed(1);
  bed.Prepare(EndlessTest());
  ASSERT_TRUE(bed.Cancel(0).ok());
  RunTrafficRequest request;
  request.mutable_agreed_start()->set_start_timestamp_ns(bed.environment().clock().WallNs() +
                                                         int64_t{600} * 1'000'000'000);
  const auto run = bed.Run(0, request);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->status_code(), static_cast<int>(absl::StatusCode::kCancelled));
}

TEST(NodeTest, CancelsTrafficThatNobodyWaitsFor) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  bed.Prepare(EndlessTest());
  Awaited<RunTrafficResponse> run;
  const uint64_t number = bed.node(0).RunTraffic({}, run.done());
  bed.node(0).AbandonTraffic(number + 1);
  bed.node(0).AbandonTraffic(number - 1);
  ASSERT_TRUE(bed.Introduce(0, {}, "run").code() == absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(run.has_come()) << "those were other runs";
  bed.node(0).AbandonTraffic(number);
  EXPECT_EQ(run.Get()->status_code(), static_cast<int>(absl::StatusCode::kCancelled));
}

// --- Repeating and replacing

TEST(NodeTest, ARepeatedConfigurationGivesTheSameAnswer) {
  NodeTestbed bed(1);
  const auto first = bed.Configure(0, ShortTest(), kEverything, "run", "request 1");
  const auto repeat = bed.Configure(0, ShortTest(), kEverything, "run", "request 1");
  const auto other = bed.Configure(0, ShortTest(), kEverything, "run", "request 2");
  ASSERT_TRUE(first.ok() && repeat.ok() && other.ok());
  for (const auto& [name, endpoint] : first->service_endpoints()) {
    EXPECT_EQ(repeat->service_endpoints().at(name).endpoint_address(), endpoint.endpoint_address());
  }
  EXPECT_THAT(other->SerializeAsString(), Not(first->SerializeAsString()));
}

TEST(NodeTest, ARepeatedRunWaitsForTheOneThatRuns) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  bed.Prepare(EndlessTest());
  RunTrafficRequest request;
  request.mutable_control()->set_request_id("request");
  Awaited<RunTrafficResponse> first, repeat;
  const uint64_t number = bed.node(0).RunTraffic(request, first.done());
  bed.node(0).RunTraffic(request, repeat.done());
  bed.node(0).AbandonTraffic(number);  // by the caller who has called again
  EXPECT_TRUE(absl::IsFailedPrecondition(bed.Result(0, true).status())) << "it still runs";
  ASSERT_TRUE(bed.Cancel(0).ok());
  EXPECT_TRUE(first.Get().ok());
  EXPECT_TRUE(repeat.Get().ok());
}

TEST(NodeTest, ANewConfigurationEndsTheTestThatRuns) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  bed.Prepare(EndlessTest());
  Awaited<RunTrafficResponse> run;
  bed.node(0).RunTraffic({}, run.done());
  EXPECT_TRUE(bed.Configure(0, ShortTest(), kEverything).ok());
  EXPECT_EQ(run.Get()->status_code(), static_cast<int>(absl::StatusCode::kCancelled));
}

TEST(NodeTest, AFailedConfigurationEndsTheTestBeforeItToo) {
  NodeTestbed bed(1);
  bed.Prepare(ShortTest());
  EXPECT_FALSE(bed.Configure(0, ShortTest(), {"nobody/0"}).ok());
  EXPECT_EQ(bed.Result(0, true)->service_logs().instance_logs_size(), 0);
  bed.Prepare(ShortTest());
  EXPECT_TRUE(bed.Run(0).ok());
}

TEST(NodeTest, FreesThePortsOfTestsThatAreOver) {
  NodeTestbed bed(1);
  for (int test = 0; test < 10; ++test) {
    const auto endpoints = bed.Configure(0, ShortTest(), kEverything);
    ASSERT_TRUE(endpoints.ok()) << endpoints.status();
    ASSERT_TRUE(bed.Introduce(0, *endpoints).ok());
    ASSERT_TRUE(bed.Run(0).ok());
    ASSERT_TRUE(bed.Result(0, /*clear=*/true).ok());
    // Answered when the engines are gone.
    ASSERT_TRUE(bed.Introduce(0, {}).ok());
    for (const auto& [name, endpoint] : endpoints->service_endpoints()) {
      const HostPort address = *ParseHostPort(endpoint.endpoint_address());
      EXPECT_TRUE(CanListen(address.host, address.port).ok()) << name;
    }
  }
}

TEST(NodeTest, NodesHaveNoThreadsOfTheirOwn) {
  NodeTestbed bed(60);
  for (size_t i = 0; i < 60; ++i) {
    const auto endpoints = bed.Configure(i, ShortTest(), kEverything);
    ASSERT_TRUE(endpoints.ok()) << endpoints.status();
    ASSERT_TRUE(bed.Introduce(i, *endpoints).ok());
  }
  EXPECT_LT(ThreadsInProcess(), 3 * std::thread::hardware_concurrency() + 32);
}

// --- The end

TEST(NodeTest, ShutdownIsAnsweredAndToldOnce) {
  NodeTestbed bed(1);
  for (int i = 0; i < 2; ++i) {
    Awaited<ShutdownNodeResult> answer;
    bed.node(0).ShutdownNode({}, answer.done());
    EXPECT_TRUE(answer.Get().ok());
  }
  bed.node(0).Close();
  EXPECT_EQ(bed.shutdowns(), 1);
}

TEST(NodeTest, AClosedNodeHasAnsweredEveryoneAndRefusesTheRest) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  bed.Prepare(EndlessTest());
  Awaited<RunTrafficResponse> run;
  bed.node(0).RunTraffic({}, run.done());
  bed.node(0).Close();
  ASSERT_TRUE(run.has_come());
  EXPECT_EQ(run.Get()->status_code(), static_cast<int>(absl::StatusCode::kCancelled));
  EXPECT_TRUE(absl::IsUnavailable(bed.Configure(0, ShortTest(), kEverything).status()));
  EXPECT_TRUE(absl::IsUnavailable(bed.Cancel(0)));
}

TEST(NodeTest, ReadsItsClockInOrder) {
  NodeTestbed bed(1);
  const int64_t before_ns = bed.environment().clock().WallNs();
  const ClockReading reading = bed.node(0).ProbeClock();
  EXPECT_LE(before_ns, reading.receive_timestamp_ns());
  EXPECT_LE(reading.receive_timestamp_ns(), reading.transmit_timestamp_ns());
}

}  // namespace
}  // namespace distbench
