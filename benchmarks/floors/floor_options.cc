#include "benchmarks/floors/floor_options.h"

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/flag_set.h"

namespace distbench {
namespace {

constexpr int64_t kMostBytes = 1 << 20;

absl::Status CheckRange(const char* flag, int64_t value, int64_t most) {
  if (value >= 1 && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--", flag, "=", value, ": expected 1 to ", most));
}

}  // namespace

absl::StatusOr<FloorOptions> ParseFloorOptions(const std::vector<std::string>& arguments) {
  FloorOptions options;
  FlagSet flags;
  flags.Add("connections", &options.connections, "N", "Connections, or channels.");
  flags.Add("threads", &options.threads, "N", "Threads.");
  flags.Add("in_flight", &options.in_flight, "N", "RPCs in flight, over all connections.");
  flags.Add("request_bytes", &options.request_bytes, "BYTES", "Size of a request.");
  flags.Add("response_bytes", &options.response_bytes, "BYTES", "Size of a response.");
  flags.Add("address", &options.address, "HOST:PORT", "The server.");
  flags.Add("latency", &options.latency, "", "Record latencies.");
  ASSIGN_OR_RETURN(const std::vector<std::string> words, flags.Parse(arguments));
  if (!words.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("unexpected word '", words.front(), "'"));
  }
  RETURN_IF_ERROR(CheckRange("connections", options.connections, 1000));
  RETURN_IF_ERROR(CheckRange("threads", options.threads, 1000));
  RETURN_IF_ERROR(CheckRange("in_flight", options.in_flight, 1'000'000));
  RETURN_IF_ERROR(CheckRange("request_bytes", options.request_bytes, kMostBytes));
  RETURN_IF_ERROR(CheckRange("response_bytes", options.response_bytes, kMostBytes));
  return options;
}

}  // namespace distbench
