// ResultOutput: the flags that say where results go, and the telling. Shared by the modes that run
// tests. Not thread-safe.
#ifndef DISTBENCH_CLI_RESULT_OUTPUT_H_
#define DISTBENCH_CLI_RESULT_OUTPUT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/cli/result_file.h"

namespace distbench {

class FlagSet;
class TestSequenceResults;

class ResultOutput {
 public:
  void DeclareFlags(FlagSet* flags);
  // Whether the flags make sense.
  absl::Status Check() const;

  // Before the tests run.
  absl::StatusOr<ResultFile> Open() const;
  // Writes the results to `file` and prints the summaries: to standard output, or to standard error
  // where standard output is the file.
  absl::Status Tell(const TestSequenceResults& results, ResultFile* file) const;

 private:
  std::string outfile_ = "/dev/stdout";
  bool binary_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_RESULT_OUTPUT_H_
