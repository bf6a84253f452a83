// What holds for the test as a whole: overload limits, seed, timeout.
#include <cmath>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/compiler.h"

namespace distbench {
namespace {

constexpr char kTimeoutAttribute[] = "test_timeout";
constexpr double kDefaultTimeoutSeconds = 3600;
constexpr double kMaxTimeoutSeconds = 1e9;  // 31 years; nanoseconds of it fit in 64 bits

int64_t PositiveLimit(absl::string_view path, int64_t value, Reporter& report) {
  if (value < 1) {
    report.Error(path, absl::StrCat(value, " is not positive; set at least 1 or leave it out"));
  }
  return value;
}

}  // namespace

absl::StatusOr<double> TestTimeoutSeconds(const DistributedSystemDescription& config) {
  const auto attribute = config.attributes().find(kTimeoutAttribute);
  if (attribute == config.attributes().end()) return kDefaultTimeoutSeconds;
  double seconds = 0;
  const bool is_number = absl::SimpleAtod(attribute->second, &seconds) && std::isfinite(seconds);
  if (!is_number || seconds <= 0 || seconds > kMaxTimeoutSeconds) {
    return absl::InvalidArgumentError(absl::StrCat(
        Quoted(attribute->second), " is no time in seconds; set a positive number up to 1e9, ",
        "without a unit, such as '60'"));
  }
  return seconds;
}

void CompileSettings(CompileContext& context) {
  const auto& limits = context.config.overload_limits();
  context.plan.max_threads =
      PositiveLimit("overload_limits.max_threads", limits.max_threads(), context.report);
  context.plan.max_pending_rpcs =
      PositiveLimit("overload_limits.max_pending_rpcs", limits.max_pending_rpcs(), context.report);
  if (context.config.has_seed()) context.plan.seed = context.config.seed();
  const absl::StatusOr<double> timeout = TestTimeoutSeconds(context.config);
  if (!timeout.ok()) {
    context.report.Error(KeyPath("attributes", kTimeoutAttribute),
                         std::string(timeout.status().message()));
  }
}

}  // namespace distbench
