// Progress: says on standard error how far a test sequence is: on a terminal one line that is
// renewed each second; elsewhere a line when a test's first RPCs have ended, and every ten seconds
// from then on. Thread-safe.
#ifndef DISTBENCH_CLI_PROGRESS_H_
#define DISTBENCH_CLI_PROGRESS_H_

#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/cli/sequence_progress.h"

namespace distbench {

class TestSequence;

class Progress {
 public:
  explicit Progress(const TestSequence& sequence);
  // Takes the terminal's line away.
  ~Progress();

  // As the sequencer tells it.
  void Tell(const TestProgress& progress) ABSL_LOCKS_EXCLUDED(mutex_);

  // Clears the terminal's line, so that something else can be printed there. It comes back.
  void MakeWay() ABSL_LOCKS_EXCLUDED(mutex_);

  // Says something; nothing comes after it.
  void EndWith(const std::string& message) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void RunThread() ABSL_LOCKS_EXCLUDED(mutex_);
  bool IsPlainLineDue() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const bool on_terminal_;
  const absl::Time start_;
  absl::Mutex mutex_;
  SequenceProgress sequence_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Plain lines: the last one's.
  int line_test_ ABSL_GUARDED_BY(mutex_) = -1;
  absl::Duration line_elapsed_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_;  // on a terminal only
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_PROGRESS_H_
