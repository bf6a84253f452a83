#include "distbench/results/merge.h"

#include <string>

#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

constexpr InstanceIndex kClient(0);
constexpr InstanceIndex kServer(1);

// A node of this program that hosts `instance`.
GetTrafficResultResponse OwnNode(const std::string& alias, const std::string& instance) {
  Recorder recorder({.plan = MadeUpPlan({}), .self = kClient});
  recorder.RecordSuccess({.rpc = RpcIndex(0), .server = kServer, .start_ns = 10, .end_ns = 30});
  recorder.RecordFailure({.rpc = RpcIndex(0), .server = kServer, .start_ns = 40, .end_ns = 50},
                         "reset");
  GetTrafficResultResponse node;
  (*node.mutable_service_logs()->mutable_instance_logs())[instance] =
      BuildServiceLog({&recorder}, WallAnchor());
  (*node.mutable_node_usages())[alias].mutable_rusage_start()->set_swaps(1);
  node.mutable_report()->set_node_alias(alias);
  return node;
}

// A node of a program that knows samples only: no extension is set.
GetTrafficResultResponse ForeignNode(const std::string& alias, const std::string& instance) {
  GetTrafficResultResponse node = OwnNode(alias, instance);
  node.clear_report();
  for (auto& [name, log] : *node.mutable_service_logs()->mutable_instance_logs()) {
    log.clear_rpc_statistics();
    for (auto& [peer, peer_log] : *log.mutable_peer_logs()) {
      for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) rpc_log.clear_statistics();
    }
  }
  return node;
}

ServicePerformanceLog& LogOf(const std::string& instance, GetTrafficResultResponse& node) {
  return node.mutable_service_logs()->mutable_instance_logs()->at(instance);
}

RpcPerformanceLog& RpcLogOf(const std::string& instance, GetTrafficResultResponse& node) {
  return LogOf(instance, node).mutable_peer_logs()->at("server/0").mutable_rpc_logs()->at(0);
}

TEST(MergeNodeResultTest, LogsUsageAndReportArrive) {
  TestResult result;
  ASSERT_TRUE(MergeNodeResult(OwnNode("node0", "client/0"), result).ok());
  ASSERT_TRUE(MergeNodeResult(OwnNode("node1", "client/1"), result).ok());
  EXPECT_EQ(result.service_logs().instance_logs_size(), 2);
  EXPECT_EQ(result.resource_usage_logs().node_usages().at("node1").rusage_start().swaps(), 1);
  EXPECT_EQ(result.report().nodes_size(), 2);
}

TEST(MergeNodeResultTest, SamplesAreMovedNotCopied) {
  GetTrafficResultResponse node = OwnNode("node0", "client/0");
  const RpcSample* sample = &RpcLogOf("client/0", node).successful_rpc_samples(0);
  TestResult result;
  ASSERT_TRUE(MergeNodeResult(std::move(node), result).ok());
  EXPECT_EQ(&result.service_logs()
                 .instance_logs()
                 .at("client/0")
                 .peer_logs()
                 .at("server/0")
                 .rpc_logs()
                 .at(0)
                 .successful_rpc_samples(0),
            sample);
}

TEST(MergeNodeResultTest, AForeignNodeGetsTheStatisticsOfItsSamples) {
  TestResult own;
  TestResult foreign;
  ASSERT_TRUE(MergeNodeResult(OwnNode("node0", "client/0"), own).ok());
  ASSERT_TRUE(MergeNodeResult(ForeignNode("node0", "client/0"), foreign).ok());
  const auto& own_log = own.service_logs().instance_logs().at("client/0");
  const auto& foreign_log = foreign.service_logs().instance_logs().at("client/0");
  EXPECT_EQ(foreign_log.rpc_statistics().at(0).DebugString(),
            own_log.rpc_statistics().at(0).DebugString());
  EXPECT_EQ(foreign_log.peer_logs().at("server/0").DebugString(),
            own_log.peer_logs().at("server/0").DebugString());
}

TEST(MergeNodeResultTest, ReportsAreInTheOrderOfTheirNodes) {
  TestResult result;
  for (const std::string number : {"10", "2", "9", "1"}) {
    ASSERT_TRUE(MergeNodeResult(OwnNode("node" + number, "client/" + number), result).ok());
  }
  std::string order;
  for (const NodeReport& report : result.report().nodes()) order += report.node_alias() + " ";
  EXPECT_EQ(order, "node1 node2 node9 node10 ");
}

void ExpectRefused(GetTrafficResultResponse node, absl::StatusCode code,
                   const std::string& expected) {
  TestResult result;
  ASSERT_TRUE(MergeNodeResult(OwnNode("node0", "client/0"), result).ok());
  const std::string before = result.DebugString();
  const absl::Status status = MergeNodeResult(std::move(node), result);
  EXPECT_EQ(status.code(), code);
  EXPECT_THAT(std::string(status.message()), HasSubstr(expected));
  EXPECT_EQ(result.DebugString(), before);
}

TEST(MergeNodeResultTest, AnInstanceOfAnotherNodeIsRefused) {
  ExpectRefused(OwnNode("node1", "client/0"), absl::StatusCode::kAlreadyExists,
                "service_logs.instance_logs[client/0]");
}

