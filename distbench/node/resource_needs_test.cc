#include "distbench/node/resource_needs.h"

#include <memory>
#include <string>
#include <vector>

#include "distbench/config/compiler.h"
#include "distbench/config/plan.h"
#include "distbench/node/dispatch_threads.h"
#include "distbench/node/resource_budget.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::shared_ptr<const Plan> Compile(const std::string& text) {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &config));
  Diagnostics diagnostics;
  auto plan = CompileTest(config, {.names = {"fake"}}, &diagnostics);
  EXPECT_NE(plan, nullptr) << diagnostics.ToStatus();
  return plan;
}

// 2 clients with `parallel` requests of 1 MiB to each of 3 servers.
std::shared_ptr<const Plan> ClientsAndServers(int64_t parallel, const std::string& more = "") {
  return Compile(R"(
    name: "needs" default_protocol: "fake"
    services { name: "client" count: 2 } services { name: "server" count: 3 }
    payload_descriptions { name: "large" size: 1048576 }
    rpc_descriptions { name: "query" client: "client" server: "server"
                       request_payload_name: "large" }
    action_lists { name: "client" action_names: "run" }
    action_lists { name: "query" }
    actions { name: "run" rpc_name: "query"
              iterations { max_duration_us: 1000000 max_parallel_iterations: )" +
                 std::to_string(parallel) + " } }" + more);
}

DriverNeeds OneOfEach(const ServicePlan&) { return {}; }

ResourceNeeds NeedsOf(const Plan& plan, const std::string& instance) {
  return EstimateNeeds(plan, {plan.instance_by_name.at(instance)}, OneOfEach);
}

TEST(EstimateNeedsTest, NothingIsNeededForNoInstances) {
  const ResourceNeeds needs = EstimateNeeds(*ClientsAndServers(1), {}, OneOfEach);
  EXPECT_EQ(needs.descriptors, 0);
  EXPECT_EQ(needs.ports, 0);
  EXPECT_EQ(needs.memory_bytes, 0);
}

TEST(EstimateNeedsTest, CountsTheMembersOfChannels) {
  const auto plan = Compile(R"(
    name: "needs" default_protocol: "fake"
    services { name: "client" count: 2 }
    services { name: "server" count: 3
               multi_server_channels { name: "two" selected_instances: [0, 2] } }
    rpc_descriptions { name: "query" client: "client" server: "server"
                       multi_server_channel_name: "two" }
    action_lists { name: "client" action_names: "run" }
    action_lists { name: "query" }
    actions { name: "run" rpc_name: "query" })");
  EXPECT_EQ(NeedsOf(*plan, "client/0").descriptors, 2 + 2 + 2);
  EXPECT_EQ(NeedsOf(*plan, "server/0").descriptors, 2 + 2 + 2);
}

TEST(EstimateNeedsTest, CountsListenersAndConnectionsOfBothSides) {
  const auto plan = ClientsAndServers(1);
  // Two listeners, a connection for each instance on the other side, as many handshakes.
  EXPECT_EQ(NeedsOf(*plan, "client/0").descriptors, 2 + 3 + 3);
  EXPECT_EQ(NeedsOf(*plan, "server/0").descriptors, 2 + 2 + 2);
  EXPECT_EQ(NeedsOf(*plan, "server/0").ports, 2);
}

TEST(EstimateNeedsTest, ConnectionsAreThoseOfTheCallersDriver) {
  const auto plan = ClientsAndServers(1);
  const auto descriptors = [&](const std::string& instance) {
    return EstimateNeeds(
               *plan, {plan->instance_by_name.at(instance)},
               [](const ServicePlan& service) {
                 return DriverNeeds{.descriptors_per_peer = service.name == "client" ? 4 : 7};
               })
        .descriptors;
  };
  EXPECT_EQ(descriptors("client/0"), 2 + 4 * 3 + 3);
  EXPECT_EQ(descriptors("server/0"), 2 + 4 * 2 + 2);
}

TEST(EstimateNeedsTest, ADriverMayListenOnSeveralPortsOrNone) {
  const auto plan = ClientsAndServers(1);
  const auto needs_with = [&](const DriverNeeds& driver) {
    return EstimateNeeds(*plan, {plan->instance_by_name.at("server/0")},
                         [&](const ServicePlan&) { return driver; });
  };
  const ResourceNeeds twice = needs_with({.listeners = 2, .ports = 2, .descriptors_per_peer = 2});
  EXPECT_EQ(twice.ports, 1 + 2);
  EXPECT_EQ(twice.descriptors, 1 + 2 + 2 * 2 + 2);
  const ResourceNeeds unnumbered = needs_with({.listeners = 1, .ports = 0});
  EXPECT_EQ(unnumbered.ports, 1);
  EXPECT_EQ(unnumbered.descriptors, 1 + 1 + 2 + 2);
}

TEST(EstimateNeedsTest, AnInstanceDoesNotConnectToItself) {
  const auto plan = Compile(R"(
    name: "clique" default_protocol: "fake"
    services { name: "peer" count: 5 }
    rpc_descriptions { name: "gossip" client: "peer" server: "peer" }
    action_lists { name: "peer" action_names: "run" }
    action_lists { name: "gossip" }
    actions { name: "run" rpc_name: "gossip" iterations { max_iteration_count: 1 } })");
  EXPECT_EQ(NeedsOf(*plan, "peer/0").descriptors, 2 + 4 + 4 + 8);
}

TEST(EstimateNeedsTest, MemoryGrowsWithRequestsInFlightWhereTheyAreReceived) {
  const double one = NeedsOf(*ClientsAndServers(1), "server/0").memory_bytes;
  const double hundred = NeedsOf(*ClientsAndServers(100), "server/0").memory_bytes;
  // Of 100 requests of each of 2 clients to every server, 198 more than with 1.
  EXPECT_NEAR(hundred - one, 198 * (1048576 + 4096), 1);
  const double at_client = NeedsOf(*ClientsAndServers(100), "client/0").memory_bytes;
  EXPECT_LT(at_client, 4 << 20) << "clients share the bytes that they send";
}

TEST(EstimateNeedsTest, AnEchoIsHeldBesideItsRequestAndWhereItIsReceived) {
  const auto plain = ClientsAndServers(1);
  auto echoed = std::make_shared<Plan>(*plain);
  echoed->rpcs[RpcIndex(0)].echo_request = true;
  const auto more = [&](const std::string& instance) {
    return NeedsOf(*echoed, instance).memory_bytes - NeedsOf(*plain, instance).memory_bytes;
  };
  EXPECT_NEAR(more("server/0"), 2 * 1048576, 1);
  EXPECT_NEAR(more("client/0"), 3 * (1048576 - 16), 64);
}

TEST(EstimateNeedsTest, OverloadLimitsBoundTheMemory) {
  const double bounded =
      NeedsOf(*ClientsAndServers(1000000, "overload_limits { max_pending_rpcs: 30 }"), "server/0")
          .memory_bytes;
  const double same = NeedsOf(*ClientsAndServers(10), "server/0").memory_bytes;
  EXPECT_EQ(bounded, same);
}

TEST(CheckNeedsTest, NamesTheLimitTheNeedAndTheRemedy) {
  const ResourceLimits limits{.descriptors = 1000, .ports = 100, .memory_bytes = 1 << 30};
  EXPECT_TRUE(
      CheckNeeds({.descriptors = 1000, .ports = 100, .memory_bytes = 1 << 30}, limits).ok());
  const auto message = [&](const ResourceNeeds& needs) {
    const absl::Status status = CheckNeeds(needs, limits);
    EXPECT_TRUE(absl::IsResourceExhausted(status));
    return std::string(status.message());
  };
  EXPECT_THAT(
      message({.descriptors = 1001}),
      AllOf(HasSubstr("1001"), HasSubstr("RLIMIT_NOFILE leaves 1000"), HasSubstr("ulimit")));
  EXPECT_THAT(message({.ports = 101}), AllOf(HasSubstr("101 ports"), HasSubstr("has 100")));
  EXPECT_THAT(message({.memory_bytes = 2e30}),
              AllOf(HasSubstr("MiB"), HasSubstr("physical memory is 1024 MiB")));
}

TEST(CheckNeedsTest, ZeroIsNoLimit) {
  EXPECT_TRUE(
      CheckNeeds({.descriptors = 1 << 30, .ports = 1 << 30, .memory_bytes = 1e30}, {}).ok());
}

TEST(CheckThreadsTest, NamesTheLimitOfTheTestAndOfTheUser) {
  EXPECT_TRUE(CheckThreads({.in_process = 40}, 40, {.user_threads = 41}).ok());
  EXPECT_EQ(CheckThreads({.in_process = 41}, 40, {}),
            absl::ResourceExhaustedError("the test needs 41 threads in this process, but "
                                         "overload_limits.max_threads is 40; raise it"));
  EXPECT_THAT(std::string(CheckThreads({.in_process = 41}, 1000, {.user_threads = 41}).message()),
              HasSubstr("RLIMIT_NPROC is 41"));
}

TEST(CheckThreadsTest, NamesWhatDispatchNeeds) {
  const ThreadNeeds needs = {.in_process = 30, .dispatch = 11, .dispatched_by = "most of them X"};
  EXPECT_TRUE(CheckThreads(needs, 41, {.user_threads = 42}).ok());
  EXPECT_EQ(CheckThreads(needs, 40, {}),
            absl::ResourceExhaustedError(
                "the test needs 41 threads in this process, 30 that it has and 11 for "
                "server_dispatch (most of them X), but overload_limits.max_threads is 40; raise "
                "it, let fewer requests be served at a time, or use more node managers"));
  EXPECT_THAT(std::string(CheckThreads(needs, 1000, {.user_threads = 41}).message()),
              AllOf(HasSubstr("server_dispatch (most of them X)"), HasSubstr("RLIMIT_NPROC is 41"),
                    HasSubstr("ulimit -Hu")));
}

// Requests of 2 clients, `parallel` of each at a time, to each of 3 servers.
DispatchThreads ThreadsOf(const std::string& dispatch, const std::vector<std::string>& hosted,
                          int64_t parallel = 10) {
  const auto plan = ClientsAndServers(parallel, R"(
    rpc_descriptions { name: "a" client: "client" server: "server" )" +
                                                    dispatch + R"( }
    rpc_descriptions { name: "b" client: "client" server: "server" )" +
                                                    dispatch + R"( }
    action_lists { name: "a" } action_lists { name: "b" action_names: "again" }
    actions { name: "again" })");
  std::vector<InstanceIndex> instances;
  for (const std::string& name : hosted) instances.push_back(plan->instance_by_name.at(name));
  return DispatchThreadsOf(*plan, instances);
}

TEST(DispatchThreadsTest, AreThoseOfTheInstancesHere) {
  EXPECT_EQ(ThreadsOf("", {"client/0", "server/0", "server/1"}).threads, 0);
  EXPECT_EQ(ThreadsOf("", {"server/0"}).mostly, "");
  const std::string pool = "server_dispatch { mode: 'thread_pool' threads: 7 }";
  EXPECT_EQ(ThreadsOf(pool, {"client/0", "client/1"}).threads, 0);
  EXPECT_EQ(ThreadsOf(pool, {"client/0", "server/0", "server/1"}).threads, 7 * 2 * 2);
  EXPECT_EQ(ThreadsOf(pool, {"server/0", "server/1"}).mostly,
            "most of them the thread_pool of RPC 'a': 7 at each of 2 instances of server");
}

TEST(DispatchThreadsTest, SerialRpcsShareOne) {
  EXPECT_EQ(ThreadsOf("server_dispatch { mode: 'serial_queue' }", {"server/0", "server/2"}).threads,
            2);
}

TEST(DispatchThreadsTest, AreFreshForEachRpcInFlight) {
  const auto threads = [](int64_t parallel, const std::string& more) {
    const auto plan = Compile(R"(
      name: "fresh" default_protocol: "fake"
      services { name: "client" count: 2 } services { name: "server" count: 3 }
      rpc_descriptions { name: "query" client: "client" server: "server"
                         server_dispatch { mode: "fresh_thread" } }
      action_lists { name: "client" action_names: "run" } action_lists { name: "query" }
      actions { name: "run" rpc_name: "query" iterations { max_duration_us: 1000000
                max_parallel_iterations: )" +
                              std::to_string(parallel) + " } }" + more);
    return DispatchThreadsOf(*plan, {plan->instance_by_name.at("server/0")});
  };
  EXPECT_EQ(threads(10, "").threads, 2 * 10);
  EXPECT_EQ(threads(10, "").mostly,
            "most of them a fresh_thread for each RPC 'query' in flight: 20 at each of 1 instances "
            "of server");
  EXPECT_EQ(threads(1'000'000, "overload_limits { max_threads: 300 }").threads, 300);
}

TEST(ResourceBudgetTest, ReservationsAddUpAndAreGivenBack) {
  ResourceBudget budget({.descriptors = 10});
  auto first = budget.Reserve({.descriptors = 6});
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(budget.Reserve({.descriptors = 6}).ok());
  auto second = budget.Reserve({.descriptors = 4});
  EXPECT_TRUE(second.ok());
  first->reset();
  EXPECT_TRUE(budget.Reserve({.descriptors = 6}).ok());
}

TEST(ResourceBudgetTest, TellsTheThreadsOfAllReservations) {
  ResourceBudget budget({});
  auto first = budget.Reserve({.descriptors = 1, .threads = 30});
  auto second = budget.Reserve({.descriptors = 1, .threads = 12});
  EXPECT_EQ(budget.reserved_threads(), 42);
  first->reset();
  EXPECT_EQ(budget.reserved_threads(), 12);
}

TEST(ResourceBudgetTest, IsUnusedAgainWhenTheLastReservationIsGone) {
  ResourceBudget budget({.descriptors = 10});
  EXPECT_TRUE(budget.is_unused());
  auto first = budget.Reserve({.descriptors = 6});
  auto second = budget.Reserve({.descriptors = 4});
  first->reset();
  EXPECT_FALSE(budget.is_unused());
  second->reset();
  EXPECT_TRUE(budget.is_unused());
}

TEST(ResourceBudgetTest, ReadsTheLimitsOfThisProcess) {
  const ResourceLimits limits = ReadResourceLimits({20000, 20099});
  EXPECT_GT(limits.descriptors, 0);
  EXPECT_EQ(limits.ports, 100);
  EXPECT_GT(limits.memory_bytes, 1 << 20);
  EXPECT_GE(ThreadsInProcess(), 1);
}

}  // namespace
}  // namespace distbench
