// The conversation with whoever started a floor's process, by lines:
//
//   server   says "ready HOST:PORT", lives until its input ends
//   client   connects and says "ready"; for each "run WARMUP SECONDS" it runs the load and says the
//            line of a LoadResult; lives until its input ends
#ifndef BENCHMARKS_FLOORS_CLIENT_COMMANDS_H_
#define BENCHMARKS_FLOORS_CLIENT_COMMANDS_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/floors/load_window.h"
#include "benchmarks/load_result.h"

namespace distbench {

absl::Status ServeUntilInputEnds(const std::string& address);

// `run` returns when the last RPC of the window has ended.
absl::Status ObeyCommands(const std::function<LoadResult(const LoadWindow& window)>& run);

}  // namespace distbench

#endif  // BENCHMARKS_FLOORS_CLIENT_COMMANDS_H_
