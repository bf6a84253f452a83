// What a test's limit of threads does while its traffic runs.
#include <string>
#include <vector>

#include "distbench/node/node_testbed.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kMaxThreads = 5000;

DistributedSystemDescription LimitedTest() {
  DistributedSystemDescription config = EndlessTest();
  config.mutable_overload_limits()->set_max_threads(kMaxThreads);
  return config;
}

TEST(ThreadLimitTest, TooManyThreadsEndTheTrafficAndWhatWasMeasuredIsKept) {
  NodeTestbed bed(1);
  bed.Prepare(LimitedTest());
  Awaited<RunTrafficResponse> run;
  bed.node(0).RunTraffic({}, run.done());
  bed.AddThreads(kMaxThreads);
  const auto& outcome = run.Get();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->status_code(), static_cast<int>(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(outcome->status_message(),
              AllOf(HasSubstr("client/0"), HasSubstr("threads"),
                    HasSubstr("above overload_limits.max_threads: 5000")));
  const auto result = bed.Result(0, /*clear=*/true);
  ASSERT_TRUE(result.ok()) << result.status();
  const auto& log = result->service_logs().instance_logs().at("client/0");
  EXPECT_GT(log.rpc_statistics().at(0).measured_success().count(), 0);
}

// The client's node has no limit of its own here.
TEST(ThreadLimitTest, ANodeThatOnlyServesEndsTheTrafficOfItsCallers) {
  NodeTestbed bed(2);
  DistributedSystemDescription unlimited = LimitedTest();
  unlimited.mutable_overload_limits()->set_max_threads(1000 * kMaxThreads);
  auto endpoints = bed.Configure(0, unlimited, {"client/0"});
  const auto servers = bed.Configure(1, LimitedTest(), {"server/0", "server/1"});
  ASSERT_TRUE(endpoints.ok() && servers.ok());
  endpoints->MergeFrom(*servers);
  ASSERT_TRUE(bed.Introduce(1, *endpoints).ok());
  ASSERT_TRUE(bed.Introduce(0, *endpoints).ok());
  ASSERT_TRUE(bed.Run(1).ok()) << "it has no main lists";
  Awaited<RunTrafficResponse> run;
  bed.node(0).RunTraffic({}, run.done());
  bed.AddThreads(kMaxThreads);
  const auto& outcome = run.Get();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->status_code(), static_cast<int>(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(outcome->status_message(), AllOf(HasSubstr("server/0 and 1 more"),
                                               HasSubstr("overload_limits.max_threads: 5000")));
}

// 3 instances here, 2 of them servers.
TEST(ThreadLimitTest, ATestWhoseDispatchNeedsMoreThreadsIsRefused) {
  NodeTestbed bed(1);
  DistributedSystemDescription config = LimitedTest();
  ServerDispatch& dispatch = *config.mutable_rpc_descriptions(0)->mutable_server_dispatch();
  dispatch.set_mode("thread_pool");
  dispatch.set_threads(1000);
  const std::vector<std::string> all = {"client/0", "server/0", "server/1"};
  EXPECT_TRUE(bed.Configure(0, config, all).ok());
  config.mutable_overload_limits()->set_max_threads(2000);
  const auto refused = bed.Configure(0, config, all, "another run");
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status())) << refused.status();
  EXPECT_THAT(std::string(refused.status().message()),
              AllOf(HasSubstr("2000 for server_dispatch (most of them the thread_pool of RPC "),
                    HasSubstr("1000 at each of 2 instances of server"),
                    HasSubstr("overload_limits.max_threads is 2000; raise it")));
  dispatch.set_threads(900);
  EXPECT_TRUE(bed.Configure(0, config, all, "a third run").ok());
}

// Both nodes are of one process.
TEST(ThreadLimitTest, TheThreadsOfAllNodesOfAProcessAddUp) {
  NodeTestbed bed(2);
  DistributedSystemDescription config = LimitedTest();
  config.mutable_overload_limits()->set_max_threads(1500);
  ServerDispatch& dispatch = *config.mutable_rpc_descriptions(0)->mutable_server_dispatch();
  dispatch.set_mode("thread_pool");
  dispatch.set_threads(1000);
  EXPECT_TRUE(bed.Configure(0, config, {"client/0", "server/0"}).ok());
  const auto refused = bed.Configure(1, config, {"server/1"});
  EXPECT_TRUE(absl::IsResourceExhausted(refused.status())) << refused.status();
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("2000 for server_dispatch"));
}

}  // namespace
}  // namespace distbench
