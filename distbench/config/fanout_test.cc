#include "distbench/config/fanout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

TEST(ParseFanoutTest, SameNamesAnyAxes) {
  for (const std::string axes : {"x", "y", "z", "xy", "xz", "yz", "xyz"}) {
    const auto fanout = ParseFanout("same_" + axes);
    ASSERT_TRUE(fanout.ok()) << fanout.status();
    const std::array<bool, kAxes> expected = {axes.find('x') != std::string::npos,
                                              axes.find('y') != std::string::npos,
                                              axes.find('z') != std::string::npos};
    EXPECT_EQ(std::get<FanoutSame>(*fanout).is_same, expected) << axes;
  }
}

TEST(ParseFanoutTest, RingsAndLinesNameOneAxis) {
  const std::vector<std::pair<std::string, Axis>> axes = {
      {"x", Axis::kX}, {"y", Axis::kY}, {"z", Axis::kZ}};
  for (const auto& [name, axis] : axes) {
    const auto ring = ParseFanout("ring_" + name);
    ASSERT_TRUE(ring.ok()) << ring.status();
    EXPECT_EQ(std::get<FanoutRing>(*ring).axis, axis);
    EXPECT_FALSE(std::get<FanoutRing>(*ring).alternates);
    const auto alternating = ParseFanout("alternating_ring_" + name);
    ASSERT_TRUE(alternating.ok()) << alternating.status();
    EXPECT_EQ(std::get<FanoutRing>(*alternating).axis, axis);
    EXPECT_TRUE(std::get<FanoutRing>(*alternating).alternates);
    const auto linear = ParseFanout("linear_" + name + "{-12}");
    ASSERT_TRUE(linear.ok()) << linear.status();
    EXPECT_EQ(std::get<FanoutLinear>(*linear).axis, axis);
    EXPECT_EQ(std::get<FanoutLinear>(*linear).distance, -12);
  }
}

TEST(ParseFanoutTest, RefusesMalformedGridFilters) {
  for (const char* filter :
       {"same_", "same_w", "same_yx", "same_xx", "same_xyzx", "ring_", "ring_w", "ring_xy",
        "ring_x{1}", "alternating_ring_", "alternating_ring_xy", "linear_w{1}", "linear_xy{1}"}) {
    EXPECT_THAT(ParseFanout(filter).status().message(), HasSubstr("there is no fanout filter"))
        << filter;
  }
  for (const char* filter : {"linear_x", "linear_x{", "linear_x{}", "linear_x{1", "linear_x{1.5}",
                             "linear_x{99999999999999999999}", "linear_x{1}x"}) {
    EXPECT_THAT(ParseFanout(filter).status().message(), HasSubstr("does not say how far"))
        << filter;
  }
}

}  // namespace
}  // namespace distbench
