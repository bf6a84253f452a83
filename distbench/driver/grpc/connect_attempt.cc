#include "distbench/driver/grpc/connect_attempt.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/grpc/grpc_client.h"
#include "distbench/driver/grpc/grpc_time.h"

namespace distbench {

ConnectAttempt::ConnectAttempt(ConnectAttemptOptions options)
    : client_(std::move(options.client)),
      queue_(options.queue),
      destination_(options.destination),
      deadline_(options.deadline),
      done_(std::move(options.done)),
      channels_(std::move(options.channels)) {}

void ConnectAttempt::Begin() {
  absl::MutexLock lock(&mutex_);
  // Idle, before it begins to connect: whatever it becomes is a change that Watch() tells.
  observed_ = CurrentState();
  for (const auto& channel : channels_) {
    grpc_channel_check_connectivity_state(channel->get(), /*try_to_connect=*/1);
  }
  Watch();
}

void ConnectAttempt::Abort() {
  absl::MutexLock lock(&mutex_);
  // A channel that is destroyed changes its state for the last time.
  channels_.clear();
}

grpc_connectivity_state ConnectAttempt::CurrentState() {
  return grpc_channel_check_connectivity_state(channels_[watched_]->get(), /*try_to_connect=*/1);
}

void ConnectAttempt::Watch() {
  grpc_channel_watch_connectivity_state(channels_[watched_]->get(), observed_,
                                        ToGrpcDeadline(deadline_), queue_, tag());
}

void ConnectAttempt::OnEvent(bool ok) {
  std::optional<Outcome> outcome = Observe(/*deadline_has_passed=*/!ok);
  if (!outcome) return;
  const std::shared_ptr<GrpcClient> client = std::move(client_);
  const std::function<void(absl::Status)> done = std::move(done_);
  client->ConnectEnded(this, destination_, std::move(outcome->channels));
  delete this;
  CallGate& gate = client->gate();
  if (gate.BeginCallback(kShard)) {
    done(std::move(outcome->status));
    gate.EndCallbackAndLeave(kShard);
  } else {
    gate.Leave(kShard);
  }
}

std::optional<ConnectAttempt::Outcome> ConnectAttempt::Observe(bool deadline_has_passed) {
  absl::MutexLock lock(&mutex_);
  if (channels_.empty()) {
    return Outcome{.status = absl::CancelledError("the grpc driver has stopped"), .channels = {}};
  }
  observed_ = CurrentState();
  while (observed_ == GRPC_CHANNEL_READY) {
    if (++watched_ == channels_.size()) {
      return Outcome{.status = absl::OkStatus(), .channels = std::move(channels_)};
    }
    observed_ = CurrentState();
  }
  if (deadline_has_passed) return Outcome{.status = NotConnected(), .channels = {}};
  Watch();
  return std::nullopt;
}

absl::Status ConnectAttempt::NotConnected() const {
  const bool was_refused = observed_ == GRPC_CHANNEL_TRANSIENT_FAILURE;
  return absl::UnavailableError(
      absl::StrCat("cannot connect to ", channels_[watched_]->address(), ": ",
                   was_refused ? "the connection is refused or breaks" : "there is no answer",
                   "; is the peer running, and does no firewall keep this host away from it?"));
}

}  // namespace distbench
