// Progress: one line on a terminal that says how far a test sequence is, renewed each second.
//
// An estimate: the answer of a sequence comes when all its tests are done, so what runs at this
// moment is concluded from how long the tests should take.
#ifndef DISTBENCH_CLI_PROGRESS_H_
#define DISTBENCH_CLI_PROGRESS_H_

#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace distbench {

class TestSequence;

// "test 2 of 3, 12 s of about 30 s". `expected` has an element for each test.
std::string ProgressLine(const std::vector<absl::Duration>& expected, absl::Duration elapsed);

class Progress {
 public:
  // Shows the line from now on, if standard error is a terminal; else does nothing.
  explicit Progress(const TestSequence& sequence);
  // Takes the line away.
  ~Progress();

  // Says something in place of the line, which does not come back; also where there is none.
  void EndWith(const std::string& message);

 private:
  void RunThread() ABSL_LOCKS_EXCLUDED(mutex_);

  std::vector<absl::Duration> expected_;  // constant after construction
  absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_PROGRESS_H_
