#include "benchmarks/load_result.h"

#include <cinttypes>
#include <cstdio>

#include "absl/strings/str_cat.h"

namespace distbench {

std::string ToLine(const LoadResult& result) {
  return absl::StrCat("result ", result.rpcs, " ", result.start_wall_ns, " ", result.end_wall_ns,
                      " ", result.median_ns, " ", result.failures);
}

absl::StatusOr<LoadResult> ParseLoadResult(const std::string& line) {
  LoadResult result;
  const int fields = std::sscanf(
      line.c_str(), "result %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, &result.rpcs,
      &result.start_wall_ns, &result.end_wall_ns, &result.median_ns, &result.failures);
  if (fields != 5) {
    return absl::InvalidArgumentError(absl::StrCat("no result of a load: \"", line, "\""));
  }
  if (result.failures > 0) {
    return absl::InternalError(absl::StrCat(result.failures, " RPCs failed"));
  }
  if (result.rpcs <= 0 || result.end_wall_ns <= result.start_wall_ns) {
    return absl::FailedPreconditionError(absl::StrCat("nothing was measured: \"", line, "\""));
  }
  return result;
}

}  // namespace distbench
