// Mode: one of the things that the program can be, chosen by the first word of the command line.
#ifndef DISTBENCH_CLI_MODE_H_
#define DISTBENCH_CLI_MODE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace distbench {

class FlagSet;

// Life of a mode: DeclareFlags, Accept, Run, once each. For the help only DeclareFlags.
class Mode {
 public:
  virtual ~Mode() = default;

  // "run_tests"
  virtual std::string name() const = 0;
  // What it does, in one line.
  virtual std::string summary() const = 0;
  // The words that it takes beside flags: "[FILE ...]".
  virtual std::string words_help() const { return ""; }
  // Further lines of its help.
  virtual std::string details() const { return ""; }

  virtual void DeclareFlags(FlagSet* flags) = 0;

  // Takes the words that are no flags. An error here, or about a flag that is missing, is one of
  // usage. The default takes none.
  virtual absl::Status Accept(const std::vector<std::string>& words);

  // Does the work. `command_line` is that of the process, for the record. What went wrong is told
  // on stderr by the caller; ExitCodeOf says what the process ends with.
  virtual absl::Status Run(const std::vector<std::string>& command_line) = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_MODE_H_
