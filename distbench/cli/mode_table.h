// ModeTable: finds the mode that the command line asks for, and runs it. Not thread-safe.
#ifndef DISTBENCH_CLI_MODE_TABLE_H_
#define DISTBENCH_CLI_MODE_TABLE_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "distbench/cli/exit_code.h"
#include "distbench/cli/mode.h"

namespace distbench {

class ModeTable {
 public:
  // What is told to the user goes to `out`, what went wrong to `err`. Both outlive the table.
  ModeTable(std::ostream& out, std::ostream& err) : out_(out), err_(err) {}

  void Add(std::unique_ptr<Mode> mode);

  // Runs the program: `command_line` begins with its name. Answers `help`, `--help` and `--version`
  // itself.
  ExitCode Run(const std::vector<std::string>& command_line);

 private:
  ExitCode TellUsageError(const absl::Status& status, const std::string& mode) const;
  ExitCode RunMode(Mode& mode, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& command_line);
  ExitCode RunHelp(const std::vector<std::string>& topics) const;
  absl::StatusOr<Mode*> Find(const std::string& name) const;
  std::string Overview() const;
  static std::string HelpOn(Mode& mode);

  std::ostream& out_;
  std::ostream& err_;
  std::vector<std::unique_ptr<Mode>> modes_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_MODE_TABLE_H_
