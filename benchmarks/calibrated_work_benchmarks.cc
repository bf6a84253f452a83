// How near calibrated work comes to the time that it is to take.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/groups.h"
#include "benchmarks/paired_run.h"
#include "distbench/activity/cpu_work.h"
#include "distbench/activity/stop_condition.h"
#include "distbench/activity/work_calibration.h"
#include "distbench/base/clock.h"
#include "distbench/config/plan.h"

namespace distbench {
namespace {

constexpr int64_t kNominalNs[] = {100'000, 1'000'000, 10'000'000};

// By how many percent the mean wall time of a job differs from what it should be, for each
// duration, one thread working.
SideValues MeasureDeviations(WorkKind kind, double seconds) {
  Plan plan;
  plan.activities.push_back({.name = "", .work = CalibratedWork{.duration_ns = 1, .kind = kind}});
  WorkCalibrator calibrator;
  const CalibratedWorkKinds kinds = calibrator.Calibrate(plan);
  const SystemClock clock;
  SideValues deviations;
  for (const int64_t nominal_ns : kNominalNs) {
    const auto work = MakeCpuWork(CalibratedWork{.duration_ns = nominal_ns, .kind = kind}, kinds);
    const auto nominal = static_cast<double>(nominal_ns);
    const int64_t jobs = std::llround(seconds * 1e9 / std::size(kNominalNs) / nominal) + 1;
    const int64_t start_ns = clock.MonotonicNs();
    for (int64_t i = 0; i < jobs; ++i) work->RunOnce(StopCondition());
    const auto mean_ns =
        static_cast<double>(clock.MonotonicNs() - start_ns) / static_cast<double>(jobs);
    deviations.push_back(100 * std::abs(mean_ns / nominal - 1));
  }
  return deviations;
}

Benchmark CalibratedWorkTime(WorkKind kind) {
  std::vector<FigureSpec> figures;
  for (const int64_t nominal_ns : kNominalNs) {
    figures.push_back({.name = absl::StrCat("deviation of a job of ", nominal_ns / 1000, " us"),
                       .unit = "%",
                       .comparison = Comparison::kValue,
                       .required = AtMost(10)});
  }
  return {.name = absl::StrCat("calibrated_", WorkKindName(kind), "_work"),
          .summary = absl::StrCat("how far the time of calibrated work that is bound by ",
                                  WorkKindName(kind), " is from its nominal one, by one thread"),
          .figures = figures,
          .run = [kind](const RunOptions& options) {
            return RunAlone(options.pairs, [&]() -> absl::StatusOr<SideValues> {
              return MeasureDeviations(kind, options.seconds);
            });
          }};
}

}  // namespace

void AddCalibratedWorkBenchmarks(Benchmarks* benchmarks) {
  benchmarks->push_back(CalibratedWorkTime(WorkKind::kCpu));
  benchmarks->push_back(CalibratedWorkTime(WorkKind::kMemory));
}

}  // namespace distbench
