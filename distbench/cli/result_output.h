// ResultOutput: the flags that say where results go and how they are written. Shared by the modes
// that run tests. Not thread-safe.
#ifndef DISTBENCH_CLI_RESULT_OUTPUT_H_
#define DISTBENCH_CLI_RESULT_OUTPUT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace distbench {

class FlagSet;
class ResultDestination;

class ResultOutput {
 public:
  void DeclareFlags(FlagSet* flags);
  // Whether the flags make sense.
  absl::Status Check() const;

  // Before the tests run. Summaries are printed to standard output, or to standard error where
  // standard output is the file.
  absl::StatusOr<std::unique_ptr<ResultDestination>> Open() const;

 private:
  std::string outfile_ = "/dev/stdout";
  bool binary_ = false;
  bool native_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_RESULT_OUTPUT_H_
