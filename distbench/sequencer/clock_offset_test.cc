#include "distbench/sequencer/clock_offset.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace distbench {
namespace {

constexpr int64_t kNowNs = 1'700'000'000'000'000'000;

// What a prober sees of a node whose clock is ahead by `offset_ns`.
ProbeTimes Probe(int64_t offset_ns, int64_t there_ns, int64_t node_ns, int64_t back_ns) {
  return {.sent_ns = kNowNs,
          .node_received_ns = kNowNs + there_ns + offset_ns,
          .node_sent_ns = kNowNs + there_ns + node_ns + offset_ns,
          .received_ns = kNowNs + there_ns + node_ns + back_ns};
}

TEST(ClockOffsetTest, EqualWaysGiveTheExactOffset) {
  for (int64_t offset_ns : {0L, 5'000'000'000L, -5'000'000'001L}) {
    const auto estimate = EstimateClockOffset({Probe(offset_ns, 40'000, 7'000, 40'000)});
    ASSERT_TRUE(estimate.has_value());
    EXPECT_EQ(estimate->offset_ns, offset_ns);
    EXPECT_EQ(estimate->bound_ns, 40'001);
  }
}

TEST(ClockOffsetTest, TheTrueOffsetIsAlwaysWithinTheBound) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const int64_t offset_ns = static_cast<int64_t>(random() % 20'000'000'000) - 10'000'000'000;
    std::vector<ProbeTimes> probes;
    for (int j = 0; j < 8; ++j) {
      probes.push_back(
          Probe(offset_ns, random() % 1'000'000, random() % 10'000'000, random() % 1'000'000));
    }
    const auto estimate = EstimateClockOffset(probes);
    ASSERT_TRUE(estimate.has_value());
    EXPECT_LE(std::abs(estimate->offset_ns - offset_ns), estimate->bound_ns);
  }
}

TEST(ClockOffsetTest, TheShortestRoundTripDecidesHoweverLongTheNodeTookToAnswer) {
  const auto estimate =
      EstimateClockOffset({Probe(0, 500'000, 0, 100'000), Probe(0, 10'000, 90'000'000, 10'000),
                           Probe(0, 100'000, 0, 500'000)});
  EXPECT_EQ(estimate->bound_ns, 10'001);
}

TEST(ClockOffsetTest, ProbesThatContradictThemselvesAreLeftOut) {
  ProbeTimes backwards = Probe(0, 10, 10, 10);
  std::swap(backwards.node_received_ns, backwards.node_sent_ns);
  ProbeTimes longer_than_the_whole = Probe(0, 10, 10, 10);
  longer_than_the_whole.node_sent_ns += 1'000;
  const ProbeTimes absurd = {.sent_ns = kNowNs,
                             .node_received_ns = std::numeric_limits<int64_t>::min(),
                             .node_sent_ns = std::numeric_limits<int64_t>::max(),
                             .received_ns = kNowNs};
  EXPECT_FALSE(EstimateClockOffset({backwards, longer_than_the_whole, absurd}).has_value());
  EXPECT_TRUE(EstimateClockOffset({backwards, Probe(0, 10, 10, 10), absurd}).has_value());
  EXPECT_FALSE(EstimateClockOffset({}).has_value());
}

}  // namespace
}  // namespace distbench
