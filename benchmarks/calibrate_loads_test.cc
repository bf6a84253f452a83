#include "benchmarks/calibrate_loads.h"

#include <memory>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// Gives these rates, one a run, and notes the order of the runs.
LoadCandidate WithRates(const std::string& name, std::vector<double> rates, std::string* order) {
  auto next = std::make_shared<size_t>(0);
  return {.name = name, .run = [=](double) -> absl::StatusOr<LoadFigures> {
            *order += name;
            return LoadFigures{.per_second = rates.at((*next)++)};
          }};
}

TEST(CalibrateLoadsTest, TheHighestMedianWinsWhateverOneLuckyRunGave) {
  std::string order;
  const auto calibration =
      CalibrateLoads({WithRates("a", {10, 11, 900}, &order), WithRates("b", {20, 21, 5}, &order),
                      WithRates("c", {1, 2, 3}, &order)},
                     1);
  ASSERT_TRUE(calibration.ok());
  EXPECT_EQ(calibration->best, 1u);
  EXPECT_EQ(order, "abcabcabc");
  EXPECT_TRUE(absl::StrContains(calibration->notes.back(), "b"));
}

TEST(CalibrateLoadsTest, ACandidateThatFailsEndsIt) {
  const std::vector<LoadCandidate> candidates = {
      {.name = "broken", .run = [](double) -> absl::StatusOr<LoadFigures> {
         return absl::UnavailableError("gone");
       }}};
  EXPECT_EQ(CalibrateLoads(candidates, 1).status(), absl::UnavailableError("gone"));
}

}  // namespace
}  // namespace distbench
