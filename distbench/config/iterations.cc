#include "distbench/config/iterations.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/config/reporter.h"
#include "distbench/config/time_limits.h"
#include "distbench/sampling/rate_profile.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr int64_t kMaxParallelIterations = 1'000'000;
constexpr double kMaxRateFactor = 1e9;

class IterationsCheck {
 public:
  IterationsCheck(const Iterations& iterations, const std::string& path, Reporter& report)
      : iterations_(iterations), path_(path), report_(report) {}

  IterationPlan Compile(Endless endless) {
    IterationPlan plan;
    plan.max_count = MaxCount();
    plan.max_duration_ns = MaxDurationNs();
    plan.open_loop = OpenLoop();
    plan.max_parallel = MaxParallel();
    plan.warmup_iterations = InRange("warmup_iterations", iterations_.warmup_iterations(), 0);
    plan.warmup_ns = InRange("warmup_ns", iterations_.warmup_ns(), 0, kMaxDurationNs);
    if (!plan.max_count.has_value() && !plan.max_duration_ns.has_value()) ReportEndless(endless);
    const bool counts_warmup = plan.max_count.has_value() && plan.warmup_iterations > 0;
    if (counts_warmup && plan.warmup_iterations >= *plan.max_count) {
      Warn("warmup_iterations",
           absl::StrCat("all ", *plan.max_count, " iterations are warmup; nothing is measured"));
    }
    return plan;
  }

 private:
  void ReportEndless(Endless endless) {
    const char* const message =
        "nothing ends these iterations; set max_iteration_count or max_duration_us, bound the "
        "test's time by its attribute test_timeout, or end it by an action with "
        "cancel_traffic_when_done";
    if (endless == Endless::kRefused) report_.Error(path_, message);
    if (endless == Endless::kWarned) report_.Warning(path_, message);
  }

  // Reports a value outside [min, max].
  int64_t InRange(absl::string_view field, int64_t value, int64_t min, int64_t max = INT64_MAX) {
    if (value < min) Report(field, absl::StrCat(value, " is too small; set at least ", min));
    if (value > max) Report(field, absl::StrCat(value, " is too large; set at most ", max));
    return value;
  }

  // The 64-bit form wins, but a wrong 32-bit form is wrong all the same.
  std::optional<int64_t> MaxCount() {
    std::optional<int64_t> count;
    if (iterations_.has_max_iteration_count()) {
      count = InRange("max_iteration_count", iterations_.max_iteration_count(), 1);
    }
    if (iterations_.has_max_iteration_count_64()) {
      count = InRange("max_iteration_count_64", iterations_.max_iteration_count_64(), 1);
    }
    return count;
  }

  std::optional<int64_t> MaxDurationNs() {
    std::optional<int64_t> duration_us;
    if (iterations_.has_max_duration_us()) {
      duration_us = InRange("max_duration_us", iterations_.max_duration_us(), 1);
    }
    if (iterations_.has_max_duration_us_64()) {
      duration_us =
          InRange("max_duration_us_64", iterations_.max_duration_us_64(), 1, kMaxDurationUs);
    }
    if (!duration_us.has_value()) return std::nullopt;
    return MicrosecondsToNs(*duration_us);
  }

  std::optional<OpenLoopPlan> OpenLoop() {
    const Arrivals arrivals = ParseArrivals();
    const Pacing pacing = ParsePacing();
    if (!iterations_.has_open_loop_interval_ns()) {
      if (iterations_.has_pacing()) {
        Report("pacing", absl::StrCat(Quoted(iterations_.pacing()),
                                      " is for open loops only; set open_loop_interval_ns, or "
                                      "leave pacing out"));
      }
      if (iterations_.rate_steps_size() > 0) {
        Report("rate_steps",
               "are for open loops only; set open_loop_interval_ns, or leave them out");
      }
      if (iterations_.has_open_loop_interval_distribution()) {
        Warn("open_loop_interval_distribution", "has no effect without open_loop_interval_ns");
      }
      return std::nullopt;
    }
    const int64_t interval_ns =
        InRange("open_loop_interval_ns", iterations_.open_loop_interval_ns(), 1, kMaxDurationNs);
    return OpenLoopPlan{.interval_ns = interval_ns,
                        .arrivals = arrivals,
                        .pacing = pacing,
                        .rates = Rates(arrivals)};
  }

