// Runs tests one after the other, each with a result file of its own, and says how far it is.
//
//   for each test:  has a result --> skipped
//                   runs --OK--> NAME.pb.gz    --fails--> NAME.failed.pb.gz, and the next one
//                        --stopped, or no other could be run either--> the end
//
// What is complete when it ends is kept, so that the next run goes on where this one ended.
#ifndef TEST_BUILDER_SWEEP_RUNNER_H_
#define TEST_BUILDER_SWEEP_RUNNER_H_

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "test_builder/result_files.h"
#include "test_builder/sequence_builder.h"

namespace distbench {

class TestRunner {
 public:
  // What has come of a test.
  struct Outcome {
    // OK: its result is in the file. CANCELLED: it was stopped. Else why it failed; there may be a
    // result all the same.
    absl::Status status;
    // No other test could be run either: there is nobody who runs it, or no place for its result.
    bool ends_sweep = false;
    std::string summary = "";  // for people
    // Not empty: the result is not in the file, which cannot hold so much, but here as records.
    std::string records_path = "";
  };

  virtual ~TestRunner() = default;

  // Runs the only test of `sequence` and writes its result to the file `path`.
  virtual Outcome Run(const TestSequence& sequence, const std::string& path) = 0;
};

struct SweepRunOptions {
  std::function<absl::Time()> now = absl::Now;
  // Whether no further test shall begin.
  std::function<bool()> is_stopped = [] { return false; };
};

// Which tests have a result in `folder`. Says so if it has some to read, and if one is damaged.
// Errors: of one that cannot be read or is that of another test, or CANCELLED.
absl::StatusOr<std::vector<bool>> FindComplete(const std::vector<BuiltTest>& tests,
                                               const std::string& folder, std::ostream& progress,
                                               const SweepRunOptions& options = {});

// Runs the tests that are not complete. OK if each test has a result now. Else which have not, or
// what ended it; the code is that, or of the first failure. `summaries` gets a line `Test: NAME`
// for each test, and its summary, unless it was stopped; `progress` a line for each test, with the
// time that is left, and why one failed.
absl::Status RunSweep(const std::vector<BuiltTest>& tests, const std::vector<bool>& is_complete,
                      TestRunner& runner, ResultFiles& files, std::ostream& summaries,
                      std::ostream& progress, const SweepRunOptions& options = {});

}  // namespace distbench

#endif  // TEST_BUILDER_SWEEP_RUNNER_H_
