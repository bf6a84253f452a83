// When the traffic was, as a node tells it in its result.
#include <cstdint>

#include "distbench/node/node_testbed.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

int64_t SuccessesOf(const TimeSeries& series) {
  int64_t successes = 0;
  for (const TimeSeriesRow& row : series.rows()) {
    for (const RpcCounts& counts : row.rpcs()) successes += counts.measured_successes();
  }
  return successes;
}

TEST(NodeTimeSeriesTest, TellsWhenTheRpcsOfAllItsInstancesEnded) {
  NodeTestbed bed(1);
  bed.Prepare(ShortTest());
  ASSERT_TRUE(bed.Run(0).ok());
  const auto result = bed.Result(0, /*clear=*/true);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(SuccessesOf(result->time_series()), 20);
  EXPECT_GE(result->time_series().rows(0).index(), 0) << "nothing ended before the start";
}

TEST(NodeTimeSeriesTest, ANodeWithoutTrafficTellsNone) {
  NodeTestbed bed(1);
  bed.Prepare(ShortTest());
  const auto result = bed.Result(0, /*clear=*/true);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->has_time_series());
}

}  // namespace
}  // namespace distbench
