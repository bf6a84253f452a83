// Overload limits, and who hears that one was met.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "distbench/node/node_testbed.h"
#include "google/protobuf/text_format.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(NodeOverloadTest, AnOverloadedEngineStopsTheTraffic) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  DistributedSystemDescription config = EndlessTest();
  config.mutable_overload_limits()->set_max_pending_rpcs(3);
  config.mutable_actions(0)->mutable_iterations()->set_max_parallel_iterations(100);
  bed.Prepare(config);
  const auto run = bed.Run(0);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->status_code(), static_cast<int>(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(run->status_message(), HasSubstr("max_pending_rpcs"));
}

TEST(NodeOverloadTest, AnOverloadedEngineStopsTheOthersOfItsNode) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  DistributedSystemDescription config = EndlessTest();
  config.mutable_overload_limits()->set_max_pending_rpcs(5);  // "client" has four
  ASSERT_TRUE(google::protobuf::TextFormat::MergeFromString(R"(
    services { name: "greedy" count: 1 }
    rpc_descriptions { name: "flood" client: "greedy" server: "server" }
    action_lists { name: "greedy" action_names: "flood" }
    action_lists { name: "flood" }
    actions { name: "flood" rpc_name: "flood"
              iterations { max_iteration_count: 1000 max_parallel_iterations: 100 } })",
                                                            &config));
  const auto endpoints = bed.Configure(0, config, {"client/0", "server/0", "server/1", "greedy/0"});
  ASSERT_TRUE(endpoints.ok()) << endpoints.status();
  ASSERT_TRUE(bed.Introduce(0, *endpoints).ok());
  const auto run = bed.Run(0);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->status_code(), static_cast<int>(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(run->status_message(), HasSubstr("greedy/0"));
}

// The server's own traffic has ended, as it has none, and one-way messages bring nobody its answer.
// The first request that an instance serves holds up all others: nobody waits for its end, which
// the overload brings about.
TEST(NodeOverloadTest, AnOverloadThatNoCallerHearsOfIsInTheReport) {
  NodeTestbed bed(2);
  DistributedSystemDescription config = ShortTest();
  config.mutable_overload_limits()->set_max_pending_rpcs(5);
  ASSERT_TRUE(google::protobuf::TextFormat::MergeFromString(R"(
    activity_configs { name: "nap"
      activity_settings { name: "activity_func" string_value: "SleepFor" }
      activity_settings { name: "duration_us" int64_value: 100000000 } }
    actions { name: "nap" activity_config_name: "nap" })",
                                                            &config));
  RpcSpec& rpc = *config.mutable_rpc_descriptions(0);
  rpc.set_one_way(true);
  rpc.mutable_server_dispatch()->set_mode("serial_queue");
  for (ActionList& list : *config.mutable_action_lists()) {
    if (list.name() == rpc.name()) list.add_action_names("nap");
  }
  ServiceEndpointMap all = *bed.Configure(0, config, {"client/0"});
  all.MergeFrom(*bed.Configure(1, config, {"server/0", "server/1"}));
  for (const size_t node : {0, 1}) ASSERT_TRUE(bed.Introduce(node, all).ok());
  EXPECT_EQ(bed.Run(1)->status_code(), 0);
  EXPECT_EQ(bed.Run(0)->status_code(), 0);
  EXPECT_EQ(bed.Result(0, true)->report().overload(), "");
  EXPECT_THAT(bed.Result(1, true)->report().overload(),
              AllOf(HasSubstr("more than 5 requests wait at server/"),
                    HasSubstr("overload_limits.max_pending_rpcs")));
}

}  // namespace
}  // namespace distbench
