// SequenceStream: one RunTestSequenceStream, from the request to the last record.
//
//   Running --OnEnd, all written--> finished
//
// One event is being written at a time. Of progress that waits behind it only the latest is kept,
// but that which begins a new phase; records wait in order, few at a time. A caller who goes away
// cancels his sequence.
//
// gRPC and the runner both hold it, each until it is done with it.
#ifndef DISTBENCH_SEQUENCER_SEQUENCE_STREAM_H_
#define DISTBENCH_SEQUENCER_SEQUENCE_STREAM_H_

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/sequencer/sequence_receiver.h"
#include "distbench/sequencer/sequence_runner.h"
#include "grpcpp/grpcpp.h"

namespace distbench {

class SequenceStream final : public grpc::ServerWriteReactor<SequenceEvent>,
                             public SequenceReceiver {
 public:
  // The stream that gRPC is to be given. `runner` outlives it.
  static SequenceStream* Start(SequenceRunner& runner, const TestSequence& request);

  void OnWriteDone(bool ok) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnCancel() override;
  void OnDone() override;

  bool wants_progress() const override { return true; }
  void OnProgress(const TestProgress& progress) override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnRecord(ResultRecord record) override ABSL_LOCKS_EXCLUDED(mutex_);
  bool has_room() const override ABSL_LOCKS_EXCLUDED(mutex_);
  bool has_gone() const override ABSL_LOCKS_EXCLUDED(mutex_);
  void OnEnd(const absl::Status& status) override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  explicit SequenceStream(SequenceRunner& runner) : runner_(runner) {}

  // What is to be done about the stream, without the lock.
  enum class Step { kNothing, kWrite, kFinish };
  Step NextStep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Do(Step step) ABSL_LOCKS_EXCLUDED(mutex_);

  SequenceRunner& runner_;
  SequenceRunner::Cancel cancel_;
  std::shared_ptr<SequenceStream> held_by_grpc_;

  mutable absl::Mutex mutex_;
  std::deque<TestProgress> progress_ ABSL_GUARDED_BY(mutex_);  // told before the records
  std::deque<ResultRecord> records_ ABSL_GUARDED_BY(mutex_);
  bool is_broken_ ABSL_GUARDED_BY(mutex_) = false;           // nothing can be written any more
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);  // none: the sequence still runs
  bool is_busy_ ABSL_GUARDED_BY(mutex_) = false;             // writing or finished

  SequenceEvent event_;  // that is being written
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SEQUENCE_STREAM_H_
