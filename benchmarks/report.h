// Report: what a run of benchmarks came to, for people and for programs.
#ifndef BENCHMARKS_REPORT_H_
#define BENCHMARKS_REPORT_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/benchmark.h"
#include "benchmarks/findings.h"

namespace distbench {

struct BenchmarkReport {
  std::string name;
  std::string summary;
  absl::Status status;  // not OK: it could not be run, and has no findings
  std::vector<FigureFinding> findings;
  std::vector<std::string> notes;
};

// A table with a row for each figure; rows with a bound end in PASS or FAIL, and a benchmark that
// could not be run is a FAIL with the reason.
void PrintReport(const BenchmarkReport& report, std::ostream& out);

struct Score {
  size_t passed = 0;  // figures that keep their bounds
  size_t failed = 0;  // figures that do not, and benchmarks that could not be run
};
Score ScoreOf(const std::vector<BenchmarkReport>& reports);

// Everything that the tables show and the machine it was seen on, as one JSON object.
std::string ToJson(const std::vector<BenchmarkReport>& reports, const RunOptions& options);

}  // namespace distbench

#endif  // BENCHMARKS_REPORT_H_
