#include "benchmarks/load_result.h"

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(LoadResultTest, GoesThroughALine) {
  const auto result = ParseLoadResult(ToLine({.rpcs = 10,
                                              .start_wall_ns = 1'700'000'000'000'000'000,
                                              .end_wall_ns = 1'700'000'002'000'000'000,
                                              .median_ns = 12'345}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->rpcs, 10);
  EXPECT_EQ(result->per_second(), 5);
  EXPECT_EQ(result->median_ns, 12'345);
}

TEST(LoadResultTest, OtherLinesAndEmptyResultsAreErrors) {
  EXPECT_FALSE(ParseLoadResult("ready").ok());
  EXPECT_FALSE(ParseLoadResult("result 1 2").ok());
  EXPECT_FALSE(ParseLoadResult(ToLine({})).ok());
}

TEST(LoadResultTest, AFailureSpoilsTheResult) {
  const auto result =
      ParseLoadResult(ToLine({.rpcs = 10, .start_wall_ns = 1, .end_wall_ns = 2, .failures = 3}));
  EXPECT_EQ(result.status(), absl::InternalError("3 RPCs failed"));
}

}  // namespace
}  // namespace distbench
