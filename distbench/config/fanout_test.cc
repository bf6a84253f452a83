#include "distbench/config/fanout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace distbench {
namespace {

using ::testing::HasSubstr;

template <typename Fanout>
bool ParsesAs(const std::string& filter) {
  const auto fanout = ParseFanout(filter);
  return fanout.ok() && std::holds_alternative<Fanout>(*fanout);
}

TEST(ParseFanoutTest, KnowsItsFilters) {
  EXPECT_TRUE(ParsesAs<FanoutAll>(""));
  EXPECT_TRUE(ParsesAs<FanoutAll>("all"));
  EXPECT_TRUE(ParsesAs<FanoutRandom>("random"));
  EXPECT_TRUE(ParsesAs<FanoutRandom>("random_single"));
  EXPECT_TRUE(ParsesAs<FanoutRoundRobin>("round_robin"));
}

TEST(ParseFanoutTest, StochasticChoicesAccumulateToExactlyOne) {
  const auto fanout = ParseFanout("stochastic{0.2:1, 0.3:4,0.4999999:0}");
  ASSERT_TRUE(fanout.ok()) << fanout.status();
  const auto& choices = std::get<FanoutStochastic>(*fanout).choices;
  ASSERT_EQ(choices.size(), 3u);
  EXPECT_NEAR(choices[0].cumulative_probability, 0.2, 1e-6);
  EXPECT_NEAR(choices[1].cumulative_probability, 0.5, 1e-6);
  EXPECT_EQ(choices[2].cumulative_probability, 1);
  EXPECT_EQ(choices[0].targets, 1u);
  EXPECT_EQ(choices[1].targets, 4u);
  EXPECT_EQ(choices[2].targets, 0u);
}

TEST(ParseFanoutTest, RefusesProbabilitiesThatDoNotAddToOne) {
  for (const char* filter :
       {"stochastic{0.5:1}", "stochastic{0.5:1,0.6:2}", "stochastic{0.99999:1}"}) {
    EXPECT_THAT(ParseFanout(filter).status().message(), HasSubstr("must add to 1")) << filter;
  }
}

TEST(ParseFanoutTest, RefusesMalformedChoices) {
  for (const char* filter :
       {"stochastic{}", "stochastic{1}", "stochastic{1:}", "stochastic{:1}", "stochastic{1:x}",
        "stochastic{1:-1}", "stochastic{nan:1}", "stochastic{-1:1,2:1}", "stochastic{2:1}",
        "stochastic{1:1,}", "stochastic{1:99999999999}", "stochastic{1:1", "stochastic{1:1}x"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseFanout(filter).status())) << filter;
  }
}

TEST(ParseFanoutTest, NamesTheNearestFilter) {
  EXPECT_THAT(ParseFanout("randon").status().message(),
              HasSubstr("no fanout filter 'randon' (did you mean 'random'?)"));
  EXPECT_THAT(ParseFanout("stochastik{1:1}").status().message(),
              HasSubstr("did you mean 'stochastic'?"));
  EXPECT_THAT(ParseFanout("stochastic").status().message(), HasSubstr("no fanout filter"));
}

TEST(ParseFanoutTest, GridFiltersAreNotSupportedYet) {
  for (const char* filter : {"same_x", "same_xyz", "ring_y", "alternating_ring_z", "linear_x{2}"}) {
    EXPECT_TRUE(absl::IsUnimplemented(ParseFanout(filter).status())) << filter;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(ParseFanout("ring_w").status()));
}

}  // namespace
}  // namespace distbench
