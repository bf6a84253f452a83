#include "distbench/cli/mode_table.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/log_level.h"
#include "distbench/config/diagnostics.h"
#include "distbench/results/provenance.h"

namespace distbench {

namespace {

// Flags that every mode takes.
struct CommonFlags {
  bool help = false;
  LogLevel log_level = LogLevel::kWarning;

  void Declare(FlagSet* flags) {
    flags->Add("log_level", &log_level, "error|warning|info|debug", "least severe log line shown");
    flags->Add("help", &help, "", "show this and exit");
  }
};

bool AsksForHelp(const std::string& word) {
  return word == "help" || word == "--help" || word == "-help" || word == "-h";
}

}  // namespace

void ModeTable::Add(std::unique_ptr<Mode> mode) { modes_.push_back(std::move(mode)); }

ExitCode ModeTable::Run(const std::vector<std::string>& command_line) {
  if (command_line.size() < 2) {
    err_ << Overview();
    return ExitCode::kUsage;
  }
  const std::string& word = command_line[1];
  const std::vector<std::string> rest(command_line.begin() + 2, command_line.end());
  if (AsksForHelp(word)) return RunHelp(rest);
  if (word == "--version") {
    out_ << "distbench " << kProgramVersion << " (" << ProgramCommit() << ")\n";
    return ExitCode::kOk;
  }
  absl::StatusOr<Mode*> mode = Find(word);
  if (!mode.ok()) return TellUsageError(mode.status(), "");
  return RunMode(**mode, rest, command_line);
}

ExitCode ModeTable::TellUsageError(const absl::Status& status, const std::string& mode) const {
  err_ << "distbench" << (mode.empty() ? "" : " ") << mode << ": " << status.message()
       << "\nTry: distbench help" << (mode.empty() ? "" : " ") << mode << "\n";
  return ExitCode::kUsage;
}

ExitCode ModeTable::RunMode(Mode& mode, const std::vector<std::string>& arguments,
                            const std::vector<std::string>& command_line) {
  FlagSet flags;
  mode.DeclareFlags(&flags);
  CommonFlags common;
  common.Declare(&flags);
  absl::StatusOr<std::vector<std::string>> words = flags.Parse(arguments);
  if (!words.ok()) return TellUsageError(words.status(), mode.name());
  if (common.help) {
    out_ << HelpOn(mode);
    return ExitCode::kOk;
  }
  if (absl::Status accepted = mode.Accept(*words); !accepted.ok()) {
    return TellUsageError(accepted, mode.name());
  }
  StartLogging(common.log_level, command_line.front().c_str());
  const absl::Status status = mode.Run(command_line);
  if (!status.ok()) {
    err_ << "distbench " << mode.name() << ": " << status.message() << "\n";
  }
  return ExitCodeOf(status);
}

ExitCode ModeTable::RunHelp(const std::vector<std::string>& topics) const {
  if (topics.empty()) {
    out_ << Overview();
    return ExitCode::kOk;
  }
  absl::StatusOr<Mode*> mode = Find(topics.front());
  if (!mode.ok()) return TellUsageError(mode.status(), "");
  out_ << HelpOn(**mode);
  return ExitCode::kOk;
}

absl::StatusOr<Mode*> ModeTable::Find(const std::string& name) const {
  auto it = absl::c_find_if(modes_, [&](const auto& mode) { return mode->name() == name; });
  if (it != modes_.end()) return it->get();
  std::vector<std::string> names = {"help"};
  for (const auto& mode : modes_) names.push_back(mode->name());
  return absl::InvalidArgumentError(
      absl::StrCat("unknown mode ", Quoted(name), NearestNameHint(name, names)));
}

std::string ModeTable::Overview() const {
  std::string text = "Usage: distbench MODE [FLAG ...]\n\nModes:\n";
  for (const auto& mode : modes_) {
    absl::StrAppend(&text, absl::StrFormat("  %-16s%s\n", mode->name(), mode->summary()));
  }
  absl::StrAppend(&text, absl::StrFormat("  %-16s%s\n", "help [MODE]", "show this, or a mode"));
  absl::StrAppend(&text, "\n  --version       version and commit of this program\n\n",
                  kExitCodeHelp);
  return text;
}

std::string ModeTable::HelpOn(Mode& mode) {
  FlagSet flags;
  mode.DeclareFlags(&flags);
  CommonFlags common;
  common.Declare(&flags);
  const std::string words = mode.words_help();
  const std::string details = mode.details();
  return absl::StrCat("Usage: distbench ", mode.name(), words.empty() ? "" : " ", words,
                      " [FLAG ...]\n\n", mode.summary(), "\n", details.empty() ? "" : "\n", details,
                      "\nFlags:\n", flags.Help());
}

}  // namespace distbench
