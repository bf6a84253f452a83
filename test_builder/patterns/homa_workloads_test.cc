#include "test_builder/patterns/homa_workloads.h"

#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// The fraction of messages of at most this size that the config draws.
double AtMost(const DistributionConfig& sizes, int64_t size_bytes) {
  for (int i = 1; i < sizes.cdf_points_size(); ++i) {
    const CdfPoint& below = sizes.cdf_points(i - 1);
    const CdfPoint& above = sizes.cdf_points(i);
    if (size_bytes > above.value()) continue;
    const double part = static_cast<double>(size_bytes - below.value()) /
                        static_cast<double>(above.value() - below.value());
    return below.cdf() + part * (double{above.cdf()} - double{below.cdf()});
  }
  return 1;
}

struct Published {
  std::string workload;
  int64_t size_bytes;
  double at_most;
};

TEST(HomaWorkloadTest, PublishedPointsBetweenThoseOfTheTableAreMet) {
  // Of util/dist.cc, none of them in our table.
  const std::vector<Published> published = {
      {"w1", 70, 0.5855},      {"w1", 435, 0.880984},     {"w1", 1175, 0.974704},
      {"w2", 36, 0.216494},    {"w2", 301, 0.597807},     {"w2", 465, 0.865745},
      {"w2", 109227, 0.99977}, {"w3", 110, 0.318856},     {"w3", 402, 0.706643},
      {"w3", 896, 0.852017},   {"w3", 92160, 0.995494},   {"w4", 313, 0.09475},
      {"w4", 549, 0.38102},    {"w4", 49007, 0.7974},     {"w4", 426666, 0.96094},
      {"w5", 41160, 0.364286}, {"w5", 64680, 0.4715},     {"w5", 568890, 0.647566},
      {"w5", 3503010, 0.8525}, {"w5", 19600980, 0.950004}};
  for (const Published& point : published) {
    const DistributionConfig sizes = CutAt(100'000'000, HomaWorkload(point.workload));
    EXPECT_NEAR(AtMost(sizes, point.size_bytes), point.at_most, 0.01)
        << point.workload << " " << point.size_bytes;
  }
}

TEST(HomaWorkloadTest, LargerMessagesHaveTheGreatestSize) {
  for (const char* workload : {"w1", "w2", "w3", "w4", "w5"}) {
    const DistributionConfig whole = CutAt(100'000'000, HomaWorkload(workload));
    for (const int64_t max_bytes : {2000, 50000, 77910, 77911, 1'000'000}) {
      const DistributionConfig cut = CutAt(max_bytes, HomaWorkload(workload));
      const CdfPoint& last = *cut.cdf_points().rbegin();
      EXPECT_EQ(last.cdf(), 1);
      EXPECT_LE(last.value(), max_bytes);
      const int64_t largest_drawn = whole.cdf_points().rbegin()->value();
      EXPECT_EQ(last.value(), std::min(max_bytes, largest_drawn)) << workload;
      const int64_t smaller = max_bytes / 2;
      EXPECT_NEAR(AtMost(cut, smaller), AtMost(whole, smaller), 1e-4) << workload << max_bytes;
      for (int i = 1; i < cut.cdf_points_size(); ++i) {
        EXPECT_GT(cut.cdf_points(i).value(), cut.cdf_points(i - 1).value());
      }
    }
  }
}

TEST(HomaWorkloadTest, AllMessagesMayBeCut) {
  const DistributionConfig one = CutAt(1000, HomaWorkload("w5"));
  EXPECT_EQ(one.cdf_points_size(), 1);
  EXPECT_EQ(MeanSizeBytes(one), 1000);
}

TEST(HomaWorkloadTest, TheMeanIsThatOfTheIntervals) {
  // Half of the messages have 1 to 3 bytes, a quarter 4 to 10, a quarter 11.
  const std::vector<SizePoint> points = {{1, 0}, {3, 0.5}, {10, 0.75}, {20, 1}};
  EXPECT_DOUBLE_EQ(MeanSizeBytes(CutAt(11, points)), 0.5 * 2 + 0.25 * 7 + 0.25 * 11);
  // What HomaSimulation says of w1 and w2, in their headers: 185.0 and 440.8 bytes.
  EXPECT_NEAR(MeanSizeBytes(CutAt(100'000'000, HomaWorkload("w1"))), 185, 10);
  EXPECT_NEAR(MeanSizeBytes(CutAt(100'000'000, HomaWorkload("w2"))), 440.8, 15);
}

TEST(HomaWorkloadTest, ThereAreFive) { EXPECT_TRUE(HomaWorkload("w6").empty()); }

}  // namespace
}  // namespace distbench
