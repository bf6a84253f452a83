// Runs tests one after the other, each with a result file of its own, and says how far it is.
//
//   for each test:  has a result --> skipped
//                   runs --OK--> NAME.pb.gz    --fails--> NAME.failed.pb.gz, and the next one
//                        --stopped, or no cluster any more--> the end
//
// What is complete when it ends is kept, so that the next run goes on where this one ended.
#ifndef TEST_BUILDER_SEQUENCE_RUNNER_H_
#define TEST_BUILDER_SEQUENCE_RUNNER_H_

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "test_builder/result_files.h"
#include "test_builder/sequence_builder.h"

namespace distbench {

class TestRunner {
 public:
  virtual ~TestRunner() = default;

  // Runs the only test of `sequence` and writes its result to the file `path`. Errors: CANCELLED if
  // it was stopped, UNAVAILABLE if there is no cluster that could run others, else of this test
  // alone, whose result may be there all the same.
  virtual absl::Status Run(const TestSequence& sequence, const std::string& path) = 0;
};

struct SequenceRunOptions {
  std::function<absl::Time()> now = absl::Now;
  // Whether no further test shall begin.
  std::function<bool()> is_stopped = [] { return false; };
};

// OK if each test has a result now. Else which have not, and why; the code is that of what ended
// it, or of the first failure. `progress` gets a line for each test, with the time that is left.
absl::Status RunTests(const std::vector<BuiltTest>& tests, TestRunner& runner, ResultFiles& files,
                      std::ostream& progress, const SequenceRunOptions& options = {});

}  // namespace distbench

#endif  // TEST_BUILDER_SEQUENCE_RUNNER_H_
