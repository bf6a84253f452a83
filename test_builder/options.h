// The command line of test_builder, understood as far as it needs no patterns. Not thread-safe.
#ifndef TEST_BUILDER_OPTIONS_H_
#define TEST_BUILDER_OPTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/net/socket_address.h"
#include "test_builder/sequence_builder.h"
#include "test_builder/sweep.h"

namespace distbench {

struct Options {
  bool help = false;
  std::optional<HostPort> sequencer;  // runs the tests
  std::string folder;                 // empty: standard output
  std::string pattern_folder;         // empty: none
  bool dry_run = false;
  BuildOptions build;
  std::vector<Sweep> sweeps;
  std::vector<std::string> flags;  // names of those that are given
  std::vector<std::string> words;  // `list`, `show` and a config, or configs
};

// `arguments` are without the program's name.
absl::StatusOr<Options> ParseOptions(std::vector<std::string> arguments);

// A flag as it is typed.
std::string DashedFlag(absl::string_view name);

// Each flag with its help.
std::string FlagHelp();

}  // namespace distbench

#endif  // TEST_BUILDER_OPTIONS_H_