TEST(MergeNodeResultTest, ANodeThatReportsTwiceIsRefused) {
  ExpectRefused(OwnNode("node0", "client/1"), absl::StatusCode::kAlreadyExists,
                "node_usages[node0]");
}

TEST(MergeNodeResultTest, UnsoundStatisticsAreRefused) {
  GetTrafficResultResponse bad_counter = OwnNode("node1", "client/1");
  RpcLogOf("client/1", bad_counter).mutable_statistics()->set_cancelled(-1);
  ExpectRefused(bad_counter, absl::StatusCode::kInvalidArgument,
                "service_logs.instance_logs[client/1]: peer_logs[server/0].rpc_logs[0]: "
                "statistics: cancelled is -1");

  GetTrafficResultResponse bad_histogram = OwnNode("node1", "client/1");
  LogOf("client/1", bad_histogram)
      .mutable_rpc_statistics()
      ->at(0)
      .mutable_measured_success()
      ->mutable_service_time_ns()
      ->set_count(2);
  ExpectRefused(bad_histogram, absl::StatusCode::kInvalidArgument,
                "rpc_statistics[0]: measured_success.service_time_ns.");

  GetTrafficResultResponse bad_peer_histogram = OwnNode("node1", "client/1");
  RpcLogOf("client/1", bad_peer_histogram)
      .mutable_statistics()
      ->mutable_measured_success()
      ->mutable_service_time_ns()
      ->set_bucket_counts(0, 5);
  ExpectRefused(bad_peer_histogram, absl::StatusCode::kInvalidArgument,
                "peer_logs[server/0].rpc_logs[0]: statistics: "
                "measured_success.service_time_ns.bucket_counts[0] is 5");
}

// A histogram of `count` ones.
void FillOnes(int64_t count, Histogram& histogram) {
  histogram.set_sub_bucket_bits(9);
  histogram.set_count(count);
  histogram.set_min(1);
  histogram.set_max(1);
  histogram.set_sum_low(static_cast<uint64_t>(count));
  histogram.add_bucket_index_deltas(1);
  histogram.add_bucket_counts(static_cast<uint64_t>(count));
}

TEST(MergeNodeResultTest, UnsoundTimesOfServersAndIterationsAreRefused) {
  GetTrafficResultResponse sound = OwnNode("node1", "client/1");
  ServedRpcStatistics& served = (*LogOf("client/1", sound).mutable_served_rpcs())[0];
  FillOnes(3, *served.mutable_queue_time_ns());
  FillOnes(3, *served.mutable_handler_time_ns());
  IterationStatistics& iterations = *LogOf("client/1", sound).add_iterations();
  FillOnes(3, *iterations.mutable_service_time_ns());
  FillOnes(2, *iterations.mutable_response_time_ns());
  TestResult result;
  ASSERT_TRUE(MergeNodeResult(GetTrafficResultResponse(sound), result).ok());

  GetTrafficResultResponse other_count = sound;
  LogOf("client/1", other_count).mutable_served_rpcs()->at(0).clear_handler_time_ns();
  ExpectRefused(other_count, absl::StatusCode::kInvalidArgument,
                "service_logs.instance_logs[client/1]: served_rpcs[0]: queue_time_ns.count is 3; "
                "it must be 0, as handler_time_ns.count is");

  GetTrafficResultResponse bad_bucket = sound;
  LogOf("client/1", bad_bucket)
      .mutable_served_rpcs()
      ->at(0)
      .mutable_handler_time_ns()
      ->set_bucket_counts(0, 4);
  ExpectRefused(bad_bucket, absl::StatusCode::kInvalidArgument,
                "served_rpcs[0]: handler_time_ns.bucket_counts[0] is 4");

  GetTrafficResultResponse bad_iterations = sound;
  LogOf("client/1", bad_iterations).mutable_iterations(0)->mutable_service_time_ns()->set_max(0);
  ExpectRefused(bad_iterations, absl::StatusCode::kInvalidArgument,
                "iterations[0]: service_time_ns.min is 1 and max is 0");

  GetTrafficResultResponse more_responses = sound;
  LogOf("client/1", more_responses).mutable_iterations(0)->clear_service_time_ns();
  ExpectRefused(more_responses, absl::StatusCode::kInvalidArgument,
                "iterations[0]: response_time_ns.count is 2; it must be 0 to 0, the iterations");
}

TEST(MergeNodeResultTest, HalfOfTheStatisticsIsRefused) {
  GetTrafficResultResponse no_histograms = OwnNode("node1", "client/1");
  LogOf("client/1", no_histograms).clear_rpc_statistics();
  ExpectRefused(no_histograms, absl::StatusCode::kInvalidArgument, "both or neither");

  GetTrafficResultResponse no_counters = OwnNode("node1", "client/1");
  RpcLogOf("client/1", no_counters).clear_statistics();
  ExpectRefused(no_counters, absl::StatusCode::kInvalidArgument, "both or neither");
}

TEST(CompleteStatisticsTest, ACompleteLogStaysAsItIs) {
  GetTrafficResultResponse node = ForeignNode("node0", "client/0");
  ServicePerformanceLog& log = LogOf("client/0", node);
  ASSERT_TRUE(CompleteStatistics(log).ok());
  const std::string complete = log.DebugString();
  ASSERT_TRUE(CompleteStatistics(log).ok());
  EXPECT_EQ(log.DebugString(), complete);
}

}  // namespace
}  // namespace distbench
