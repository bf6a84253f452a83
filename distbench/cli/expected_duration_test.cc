#include "distbench/cli/expected_duration.h"

#include <string>

#include "absl/time/time.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

absl::Duration Expected(const std::string& text) {
  DistributedSystemDescription test;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &test)) << text;
  return ExpectedDuration(test);
}

TEST(ExpectedDurationTest, IsThatOfTheLongestAction) {
  EXPECT_EQ(Expected("actions { iterations { max_duration_us: 2000000 } }"
                     "actions { iterations { max_duration_us: 10000000 } }"
                     "actions { }"),
            absl::Seconds(10));
}

TEST(ExpectedDurationTest, CountsOpenLoopIterationsAtTheirRate) {
  EXPECT_EQ(Expected("actions { iterations { max_iteration_count: 625"
                     "  open_loop_interval_ns: 16000000 } }"),
            absl::Seconds(10));
}

TEST(ExpectedDurationTest, FirstLimitReachedEndsTheAction) {
  EXPECT_EQ(Expected("actions { iterations { max_iteration_count: 1000 max_duration_us: 5000000"
                     "  open_loop_interval_ns: 1000000 } }"),
            absl::Seconds(1));
}

TEST(ExpectedDurationTest, LongLimitsWinOverShortOnes) {
  EXPECT_EQ(
      Expected("actions { iterations { max_duration_us: 1 max_duration_us_64: 7200000000 } }"),
      absl::Hours(2));
}

TEST(ExpectedDurationTest, IsZeroWhereTheConfigDoesNotTell) {
  EXPECT_EQ(Expected("actions { iterations { max_iteration_count: 5 } }"), absl::ZeroDuration());
  EXPECT_EQ(Expected("actions { iterations { max_iteration_count: 5 open_loop_interval_ns: 1000"
                     "  rate_steps { rate_factor: 2 duration_us: 9 } } }"),
            absl::ZeroDuration());
  EXPECT_EQ(Expected(""), absl::ZeroDuration());
}

}  // namespace
}  // namespace distbench
