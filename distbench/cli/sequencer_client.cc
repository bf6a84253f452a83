#include "distbench/cli/sequencer_client.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/cli/sequence_stop.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "distbench/net/grpc_target.h"
#include "distbench/results/provenance.h"
#include "distbench/results/result_records.h"
#include "grpcpp/grpcpp.h"
#include "protos/progress.pb.h"
#include "protos/provenance.pb.h"
#include "protos/result_record.pb.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

namespace {

// How long a call that should fail at once may take to say why.
constexpr absl::Duration kReasonTimeout = absl::Seconds(1);
// How often Connect looks whether it was cancelled.
constexpr absl::Duration kConnectSlice = absl::Milliseconds(100);

}  // namespace

SequencerClient::SequencerClient(const HostPort& address)
    : address_(FormatHostPort(address.host, address.port)),
      channel_(ControlPlaneChannel(GrpcTarget(address))) {}

SequencerClient::~SequencerClient() = default;

absl::Status SequencerClient::Connect(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  while (!channel_->WaitForConnected(absl::ToChronoTime(absl::Now() + kConnectSlice))) {
    if (cancelled()) return absl::CancelledError("cancelled");
    if (absl::Now() >= deadline) return WhyUnreachable(timeout);
  }
  return absl::OkStatus();
}

absl::Status SequencerClient::Run(const TestSequence& sequence, absl::Duration deadline,
                                  const Listener& listener) {
  const absl::Time end = absl::Now() + deadline;
  grpc::Status status = RunStreaming(sequence, end, listener);
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    status = RunUnary(sequence, end, listener);
  }
  return status.ok() ? absl::OkStatus() : Explain(status, deadline);
}

grpc::Status SequencerClient::RunStreaming(const TestSequence& sequence, absl::Time deadline,
                                           const Listener& listener) {
  const auto stub = DistBenchTestSequencer::NewStub(channel_);
  bool is_whole = false;
  const grpc::Status status = Reachably(sequence, deadline, [&](grpc::ClientContext* context) {
    const auto reader = stub->RunTestSequenceStream(context, sequence);
    SequenceEvent event;
    while (reader->Read(&event)) {
      if (event.has_progress()) listener.on_progress(event.progress());
      if (event.has_record()) listener.on_record(event.record());
      is_whole |= event.record().has_file_end();
    }
    return reader->Finish();
  });
  if (!status.ok() || is_whole || sequence.tests().empty()) return status;
  return grpc::Status(
      grpc::StatusCode::DATA_LOSS,
      absl::StrCat("the test sequencer at ", address_, " did not send all of the results"));
}

grpc::Status SequencerClient::RunUnary(const TestSequence& sequence, absl::Time deadline,
                                       const Listener& listener) {
  const auto stub = DistBenchTestSequencer::NewStub(channel_);
  TestSequenceResults results;
  const grpc::Status status = Reachably(sequence, deadline, [&](grpc::ClientContext* context) {
    return stub->RunTestSequence(context, sequence, &results);
  });
  if (status.ok()) {
    VisitResults(std::move(results), ProgramProvenance({}),
                 [&](const ResultRecord& record) { listener.on_record(record); });
  }
  return status;
}

grpc::Status SequencerClient::Reachably(
    const TestSequence& sequence, absl::Time deadline,
    const std::function<grpc::Status(grpc::ClientContext*)>& call) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  SequenceStop stop(channel_, sequence.sequence_id(), [this] { CancelUnstoppable(); });
  Running running = {.context = context, .stop = stop};
  if (!SetRunning(&running)) return grpc::Status(grpc::StatusCode::CANCELLED, "cancelled");
  const grpc::Status status = call(&context);
  SetRunning(nullptr);
  return status;
}

absl::Status SequencerClient::Explain(const grpc::Status& status, absl::Duration deadline) const {
  absl::MutexLock lock(&mutex_);
  if (is_unstoppable_) {
    return absl::CancelledError(
        absl::StrCat("cancelled; the results of complete tests are lost, because the test "
                     "sequencer at ",
                     address_, " is older and can only drop a sequence"));
  }
  if (cancelled_) return absl::CancelledError("cancelled");
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
    return absl::DeadlineExceededError(
        absl::StrCat("the test sequencer at ", address_, " did not answer within ",
                     absl::FormatDuration(deadline), ", the time that the tests may take"));
  }
  if (status.error_code() == grpc::StatusCode::UNAVAILABLE) {
    return absl::UnavailableError(
        absl::StrCat("lost the test sequencer at ", address_, ": ", status.error_message()));
  }
  return FromGrpcStatus(status);
}

void SequencerClient::Stop() {
  absl::MutexLock lock(&mutex_);
  if (running_ != nullptr) {
    running_->stop.Request();
  } else {
    cancelled_ = true;
  }
}

void SequencerClient::Cancel() {
  absl::MutexLock lock(&mutex_);
  cancelled_ = true;
  if (running_ != nullptr) running_->context.TryCancel();
}

void SequencerClient::CancelUnstoppable() {
  absl::MutexLock lock(&mutex_);
  if (running_ == nullptr) return;
  is_unstoppable_ = true;
  running_->context.TryCancel();
}

bool SequencerClient::SetRunning(Running* running) {
  absl::MutexLock lock(&mutex_);
  running_ = running;
  if (running_ != nullptr && cancelled_) running_ = nullptr;
  return running_ == running;
}

bool SequencerClient::cancelled() const {
  absl::MutexLock lock(&mutex_);
  return cancelled_;
}

absl::Status SequencerClient::WhyUnreachable(absl::Duration timeout) const {
  // The channel does not tell why; a call does.
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(absl::Now() + kReasonTimeout));
  TestSequenceResults results;
  const grpc::Status status = DistBenchTestSequencer::NewStub(channel_)->RunTestSequence(
      &context, TestSequence(), &results);
  if (status.ok()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot reach a test sequencer at ", address_,
                                             " within ", absl::FormatDuration(timeout), ": ",
                                             status.error_message()));
}

}  // namespace distbench
