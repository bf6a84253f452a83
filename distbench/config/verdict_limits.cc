// When the test counts as measured fairly: its own limits, each checked, in place of the defaults.
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/time_limits.h"

namespace distbench {
namespace {

constexpr double kMaxFraction = 1000;
constexpr int64_t kMaxCount = 1'000'000'000;

std::string Path(const char* field) { return absl::StrCat("verdict_limits.", field); }

double Fraction(const char* field, double value, Reporter& report) {
  const bool in_range = value >= 0 && value <= kMaxFraction;  // NaN is not
  if (!in_range) {
    report.Error(Path(field), absl::StrCat(value, " is out of range; set 0 to ", kMaxFraction,
                                           ", such as 0.01 for 1 %"));
  }
  return value;
}

int64_t InRange(const char* field, int64_t value, int64_t max, Reporter& report) {
  if (value < 0 || value > max) {
    report.Error(Path(field), absl::StrCat(value, " is out of range; set 0 to ", max));
  }
  return value;
}

int64_t TimeNs(const char* field, int64_t value_us, Reporter& report) {
  return MicrosecondsToNs(InRange(field, value_us, kMaxDurationUs, report));
}

}  // namespace

void CompileVerdictLimits(CompileContext& context) {
  const VerdictLimits& limits = context.config.verdict_limits();
  Reporter& report = context.report;
  context.plan.verdict_thresholds = {
      .max_missed_load = Fraction("max_missed_load", limits.max_missed_load(), report),
      .max_lateness = Fraction("max_lateness", limits.max_lateness(), report),
      .max_cpu_use = Fraction("max_cpu_use", limits.max_cpu_use(), report),
      .max_start_skew_ns = TimeNs("max_start_skew_us", limits.max_start_skew_us(), report),
      .max_clock_error = Fraction("max_clock_error", limits.max_clock_error(), report),
      .noted_lateness = Fraction("noted_lateness", limits.noted_lateness(), report),
      .max_wakeup_lateness_ns =
          TimeNs("max_wakeup_lateness_us", limits.max_wakeup_lateness_us(), report),
      .min_rpcs_beyond_percentile = InRange("min_rpcs_beyond_percentile",
                                            limits.min_rpcs_beyond_percentile(), kMaxCount, report),
  };
}

}  // namespace distbench
