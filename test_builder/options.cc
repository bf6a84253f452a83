#include "test_builder/options.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/flag_set.h"
#include "distbench/config/diagnostics.h"
#include "distbench/net/grpc_target.h"
#include "test_builder/parameter.h"
#include "test_builder/value_file.h"

namespace distbench {
namespace {

constexpr double kMinSeconds = 1e-6;
constexpr double kMaxSeconds = 1e8;  // three years

// As they are typed.
struct RawOptions {
  Options options;
  std::string sequencer;
  std::string out = "-";

  void Declare(FlagSet* flags) {
    flags->Add("h", &options.help, "",
               "Show this, or only the patterns that are named. Also --help.");
    flags->Add("help", &options.help, "", "Show this.");
    flags->Add("o", &out, "DIR",
               "Write a file NAME.config for each test there, and test_sequence.config if there "
               "are several. -: write the sequence to standard output.");
    flags->Add("s", &sequencer, "HOST:PORT",
               "Run the tests with this test sequencer, one after the other, and write their "
               "results to DIR/NAME.pb.gz. A test that has one is skipped.");
    flags->Add("t", &options.build.duration_text, "SECONDS",
               "For how long each test measures; warmup_seconds come before that.");
    flags->Add("c", &options.build.prefix, "PREFIX", "Put this in front of the names of files.");
    flags->Add("l", &options.build.label, "LABEL",
               "Put LABEL- in front of the names of files, behind the prefix, and of the attribute "
               "config_label.");
    flags->Add("pattern_dir", &options.pattern_folder, "DIR",
               "Take patterns from the files NAME.pattern there too.");
    flags->Add("dry_run", &options.dry_run, "",
               "Check everything, say what would be done, and do nothing.");
  }
};

absl::Status TakeDuration(BuildOptions* build) {
  const double seconds = DecimalNumber(build->duration_text).value_or(0);
  if (!(seconds >= kMinSeconds && seconds <= kMaxSeconds)) {
    return absl::InvalidArgumentError(absl::StrFormat("-t=%s: expected seconds, %g to %g",
                                                      Escaped(build->duration_text), kMinSeconds,
                                                      kMaxSeconds));
  }
  build->duration = absl::Seconds(seconds);
  build->duration_text = PlainNumber(seconds);
  return absl::OkStatus();
}

// A flag twice means two things; an empty name means nothing.
absl::Status CheckFlags(const RawOptions& raw, const std::vector<std::string>& given) {
  for (const std::string& name : given) {
    if (absl::c_count(given, name) == 1) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(DashedFlag(name), " is given twice; leave one out"));
  }
  for (const auto& [name, value] : {std::pair("o", raw.out), std::pair("s", raw.sequencer),
                                    std::pair("pattern_dir", raw.options.pattern_folder)}) {
    if (!value.empty() || !absl::c_linear_search(given, name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(DashedFlag(name), " has an empty value; give one, or leave the flag out"));
  }
  return absl::OkStatus();
}

// `-h parameter_sweep`, which is no sweep.
bool AsksForHelpOnSweeps(const std::vector<std::string>& arguments) {
  return arguments.size() == 2 && arguments[1] == kSweepWord &&
         (arguments[0] == "-h" || arguments[0] == "--help" || arguments[0] == "help");
}

}  // namespace

std::string DashedFlag(absl::string_view name) {
  return absl::StrCat(name.size() == 1 ? "-" : "--", name);
}

absl::StatusOr<Options> ParseOptions(std::vector<std::string> arguments) {
  RawOptions raw;
  FlagSet flags;
  raw.Declare(&flags);
  // First, because steps may be negative.
  if (!AsksForHelpOnSweeps(arguments)) {
    ASSIGN_OR_RETURN(raw.options.sweeps, TakeSweeps(&arguments, ReadValueFile));
  }
  ASSIGN_OR_RETURN(raw.options.words, flags.Parse(arguments));
  RETURN_IF_ERROR(CheckFlags(raw, flags.given()));
  Options& options = raw.options;
  options.flags = flags.given();
  if (!options.words.empty() && options.words.front() == "help") {
    options.help = true;
    options.words.erase(options.words.begin());
  }
  RETURN_IF_ERROR(TakeDuration(&options.build));
  if (raw.out != "-") options.folder = raw.out;
  if (raw.sequencer.empty()) return std::move(options);
  ASSIGN_OR_RETURN(options.sequencer, ParseHostPortOrTarget(raw.sequencer));
  if (options.folder.empty()) {
    return absl::InvalidArgumentError("-s needs -o DIR, where the results are written");
  }
  return std::move(options);
}

std::string FlagHelp() {
  RawOptions raw;
  FlagSet flags;
  raw.Declare(&flags);
  return flags.Help();
}

}  // namespace distbench
