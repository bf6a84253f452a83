#include "benchmarks/floors/client_commands.h"

#include <cstdio>
#include <iostream>

#include "absl/strings/str_cat.h"

namespace distbench {

absl::Status ServeUntilInputEnds(const std::string& address) {
  std::cout << "ready " << address << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  return absl::OkStatus();
}

absl::Status ObeyCommands(const std::function<LoadResult(const LoadWindow& window)>& run) {
  const SystemClock clock;
  // A window that has passed: one RPC each, after which every connection is there.
  run(LoadWindow());
  std::cout << "ready" << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
    double warmup_s = 0;
    double window_s = 0;
    if (std::sscanf(line.c_str(), "run %lf %lf", &warmup_s, &window_s) != 2) {
      return absl::InvalidArgumentError(absl::StrCat("no command: \"", line, "\""));
    }
    const int64_t start_ns = clock.MonotonicNs() + static_cast<int64_t>(warmup_s * 1e9);
    const LoadWindow window = {.start_ns = start_ns,
                               .end_ns = start_ns + static_cast<int64_t>(window_s * 1e9)};
    std::cout << ToLine(run(window)) << std::endl;
  }
  return absl::OkStatus();
}

}  // namespace distbench
