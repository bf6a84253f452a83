#include "distbench/sequencer/sequence_stream.h"

#include <utility>

#include "distbench/net/grpc_status.h"

namespace distbench {
namespace {

// Of about 1 MiB each.
constexpr size_t kMostRecords = 4;

bool BeginsAPhase(const TestProgress& progress) { return !progress.has_traffic(); }

}  // namespace

SequenceStream* SequenceStream::Start(SequenceRunner& runner, const TestSequence& request) {
  const std::shared_ptr<SequenceStream> stream(new SequenceStream(runner));
  stream->held_by_grpc_ = stream;
  stream->cancel_ = runner.Run(request, stream);
  return stream.get();
}

void SequenceStream::OnCancel() {
  {
    absl::MutexLock lock(&mutex_);
    is_broken_ = true;
  }
  cancel_();
  runner_.LookAgain();
}

void SequenceStream::OnDone() {
  const std::shared_ptr<SequenceStream> until_return = std::move(held_by_grpc_);
}

void SequenceStream::OnProgress(const TestProgress& progress) {
  Step step;
  {
    absl::MutexLock lock(&mutex_);
    if (!progress_.empty() && !BeginsAPhase(progress_.back())) progress_.pop_back();
    progress_.push_back(progress);
    step = NextStep();
  }
  Do(step);
}

void SequenceStream::OnRecord(ResultRecord record) {
  Step step;
  {
    absl::MutexLock lock(&mutex_);
    records_.push_back(std::move(record));
    step = NextStep();
  }
  Do(step);
}

bool SequenceStream::has_room() const {
  absl::MutexLock lock(&mutex_);
  return is_broken_ || records_.size() < kMostRecords;
}

bool SequenceStream::has_gone() const {
  absl::MutexLock lock(&mutex_);
  return is_broken_;
}

void SequenceStream::OnEnd(const absl::Status& status) {
  Step step;
  {
    absl::MutexLock lock(&mutex_);
    end_ = status;
    step = NextStep();
  }
  Do(step);
}

void SequenceStream::OnWriteDone(bool ok) {
  Step step;
  {
    absl::MutexLock lock(&mutex_);
    is_busy_ = false;
    is_broken_ |= !ok;
    step = NextStep();
  }
  Do(step);
  runner_.LookAgain();
}

SequenceStream::Step SequenceStream::NextStep() {
  if (is_busy_) return Step::kNothing;
  if (!is_broken_ && !progress_.empty()) {
    *event_.mutable_progress() = std::move(progress_.front());
    progress_.pop_front();
    is_busy_ = true;
    return Step::kWrite;
  }
  if (!is_broken_ && !records_.empty()) {
    *event_.mutable_record() = std::move(records_.front());
    records_.pop_front();
    is_busy_ = true;
    return Step::kWrite;
  }
  if (!end_.has_value()) return Step::kNothing;
  is_busy_ = true;
  return Step::kFinish;
}

void SequenceStream::Do(Step step) {
  if (step == Step::kWrite) StartWrite(&event_);
  if (step != Step::kFinish) return;
  absl::Status end;
  {
    absl::MutexLock lock(&mutex_);
    end = *end_;
  }
  Finish(ToGrpcStatus(end));
}

}  // namespace distbench
