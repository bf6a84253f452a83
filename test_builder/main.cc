// test_builder [FLAG ...] CONFIG ...
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "distbench/cli/log_level.h"
#include "test_builder/program.h"

int main(int argc, char** argv) {
  // Before anything locks: the system's abseil looks for lock cycles, at four times the price.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);

  // Whoever reads the output may leave, as in `| head`: that is no reason to give up tests that
  // run.
  std::signal(SIGPIPE, SIG_IGN);
  // A file that may grow no more is an error of writing, as a full disk is, and no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);

  distbench::StartLogging(distbench::LogLevel::kWarning, argv[0]);
  const std::vector<std::string> command_line(argv, argv + argc);
  return static_cast<int>(distbench::RunTestBuilder(command_line, std::cout, std::cerr));
}
