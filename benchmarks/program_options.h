// The command line of the benchmarks program.
#ifndef BENCHMARKS_PROGRAM_OPTIONS_H_
#define BENCHMARKS_PROGRAM_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/benchmark.h"

namespace distbench {

struct ProgramOptions {
  std::vector<std::string> only;  // names or beginnings of names; empty: all
  RunOptions run;
  std::string json_file;  // empty: none
  bool smoke = false;
  bool list = false;
  bool help = false;
};

// `arguments` without the program's name. The error names what is wrong and what would be right.
absl::StatusOr<ProgramOptions> ParseOptions(const std::vector<std::string>& arguments);

std::string HelpText();

// The benchmarks that the options ask for, in their order. NOT_FOUND names what matches none.
absl::StatusOr<Benchmarks> Select(const Benchmarks& benchmarks, const ProgramOptions& options);

}  // namespace distbench

#endif  // BENCHMARKS_PROGRAM_OPTIONS_H_
