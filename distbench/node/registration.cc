#include "distbench/node/registration.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr absl::Duration kFirstBackoff = absl::Milliseconds(100);
constexpr absl::Duration kLastBackoff = absl::Seconds(2);
// How long one attempt waits before the person in front hears that nobody answers.
constexpr absl::Duration kAttempt = absl::Seconds(2);

// The sequencer could not be reached or went away meanwhile; anything else it has decided itself.
bool IsWorthRetrying(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

absl::Status Explain(const std::string& sequencer, absl::Duration timeout,
                     const absl::Status& status) {
  if (absl::IsDeadlineExceeded(status) || absl::IsUnavailable(status)) {
    return absl::UnavailableError(absl::StrCat(
        "no test sequencer answered at ", sequencer, " within ", absl::FormatDuration(timeout),
        "; start it there first, or check --test_sequencer"));
  }
  return absl::Status(status.code(), absl::StrCat("the test sequencer at ", sequencer,
                                                  " refused the registration: ", status.message()));
}

}  // namespace

Registration::Registration(const std::string& sequencer)
    : sequencer_(sequencer),
      stub_(DistBenchTestSequencer::NewStub(ControlPlaneChannel(sequencer))) {}

absl::StatusOr<NodeConfig> Registration::Register(const NodeRegistration& registration,
                                                  absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  bool has_complained = false;
  for (absl::Duration backoff = kFirstBackoff;; backoff = std::min(2 * backoff, kLastBackoff)) {
    NodeConfig answer;
    const absl::Status status =
        TryOnce(registration, std::min(deadline, absl::Now() + kAttempt), &answer);
    if (status.ok()) return answer;
    if (absl::IsCancelled(status)) return status;
    if (!IsWorthRetrying(status) || absl::Now() + backoff >= deadline) {
      return Explain(sequencer_, timeout, status);
    }
    LOG_IF(WARNING, !std::exchange(has_complained, true))
        << "no test sequencer answers at " << sequencer_ << " yet; trying on for "
        << absl::FormatDuration(absl::Trunc(deadline - absl::Now(), absl::Seconds(1)));
    if (!Sleep(backoff)) return absl::CancelledError("registration was cancelled");
  }
}

absl::Status Registration::TryOnce(const NodeRegistration& registration, absl::Time deadline,
                                   NodeConfig* answer) {
  grpc::ClientContext context;
  context.set_deadline(absl::ToChronoTime(deadline));
  context.set_wait_for_ready(true);
  if (!Begin(&context)) return absl::CancelledError("registration was cancelled");
  const grpc::Status status = stub_->RegisterNode(&context, registration, answer);
  End();
  return FromGrpcStatus(status);
}

// A call on its way, which deletes itself when it is answered: before it tells, so that the channel
// never dies with it, on a thread of gRPC.
class Registration::Question final : public grpc::ClientUnaryReactor {
 public:
  Question(Registration* registration, const NodeRegistration& request, absl::Duration timeout,
           std::function<void(absl::StatusOr<NodeConfig>)> done)
      : registration_(registration), request_(request), done_(std::move(done)) {
    context_.set_deadline(absl::ToChronoTime(absl::Now() + timeout));
  }

  void Start() {
    if (!registration_->Begin(&context_)) context_.TryCancel();
    registration_->stub_->async()->RegisterNode(&context_, &request_, &answer_, this);
    StartCall();
  }

  void OnDone(const grpc::Status& status) override {
    registration_->End();
    const auto done = std::move(done_);
    const absl::Status outcome = FromGrpcStatus(status);
    NodeConfig answer = std::move(answer_);
    delete this;
    if (outcome.ok()) return done(std::move(answer));
    done(outcome);
  }

 private:
  Registration* const registration_;
  const NodeRegistration request_;
  std::function<void(absl::StatusOr<NodeConfig>)> done_;
  NodeConfig answer_;
  grpc::ClientContext context_;
};

void Registration::Ask(const NodeRegistration& registration, absl::Duration timeout,
                       std::function<void(absl::StatusOr<NodeConfig>)> done) {
  (new Question(this, registration, timeout, std::move(done)))->Start();
}

bool Registration::Begin(grpc::ClientContext* context) {
  absl::MutexLock lock(&mutex_);
  if (cancelled_) return false;
  context_ = context;
  return true;
}

void Registration::End() {
  absl::MutexLock lock(&mutex_);
  context_ = nullptr;
}

bool Registration::Sleep(absl::Duration duration) {
  absl::MutexLock lock(&mutex_);
  return !mutex_.AwaitWithTimeout(absl::Condition(&cancelled_), duration);
}

void Registration::Cancel() {
  absl::MutexLock lock(&mutex_);
  cancelled_ = true;
  if (context_ != nullptr) context_->TryCancel();
}

}  // namespace distbench
