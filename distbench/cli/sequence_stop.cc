#include "distbench/cli/sequence_stop.h"

#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "distbench/net/grpc_status.h"
#include "grpcpp/grpcpp.h"
#include "protos/distbench.pb.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

namespace {

// How long one attempt may take.
constexpr absl::Duration kAttempt = absl::Seconds(5);
// Between attempts: the sequence may still be on its way to the sequencer.
constexpr absl::Duration kPause = absl::Milliseconds(100);

}  // namespace

SequenceStop::SequenceStop(std::shared_ptr<grpc::Channel> channel, std::string sequence_id,
                           std::function<void()> on_unable)
    : channel_(std::move(channel)),
      sequence_id_(std::move(sequence_id)),
      on_unable_(std::move(on_unable)),
      thread_([this] { RunThread(); }) {}

SequenceStop::~SequenceStop() {
  {
    absl::MutexLock lock(&mutex_);
    ending_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }
  thread_.join();
}

void SequenceStop::Request() {
  absl::MutexLock lock(&mutex_);
  requested_ = true;
}

void SequenceStop::RunThread() {
  if (!AwaitRequest()) return;
  do {
    const absl::Status status = Ask();
    if (status.ok()) return;
    if (absl::IsUnimplemented(status)) return on_unable_();
  } while (AwaitNextAttempt());
}

bool SequenceStop::AwaitRequest() {
  absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(this, &SequenceStop::IsRequestedOrEnding));
  return !ending_;
}

bool SequenceStop::AwaitNextAttempt() {
  absl::MutexLock lock(&mutex_);
  return !mutex_.AwaitWithTimeout(absl::Condition(&ending_), kPause);
}

absl::Status SequenceStop::Ask() {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + kAttempt));
  {
    absl::MutexLock lock(&mutex_);
    if (ending_) return absl::CancelledError("nobody wants it any more");
    context_ = &context;
  }
  StopTestSequenceRequest request;
  request.set_sequence_id(sequence_id_);
  StopTestSequenceResult result;
  const grpc::Status status =
      DistBenchTestSequencer::NewStub(channel_)->StopTestSequence(&context, request, &result);
  absl::MutexLock lock(&mutex_);
  context_ = nullptr;
  return FromGrpcStatus(status);
}

}  // namespace distbench
