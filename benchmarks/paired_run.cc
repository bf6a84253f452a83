#include "benchmarks/paired_run.h"

#include <utility>
#include <vector>

#include "benchmarks/statistics.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

void Append(const SideValues& values, std::vector<std::vector<double>>* by_figure) {
  by_figure->resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) (*by_figure)[i].push_back(values[i]);
}

}  // namespace

absl::StatusOr<Measurements> RunPairs(size_t pairs, const MeasureSide& floor,
                                      const MeasureSide& ours) {
  Measurements measurements;
  for (Side side : AbbaOrder(pairs)) {
    const bool is_floor = side == Side::kFloor;
    ASSIGN_OR_RETURN(const SideValues values, is_floor ? floor() : ours());
    Append(values, is_floor ? &measurements.floor : &measurements.ours);
  }
  return measurements;
}

absl::StatusOr<Measurements> RunAlone(size_t times, const MeasureSide& ours) {
  Measurements measurements;
  for (size_t i = 0; i < times; ++i) {
    ASSIGN_OR_RETURN(const SideValues values, ours());
    Append(values, &measurements.ours);
  }
  measurements.floor = measurements.ours;
  return measurements;
}

}  // namespace distbench
