// ResultAssembler: records of a sequence of tests -> TestSequenceResults.
//
//   header --> Between tests --test--> In a test --test_end--> Between tests --file_end--> whole
//
// Records come from files and daemons, so each is checked against those before. Not thread-safe.
#ifndef DISTBENCH_RESULTS_RESULT_ASSEMBLER_H_
#define DISTBENCH_RESULTS_RESULT_ASSEMBLER_H_

#include <cstddef>
#include <functional>
#include <memory>

#include "absl/status/status.h"

namespace distbench {

class ResultRecord;
class SampleBlock;
class TestResult;
class TestSequenceResults;

// The newest form of records that this program writes and reads.
inline constexpr int kResultFormatVersion = 1;

// Below the 2 GiB at which protobuf refuses to serialize, with room for what gRPC adds.
inline constexpr size_t kMaxResultBytes = (size_t{1} << 31) - (size_t{1} << 20);

// A test, and its position.
using VisitTestPiece = std::function<void(const TestResult& test, int index)>;

struct ResultAssemblerOptions {
  // kDropped: they are counted as left out. kIgnored: somebody else keeps them.
  enum class Samples { kKept, kDropped, kIgnored } samples = Samples::kKept;
  // Not null: shown each test with the samples of one block at a time, which are ignored after
  // that, and at its end once more with its replay traces.
  VisitTestPiece visit_piece = nullptr;
  // Of the results when they are serialized.
  size_t max_bytes = kMaxResultBytes;
  // What happens to a test that does not fit: its samples, and if need be its logs, are dropped
  // with a line in its summary; or Add() returns RESOURCE_EXHAUSTED.
  bool drops_what_is_too_large = false;
};

class ResultAssembler {
 public:
  explicit ResultAssembler(ResultAssemblerOptions options = {});
  ~ResultAssembler();

  // The next record. After an error only Take() may be called: what came before it counts.
  absl::Status Add(ResultRecord record);

  // The file_end has come: nothing is missing.
  bool is_whole() const { return is_whole_; }

  // All tests so far; one whose end has not come says so in its summary. Once.
  TestSequenceResults Take();

 private:
  absl::Status BeginTest(TestResult* test);
  absl::Status AddToTest(ResultRecord* record);
  absl::Status AddBlock(const SampleBlock& block);
  void ShowAndForget(const SampleBlock& block);
  void EndTest();
  void MakeFit();

  const ResultAssemblerOptions options_;
  const std::unique_ptr<TestSequenceResults> results_;
  size_t done_bytes_ = 0;    // of the tests before the current one
  size_t sample_bytes_ = 0;  // of the current one, in the public form
  bool has_header_ = false;
  bool is_whole_ = false;
  bool drops_samples_ = false;     // of the current test
  TestResult* current_ = nullptr;  // in results_; null: between tests
  // Shown at the end of the current test: logs with nothing but replay traces and error texts.
  const std::unique_ptr<TestResult> replays_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_RESULT_ASSEMBLER_H_
