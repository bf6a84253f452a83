// A replay trace on a node, from configuration to a result in pieces.
#include <string>

#include "distbench/node/node_testbed.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::SizeIs;

DistributedSystemDescription ReplayTest() {
  DistributedSystemDescription config = ShortTest();
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(R"(
      actions { name: "replay" rpc_replay_trace_name: "trace"
                iterations { max_iteration_count: 2 } }
      rpc_replay_traces { name: "trace" client: "client" server: "server"
        records { server_instance: 1 request_size: 100 response_size: 200 }
        records { server_instance: 0 timing_mode: RELATIVE_TO_PRIOR_RPC_END
                  server_processing_time_ns: 1000000 } })",
                                                            &config));
  for (ActionList& list : *config.mutable_action_lists()) {
    if (list.name() == "client") list.add_action_names("replay");
  }
  return config;
}

TEST(ReplayTrafficTest, RunsAreInTheResultWithTheirSamplesAndStatistics) {
  NodeTestbed bed(1);
  bed.Prepare(ReplayTest());
  ASSERT_TRUE(bed.Run(0).ok());
  const absl::StatusOr<ServiceLogs> logs = bed.LogsInPieces(0);
  ASSERT_TRUE(logs.ok()) << logs.status();
  const ServicePerformanceLog& log = logs->instance_logs().at("client/0");
  ASSERT_EQ(log.replay_trace_logs_size(), 2);
  for (const RpcReplayTraceLog& run : log.replay_trace_logs()) {
    ASSERT_THAT(run.rpc_samples(), SizeIs(2));
    const RpcSample& first = run.rpc_samples().at(0);
    const RpcSample& second = run.rpc_samples().at(1);
    EXPECT_EQ(first.request_size(), 100);
    EXPECT_EQ(first.response_size(), 200);
    EXPECT_GE(second.start_timestamp_ns(), first.start_timestamp_ns() + first.latency_ns());
    EXPECT_GE(second.latency_ns(), 1'000'000);
  }
  ASSERT_EQ(log.replays_size(), 1);
  EXPECT_EQ(log.replays(0).runs(), 2);
  EXPECT_EQ(log.replays(0).statistics().measured_success().count(), 4);
  EXPECT_THAT(log.replays(0).peers(), SizeIs(2));
}

}  // namespace
}  // namespace distbench
