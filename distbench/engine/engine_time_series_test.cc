// When RPCs ended, on simulated time.
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/results/time_series.h"
#include "distbench/results/time_series_proto.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// "index:successes/warmup/failures" of each row.
std::string RowsOf(EngineCluster& cluster, const std::string& instance) {
  cluster.Log(instance);
  TimeSeriesRows rows;
  cluster.engine(instance).AddTimeSeries(&rows);
  TimeSeries series;
  WriteTimeSeries(std::move(rows), series);
  std::string text;
  for (const TimeSeriesRow& row : series.rows()) {
    EXPECT_EQ(row.rpcs_size(), 1);
    const RpcCounts& counts = row.rpcs(0);
    absl::StrAppend(&text, row.index(), ":", counts.measured_successes(), "/",
                    counts.warmup_successes(), "/", counts.failures(), " ");
  }
  return text;
}

TEST(EngineTimeSeriesTest, RowsCountFromTheStartOfTheTraffic) {
  EngineCluster cluster(
      ClientServer("iterations { open_loop_interval_ns: 100000000 max_iteration_count: 30 "
                   "warmup_iterations: 5 }"));
  cluster.network().SetTransit(Delayed(250 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  // Ends are at 0.25 s, 0.35 s, ..., 3.15 s.
  EXPECT_EQ(RowsOf(cluster, "client/0"), "0:3/5/0 1:10/0/0 2:10/0/0 3:2/0/0 ");
  EXPECT_EQ(RowsOf(cluster, "server/0"), "") << "it sends nothing";
}

}  // namespace
}  // namespace distbench
