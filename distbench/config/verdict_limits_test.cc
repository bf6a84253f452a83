// Limits of the verdict: their defaults, and the exact lines for those that are wrong.
#include <gtest/gtest.h>

#include <string>

#include "distbench/config/compile_text.h"
#include "distbench/config/plan.h"

namespace distbench {
namespace {

VerdictThresholds Compile(const std::string& more) {
  const CompiledText compiled = CompileText(ClientServerWith(more));
  EXPECT_NE(compiled.plan, nullptr) << more;
  return compiled.plan == nullptr ? VerdictThresholds() : compiled.plan->verdict_thresholds;
}

TEST(VerdictLimitsTest, DefaultsAreThoseOfThePlan) {
  EXPECT_EQ(Compile(""), VerdictThresholds());
  EXPECT_EQ(Compile("verdict_limits { }"), VerdictThresholds());
}

TEST(VerdictLimitsTest, EachLimitIsSetAlone) {
  const auto expect = [](const std::string& field, const VerdictThresholds& expected) {
    EXPECT_EQ(Compile("verdict_limits { " + field + " }"), expected) << field;
  };
  expect("max_missed_load: 0.5", {.max_missed_load = 0.5});
  expect("max_lateness: 1000", {.max_lateness = 1000});
  expect("max_cpu_use: 0", {.max_cpu_use = 0});
  expect("max_start_skew_us: 7", {.max_start_skew_ns = 7'000});
  expect("max_clock_error: 2", {.max_clock_error = 2});
  expect("noted_lateness: 0.25", {.noted_lateness = 0.25});
  expect("max_wakeup_lateness_us: 0", {.max_wakeup_lateness_ns = 0});
  expect("min_rpcs_beyond_percentile: 1", {.min_rpcs_beyond_percentile = 1});
}

TEST(VerdictLimitsTest, ValuesOutOfRangeAreRefused) {
  ExpectLines({
      {"",
       "verdict_limits { max_missed_load: -0.01 }",
       {"error verdict_limits.max_missed_load: -0.01 is out of range; set 0 to 1000, such as 0.01 "
        "for 1 %"}},
      {"",
       "verdict_limits { max_lateness: 1001 }",
       {"error verdict_limits.max_lateness: 1001 is out of range; set 0 to 1000, such as 0.01 for "
        "1 %"}},
      {"",
       "verdict_limits { max_cpu_use: nan max_clock_error: inf noted_lateness: -1 }",
       {"error verdict_limits.max_cpu_use: nan is out of range; set 0 to 1000, such as 0.01 for "
        "1 %",
        "error verdict_limits.max_clock_error: inf is out of range; set 0 to 1000, such as 0.01 "
        "for 1 %",
        "error verdict_limits.noted_lateness: -1 is out of range; set 0 to 1000, such as 0.01 for "
        "1 %"}},
      {"",
       "verdict_limits { max_start_skew_us: -1 max_wakeup_lateness_us: 1000000000000001 }",
       {"error verdict_limits.max_start_skew_us: -1 is out of range; set 0 to 1000000000000000",
        "error verdict_limits.max_wakeup_lateness_us: 1000000000000001 is out of range; set 0 to "
        "1000000000000000"}},
      {"",
       "verdict_limits { min_rpcs_beyond_percentile: -1 }",
       {"error verdict_limits.min_rpcs_beyond_percentile: -1 is out of range; set 0 to "
        "1000000000"}},
  });
}

}  // namespace
}  // namespace distbench
