#include "benchmarks/calibrate_loads.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/statistics.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

// Odd, so that the median is one of the rates.
constexpr int kRounds = 3;

}  // namespace

absl::StatusOr<Calibration> CalibrateLoads(const std::vector<LoadCandidate>& candidates,
                                           double seconds) {
  std::vector<std::vector<double>> rates(candidates.size());
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      ASSIGN_OR_RETURN(const LoadFigures figures, candidates[i].run(seconds));
      rates[i].push_back(figures.per_second);
    }
  }
  Calibration calibration;
  std::vector<double> medians;
  for (size_t i = 0; i < candidates.size(); ++i) {
    medians.push_back(Median(rates[i]));
    calibration.notes.push_back(
        absl::StrFormat("candidate for the floor: %s: %.0f/s", candidates[i].name, medians[i]));
  }
  calibration.best =
      static_cast<size_t>(std::max_element(medians.begin(), medians.end()) - medians.begin());
  calibration.notes.push_back(
      absl::StrCat("taken as the floor: ", candidates[calibration.best].name));
  return calibration;
}

}  // namespace distbench
