#include "benchmarks/program_options.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/flag_set.h"

namespace distbench {
namespace {

// What a smoke run takes where nothing else is said.
constexpr RunOptions kSmokeRun = {.pairs = 3, .seconds = 0.5};

// The flags, as they are read.
struct Flags {
  std::string only;
  int64_t pairs = 0;
  double seconds = 0;
};

void Declare(FlagSet* set, Flags* flags, ProgramOptions* options) {
  set->Add("only", &flags->only, "NAME,...",
           "Run the benchmark of this name, or else all whose names begin so; without it, all.");
  set->Add("pairs", &flags->pairs, "N",
           "Pairs of measurements, floor and ours; 0: 15, in a smoke run 3.");
  set->Add("seconds", &flags->seconds, "S",
           "Length of each measurement, without its warmup; 0: 2, in a smoke run 0.5.");
  set->Add("json", &options->json_file, "FILE", "Write all figures to this file too.");
  set->Add("smoke", &options->smoke, "",
           "A short run of the few benchmarks that have generous bounds, held against those.");
  set->Add("list", &options->list, "", "Say which benchmarks there are, with their bounds.");
  set->Add("help", &options->help, "", "Say this.");
}

// The benchmark of that name, or else all whose names begin so.
Benchmarks Matching(const Benchmarks& benchmarks, const std::string& wanted) {
  Benchmarks matching;
  for (const Benchmark& benchmark : benchmarks) {
    if (benchmark.name == wanted) return {benchmark};
    if (absl::StartsWith(benchmark.name, wanted)) matching.push_back(benchmark);
  }
  return matching;
}

bool HasName(const Benchmarks& benchmarks, const std::string& name) {
  return std::any_of(benchmarks.begin(), benchmarks.end(),
                     [&](const Benchmark& benchmark) { return benchmark.name == name; });
}

}  // namespace

absl::StatusOr<ProgramOptions> ParseOptions(const std::vector<std::string>& arguments) {
  ProgramOptions options;
  Flags flags;
  FlagSet set;
  Declare(&set, &flags, &options);
  ASSIGN_OR_RETURN(const std::vector<std::string> words, set.Parse(arguments));
  if (!words.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected word '", words.front(), "'; see --help"));
  }
  if (flags.pairs < 0 || flags.pairs > 1'000'000) {
    return absl::InvalidArgumentError(
        absl::StrCat("--pairs=", flags.pairs, ": expected 1 or more"));
  }
  if (!(flags.seconds >= 0 && flags.seconds <= 60)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--seconds=", flags.seconds, ": expected up to 60"));
  }
  if (options.smoke) options.run = kSmokeRun;
  if (flags.pairs > 0) options.run.pairs = static_cast<size_t>(flags.pairs);
  if (flags.seconds > 0) options.run.seconds = flags.seconds;
  options.only = absl::StrSplit(flags.only, ',', absl::SkipEmpty());
  return options;
}

std::string HelpText() {
  ProgramOptions options;
  Flags flags;
  FlagSet set;
  Declare(&set, &flags, &options);
  return absl::StrCat(
      "Measures distbench against what the machine and the libraries can do without it.\n\n"
      "  bazel run -c opt //benchmarks -- [FLAG ...]\n\n"
      "Floor and ours are measured in turn, in pairs. Printed are the medians of both sides, the\n"
      "median of the ratios (or differences) of the pairs with its 95 % interval, and PASS or\n"
      "FAIL where there is a bound. Leave the machine alone meanwhile. The exit code is 0 if all\n"
      "bounds hold.\n\n",
      set.Help());
}

absl::StatusOr<Benchmarks> Select(const Benchmarks& benchmarks, const ProgramOptions& options) {
  Benchmarks wanted;
  for (const std::string& name : options.only) {
    const Benchmarks matching = Matching(benchmarks, name);
    if (matching.empty()) {
      return absl::NotFoundError(
          absl::StrCat("--only=", name, ": there is no such benchmark; see --list"));
    }
    wanted.insert(wanted.end(), matching.begin(), matching.end());
  }
  Benchmarks selected;
  for (const Benchmark& benchmark : benchmarks) {
    if (options.smoke && !benchmark.in_smoke_run()) continue;
    if (options.only.empty() || HasName(wanted, benchmark.name)) selected.push_back(benchmark);
  }
  return selected;
}

}  // namespace distbench
