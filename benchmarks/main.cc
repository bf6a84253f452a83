// benchmarks [FLAG ...]: what distbench costs, against what the machine can do without it.
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "benchmarks/findings.h"
#include "benchmarks/groups.h"
#include "benchmarks/program_options.h"
#include "benchmarks/report.h"
#include "distbench/base/status_macros.h"
#include "tools/cpp/runfiles/runfiles.h"

namespace distbench {
namespace {

constexpr int kWrongUse = 2;

absl::StatusOr<Programs> FindPrograms(const std::string& self) {
  using bazel::tools::cpp::runfiles::Runfiles;
  std::string error;
  const std::unique_ptr<Runfiles> runfiles(Runfiles::Create(self, &error));
  if (runfiles == nullptr) {
    return absl::NotFoundError(absl::StrCat("the programs to measure: ", error));
  }
  return Programs{.distbench = runfiles->Rlocation("distbench/distbench/distbench"),
                  .floors = runfiles->Rlocation("distbench/benchmarks/floors/floors")};
}

Benchmarks AllBenchmarks(const Programs& programs) {
  Benchmarks benchmarks;
  AddGrpcBenchmarks(programs, &benchmarks);
  AddTcpBenchmarks(programs, &benchmarks);
  AddEngineBenchmarks(&benchmarks);
  AddCalibratedWorkBenchmarks(&benchmarks);
  AddPacingBenchmarks(&benchmarks);
  AddRecordingBenchmarks(&benchmarks);
  AddSuspendedListBenchmarks(&benchmarks);
  AddConfigBenchmarks(&benchmarks);
  AddControlPlaneBenchmarks(&benchmarks);
  return benchmarks;
}

void PrintList(const Benchmarks& benchmarks) {
  for (const Benchmark& benchmark : benchmarks) {
    std::cout << benchmark.name << ": " << benchmark.summary << "\n";
    for (const FigureSpec& figure : benchmark.figures) {
      if (figure.required) {
        std::cout << "    " << figure.name << " " << ToText(*figure.required) << "\n";
      }
    }
  }
}

BenchmarkReport RunBenchmark(const Benchmark& benchmark, const ProgramOptions& options) {
  BenchmarkReport report = {.name = benchmark.name, .summary = benchmark.summary};
  const absl::StatusOr<Measurements> measurements = benchmark.run(options.run);
  report.status = measurements.status();
  if (!measurements.ok()) return report;
  report.findings =
      Evaluate(benchmark, *measurements, options.smoke ? Bounds::kSmoke : Bounds::kRequired);
  report.notes = measurements->notes;
  return report;
}

absl::Status WriteFile(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (file) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write --json=", path));
}

// Returns how the bounds held.
absl::StatusOr<Score> Run(const std::string& self, const ProgramOptions& options) {
  ASSIGN_OR_RETURN(const Programs programs, FindPrograms(self));
  ASSIGN_OR_RETURN(const Benchmarks benchmarks, Select(AllBenchmarks(programs), options));
  if (options.list) {
    PrintList(benchmarks);
    return Score();
  }
  std::vector<BenchmarkReport> reports;
  for (const Benchmark& benchmark : benchmarks) {
    reports.push_back(RunBenchmark(benchmark, options));
    PrintReport(reports.back(), std::cout);
  }
  if (!options.json_file.empty()) {
    RETURN_IF_ERROR(WriteFile(options.json_file, ToJson(reports, options.run)));
  }
  const Score score = ScoreOf(reports);
  std::cout << "\n" << score.passed << " passed, " << score.failed << " failed" << std::endl;
  return score;
}

}  // namespace
}  // namespace distbench

int main(int argc, char** argv) {
  // As the program under test does.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto options = distbench::ParseOptions(arguments);
  if (!options.ok()) {
    std::cerr << "benchmarks: " << options.status().message() << "\n";
    return distbench::kWrongUse;
  }
  if (options->help) {
    std::cout << distbench::HelpText();
    return 0;
  }
  const auto score = distbench::Run(argv[0], *options);
  if (!score.ok()) {
    std::cerr << "benchmarks: " << score.status().message() << "\n";
    return distbench::kWrongUse;
  }
  return score->failed == 0 ? 0 : 1;
}
