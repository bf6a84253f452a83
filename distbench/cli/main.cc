// distbench MODE [FLAG ...]
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "distbench/cli/mode_table.h"
#include "distbench/cli/modes.h"

int main(int argc, char** argv) {
  // Before anything locks: the system's abseil looks for lock cycles, at four times the price.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);

  // A file that may grow no more is an error of writing, as a full disk is, and no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);

  distbench::ModeTable modes(std::cout, std::cerr);
  modes.Add(distbench::NewTestSequencerMode());
  modes.Add(distbench::NewNodeManagerMode());
  modes.Add(distbench::NewRunTestsMode());
  modes.Add(distbench::NewCheckTestMode());
  modes.Add(distbench::NewTestPreviewMode());
  modes.Add(distbench::NewExportMode());
  modes.Add(distbench::NewDrawMode());

  const std::vector<std::string> command_line(argv, argv + argc);
  return static_cast<int>(modes.Run(command_line));
}
