#include "distbench/sequencer/sequence_stream.h"

#include <algorithm>
#include <utility>

#include "distbench/net/grpc_status.h"

namespace distbench {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

bool BeginsAPhase(const TestProgress& progress) { return !progress.has_traffic(); }

}  // namespace

SequenceStream::SequenceStream(SequenceRunner& runner, const TestSequence& request) {
  cancel_ = runner.Run(
      request,
      [this](absl::StatusOr<TestSequenceResults> results) { OnResults(std::move(results)); },
      [this](const TestProgress& progress) { OnProgress(progress); });
}

void SequenceStream::OnProgress(const TestProgress& progress) {
  Step step;
  {
    absl::MutexLock lock(&mutex_);
    if (!waiting_.empty() && !BeginsAPhase(waiting_.back())) waiting_.pop_back();
    waiting_.push_back(progress);
    step = NextStep();
  }
  Do(step);
}

void SequenceStream::OnResults(absl::StatusOr<TestSequenceResults> results) {
  Step step;
  {
    absl::MutexLock lock(&mutex_);
    end_ = results.status();
    if (results.ok()) results_ = results->SerializeAsString();
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
}

SequenceStream::Step SequenceStream::NextStep() {
  if (is_busy_) return Step::kNothing;
  if (!is_broken_ && !waiting_.empty()) {
    *event_.mutable_progress() = std::move(waiting_.front());
    waiting_.pop_front();
    is_busy_ = true;
    return Step::kWrite;
  }
  if (!is_broken_ && next_result_byte_ < results_.size()) {
    event_.set_results_chunk(results_.substr(next_result_byte_, kChunkBytes));
    next_result_byte_ += kChunkBytes;
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
