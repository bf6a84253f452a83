#include "benchmarks/findings.h"

#include <cmath>

#include "benchmarks/paired_run.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

Benchmark WithFigure(Comparison comparison, std::optional<Requirement> required,
                     std::optional<Requirement> smoke = std::nullopt) {
  return {.name = "b",
          .figures = {{.name = "rate",
                       .unit = "RPC/s",
                       .comparison = comparison,
                       .required = required,
                       .smoke = smoke}}};
}

FigureFinding Only(const Benchmark& benchmark, std::vector<double> floor, std::vector<double> ours,
                   Bounds bounds = Bounds::kRequired) {
  Measurements measurements;
  measurements.floor = {std::move(floor)};
  measurements.ours = {std::move(ours)};
  return Evaluate(benchmark, measurements, bounds).at(0);
}

TEST(EvaluateTest, ARatioIsTakenWithinEachPair) {
  // The machine becomes ten times slower for the last pair: no ratio changes.
  const FigureFinding finding =
      Only(WithFigure(Comparison::kRatio, AtLeast(0.5)), {100, 200, 10}, {50, 100, 5});
  EXPECT_EQ(finding.compared.median, 0.5);
  EXPECT_EQ(finding.compared.lower, 0.5);
  EXPECT_EQ(finding.compared.upper, 0.5);
  EXPECT_EQ(finding.floor_median, 100);
  EXPECT_EQ(finding.ours_median, 50);
  EXPECT_TRUE(finding.passed);
}

TEST(EvaluateTest, AMissedMedianFails) {
  EXPECT_FALSE(Only(WithFigure(Comparison::kRatio, AtLeast(0.95)), {1}, {0.94}).passed);
  EXPECT_TRUE(Only(WithFigure(Comparison::kRatio, AtLeast(0.95)), {1}, {0.96}).passed);
  EXPECT_FALSE(Only(WithFigure(Comparison::kRatio, AtMost(1.05)), {1}, {1.06}).passed);
  EXPECT_TRUE(Only(WithFigure(Comparison::kRatio, AtMost(1.05)), {1}, {1.04}).passed);
}

TEST(EvaluateTest, TheEndOfTheIntervalThatIsNearerToFailureCounts) {
  const std::vector<double> ones = {1, 1, 1};
  EXPECT_FALSE(
      Only(WithFigure(Comparison::kRatio, AtLeast(0.95, 0.93)), ones, {0.92, 1, 1}).passed);
  EXPECT_TRUE(Only(WithFigure(Comparison::kRatio, AtLeast(0.95, 0.93)), ones, {0.94, 1, 9}).passed);
  EXPECT_FALSE(Only(WithFigure(Comparison::kRatio, AtMost(1.05, 1.1)), ones, {1, 1, 1.2}).passed);
}

TEST(EvaluateTest, ADifferenceIsOursLessTheFloor) {
  const FigureFinding finding = Only(WithFigure(Comparison::kDifference, AtMost(20)), {60}, {75});
  EXPECT_EQ(finding.compared.median, 15);
  EXPECT_TRUE(finding.passed);
}

TEST(EvaluateTest, AValueHasNoFloor) {
  const FigureFinding finding = Only(WithFigure(Comparison::kValue, AtMost(300)), {1}, {301});
  EXPECT_FALSE(finding.floor_median.has_value());
  EXPECT_FALSE(finding.passed);
}

TEST(EvaluateTest, WhatIsNoNumberFails) {
  EXPECT_FALSE(Only(WithFigure(Comparison::kRatio, AtLeast(0.5)), {0}, {0}).passed);
  EXPECT_FALSE(Only(WithFigure(Comparison::kRatio, AtMost(0.5)), {0}, {0}).passed);
}

TEST(EvaluateTest, ASmokeRunHasBoundsOfItsOwn) {
  const Benchmark benchmark = WithFigure(Comparison::kRatio, AtLeast(0.95), AtLeast(0.5));
  EXPECT_FALSE(Only(benchmark, {1}, {0.6}, Bounds::kRequired).passed);
  EXPECT_TRUE(Only(benchmark, {1}, {0.6}, Bounds::kSmoke).passed);
  EXPECT_FALSE(Only(benchmark, {1}, {0.4}, Bounds::kSmoke).passed);
}

TEST(RequirementTest, ReadsAsInTheDocumentation) {
  EXPECT_EQ(ToText(AtLeast(0.95, 0.93)), ">= 0.95, interval >= 0.93");
  EXPECT_EQ(ToText(AtMost(300)), "<= 300");
}

TEST(RunPairsTest, SidesAlternateAndEveryValueFindsItsFigure) {
  std::string order;
  const auto measurements = RunPairs(
      2,
      [&]() -> absl::StatusOr<SideValues> {
        order += 'f';
        return SideValues{1, 10};
      },
      [&]() -> absl::StatusOr<SideValues> {
        order += 'o';
        return SideValues{2, 20};
      });
  ASSERT_TRUE(measurements.ok());
  EXPECT_EQ(order, "foof");
  EXPECT_EQ(measurements->floor[1], (std::vector<double>{10, 10}));
  EXPECT_EQ(measurements->ours[0], (std::vector<double>{2, 2}));
}

TEST(RunPairsTest, TheFirstErrorEndsTheRun) {
  int measured = 0;
  const auto fail = [&]() -> absl::StatusOr<SideValues> {
    ++measured;
    return absl::UnavailableError("gone");
  };
  EXPECT_EQ(RunPairs(5, fail, fail).status(), absl::UnavailableError("gone"));
  EXPECT_EQ(measured, 1);
}

}  // namespace
}  // namespace distbench
