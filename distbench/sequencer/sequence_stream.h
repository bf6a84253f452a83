// SequenceStream: one RunTestSequenceStream, from the request to the last chunk of the results.
//
//              progress                  results
//   Running -------------> Running ---------------> Delivering --last chunk written--> finished
//                                  '--an error---------------------------------------> finished
//
// One event is being written at a time. Of progress that waits behind it only the latest is kept,
// but that which begins a new phase. A caller who goes away cancels his sequence. Deletes itself
// when gRPC is done with it.
#ifndef DISTBENCH_SEQUENCER_SEQUENCE_STREAM_H_
#define DISTBENCH_SEQUENCER_SEQUENCE_STREAM_H_

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "distbench/sequencer/sequence_runner.h"
#include "grpcpp/grpcpp.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"

namespace distbench {

class SequenceStream final : public grpc::ServerWriteReactor<SequenceEvent> {
 public:
  SequenceStream(SequenceRunner& runner, const TestSequence& request);

  void OnWriteDone(bool ok) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnCancel() override { cancel_(); }
  void OnDone() override { delete this; }

 private:
  void OnProgress(const TestProgress& progress) ABSL_LOCKS_EXCLUDED(mutex_);
  void OnResults(absl::StatusOr<TestSequenceResults> results) ABSL_LOCKS_EXCLUDED(mutex_);

  // What is to be done about the stream, without the lock.
  enum class Step { kNothing, kWrite, kFinish };
  Step NextStep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Do(Step step) ABSL_LOCKS_EXCLUDED(mutex_);

  SequenceRunner::Cancel cancel_;

  absl::Mutex mutex_;
  std::deque<TestProgress> waiting_ ABSL_GUARDED_BY(mutex_);
  bool is_broken_ ABSL_GUARDED_BY(mutex_) = false;           // nothing can be written any more
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);  // none: the sequence still runs
  std::string results_ ABSL_GUARDED_BY(mutex_);              // serialized
  size_t next_result_byte_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_busy_ ABSL_GUARDED_BY(mutex_) = false;  // writing or finished

  SequenceEvent event_;  // that is being written
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SEQUENCE_STREAM_H_