  std::shared_ptr<const RateProfile> Rates(Arrivals arrivals) {
    if (iterations_.rate_steps_size() == 0) return nullptr;
    if (arrivals != Arrivals::kConstant && arrivals != Arrivals::kExponential) {
      Report("rate_steps", absl::StrCat("the rate of bursts does not change; use constant or "
                                        "exponential arrivals, or leave rate_steps out"));
    }
    std::vector<RateProfile::Step> steps;
    for (int i = 0; i < iterations_.rate_steps_size(); ++i) steps.push_back(StepAt(i));
    if (steps.back().end_factor == 0) {
      Report("rate_steps",
             "the last step ends with a rate of 0, which would stay; end with a rate above 0, and "
             "let max_duration_us or max_iteration_count end the iterations");
    }
    int64_t left_us = kMaxDurationUs;
    for (const RateStep& step : iterations_.rate_steps()) {
      if (left_us >= 0) left_us -= std::clamp<int64_t>(step.duration_us(), 0, kMaxDurationUs);
    }
    if (left_us < 0) {
      Report("rate_steps",
             absl::StrCat("together they take more than ", kMaxDurationUs, " us; shorten them"));
      return nullptr;
    }
    const auto is_wrong = [](const RateProfile::Step& step) { return step.duration_ns <= 0; };
    if (std::any_of(steps.begin(), steps.end(), is_wrong)) return nullptr;
    return std::make_shared<RateProfile>(std::move(steps));
  }

  RateProfile::Step StepAt(int i) {
    const RateStep& step = iterations_.rate_steps(i);
    const std::string field = absl::StrCat("rate_steps[", i, "]");
    const double start = Factor(absl::StrCat(field, ".rate_factor"), step.rate_factor());
    const double end = step.has_end_rate_factor()
                           ? Factor(absl::StrCat(field, ".end_rate_factor"), step.end_rate_factor())
                           : start;
    const int64_t duration_us =
        InRange(absl::StrCat(field, ".duration_us"), step.duration_us(), 1, kMaxDurationUs);
    return {.start_factor = start, .end_factor = end, .duration_ns = MicrosecondsToNs(duration_us)};
  }

  double Factor(const std::string& field, double factor) {
    if (factor >= 0 && factor <= kMaxRateFactor) return factor;
    Report(field, absl::StrCat(factor, " is out of range; set 0 to ", kMaxRateFactor));
    return 1;
  }

  Pacing ParsePacing() {
    const std::string& name = iterations_.pacing();
    if (name == "sleep") return Pacing::kSleep;
    if (name == "spin") return Pacing::kSpin;
    if (name == "hybrid") return Pacing::kHybrid;
    Report("pacing", absl::StrCat("there is no pacing ", Quoted(name),
                                  NearestNameHint(name, {"sleep", "spin", "hybrid"})));
    return Pacing::kSleep;
  }

  Arrivals ParseArrivals() {
    const char* field = "open_loop_interval_distribution";
    const std::string& name = iterations_.open_loop_interval_distribution();
    if (name == "constant") return Arrivals::kConstant;
    if (name == "sync_burst") return Arrivals::kSyncBurst;
    if (name == "sync_burst_spread") return Arrivals::kSyncBurstSpread;
    if (name == "exponential") return Arrivals::kExponential;
    Report(field, absl::StrCat("there is no distribution of intervals ", Quoted(name),
                               NearestNameHint(name, {"constant", "exponential", "sync_burst",
                                                      "sync_burst_spread"})));
    return Arrivals::kConstant;
  }

  int64_t MaxParallel() {
    const char* field = "max_parallel_iterations";
    if (iterations_.has_max_parallel_iterations() && iterations_.has_open_loop_interval_ns()) {
      Warn(field, "has no effect in an open loop, where iterations start by the clock");
    }
    return InRange(field, iterations_.max_parallel_iterations(), 1, kMaxParallelIterations);
  }

  std::string Path(absl::string_view field) const { return absl::StrCat(path_, ".", field); }
  void Report(absl::string_view field, const std::string& message) {
    report_.Error(Path(field), message);
  }
  void Warn(const char* field, const std::string& message) {
    report_.Warning(Path(field), message);
  }

  const Iterations& iterations_;
  const std::string& path_;
  Reporter& report_;
};

}  // namespace

IterationPlan CompileIterations(const Iterations& iterations, const std::string& path,
                                Endless endless, Reporter& report) {
  return IterationsCheck(iterations, path, report).Compile(endless);
}

}  // namespace distbench
