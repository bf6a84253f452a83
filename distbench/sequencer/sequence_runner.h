// SequenceRunner: runs sequences of tests, one at a time, the newest one first.
//
//   Run() --valid--> waiting --------------> running ---------------> answered
//                       '---- newer one -------' '-- newer one, stopped, caller gone: the test ends
//                                                    early, later ones are not begun
//
// A test that fails by itself (a node refuses it, overload, its timeout, a lost node) ends early,
// and the next one is begun all the same: it may need less. Only where a test finds no place
// because registered nodes do not answer are later ones not begun.
//
// A sequence of which a test was begun is answered with OK: the results of the tests begun, whose
// reports (status_code, status_message) and summaries say how each ended. Errors are for sequences
// of which nothing was begun.
//
// Run(), StopSequence() and Stop() are thread-safe; tests run on the one thread that calls Serve().
#ifndef DISTBENCH_SEQUENCER_SEQUENCE_RUNNER_H_
#define DISTBENCH_SEQUENCER_SEQUENCE_RUNNER_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/config/compiler.h"
#include "distbench/sequencer/run_context.h"
#include "distbench/sequencer/test_observer.h"

namespace distbench {

class ResultRecord;
class SequenceReceiver;
class TestResult;
class TestRun;
class TestSequence;

struct SequenceRunnerOptions {
  RunContext context;
  KnownDrivers drivers;
  // Called after the answer to a sequence with `shutdown_after_tests`, on the runner's thread.
  std::function<void()> on_shutdown;
};

class SequenceRunner {
 public:
  // Ends the sequence soon, unless it has ended. Thread-safe. Not used after the runner's end.
  using Cancel = std::function<void()>;

  explicit SequenceRunner(SequenceRunnerOptions options);
  ~SequenceRunner();

  // Compiles the sequence, and has it run in place of whatever is running. An empty one is answered
  // at once and disturbs nothing; an invalid one is refused with everything that is wrong with it.
  // The receiver hears of its end once, on this thread (before Run returns) or on the runner's.
  Cancel Run(TestSequence sequence, std::shared_ptr<SequenceReceiver> receiver);

  // A receiver has room again. Thread-safe.
  void LookAgain();

  // Ends the sequence of that id soon; its caller is answered with what there is. `done` is called
  // once, on this thread or the runner's, without waiting for that: NOT_FOUND if no such sequence
  // waits or runs.
  void StopSequence(std::string sequence_id, std::function<void(absl::Status)> done);

  // Runs what is asked for until Stop().
  void Serve();

  // Has all sequences end as cancelled, and Serve() return when they are answered. Sequences that
  // come later are refused.
  void Stop();

 private:
  struct Job;
  using JobPointer = std::shared_ptr<Job>;

  void Enqueue(const JobPointer& job);
  // Those that wait or run.
  std::vector<JobPointer> AllJobs() const;
  void StopAll(const absl::Status& reason);
  void Execute(Job& job);
  // Returns how many were begun.
  int RunTests(Job& job);
  void Deliver(Job& job, TestRun& run, TestResult result);
  // Waits until the receiver has room. False: it has gone, or will never have any.
  bool Send(Job& job, ResultRecord record);
  OnTestProgress ObserverOf(const Job& job, int test) const;
  void ShutDownNodes();

  const SequenceRunnerOptions options_;

  absl::Mutex mutex_;
  bool refusing_ ABSL_GUARDED_BY(mutex_) = false;

  // The rest belongs to the runner's thread.
  std::deque<JobPointer> waiting_;
  JobPointer running_;
  bool stopping_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SEQUENCE_RUNNER_H_
