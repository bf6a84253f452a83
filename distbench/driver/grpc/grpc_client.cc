#include "distbench/driver/grpc/grpc_client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/driver/grpc/connect_attempt.h"
#include "distbench/driver/grpc/grpc_client_call.h"

namespace distbench {
namespace {

absl::Status Stopped() { return absl::CancelledError("the grpc driver has stopped"); }

}  // namespace

GrpcClient::GrpcClient(const GrpcClientOptions& options)
    : threads_(*options.threads),
      credentials_(options.credentials),
      gate_(options.threads->size()),
      peers_(options.peer_count) {}

GrpcClient::~GrpcClient() = default;

void GrpcClient::Connect(InstanceIndex peer, const HostPort& address, absl::Time deadline,
                         std::function<void(absl::Status)> done) {
  if (!gate_.Enter(ConnectAttempt::kShard)) return done(Stopped());
  if (absl::Status reserved = ReservePeer(peer); !reserved.ok()) {
    done(std::move(reserved));
    gate_.Leave(ConnectAttempt::kShard);
    return;
  }
  auto channel = std::make_unique<PeerChannel>(address, credentials_);
  auto* attempt = new ConnectAttempt({.client = shared_from_this(),
                                      .queue = threads_.queue(ConnectAttempt::kShard),
                                      .peer = peer,
                                      .channel = std::move(channel),
                                      .deadline = deadline,
                                      .done = std::move(done)});
  absl::MutexLock lock(&mutex_);
  attempts_.insert(attempt);
  attempt->Begin();
  // A stop that began meanwhile has missed this attempt.
  if (gate_.closed()) attempt->Abort();
}

absl::Status GrpcClient::ReservePeer(InstanceIndex peer) {
  if (peer.value() >= peers_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("peer ", peer.value(), " of a test with ", peers_.size(), " instances"));
  }
  absl::MutexLock lock(&mutex_);
  if (std::exchange(peers_[peer].is_reserved, true)) {
    return absl::FailedPreconditionError(
        absl::StrCat("peer ", peer.value(), " is connected already"));
  }
  return absl::OkStatus();
}

void GrpcClient::ConnectEnded(ConnectAttempt* attempt, InstanceIndex peer,
                              std::unique_ptr<PeerChannel> channel) {
  absl::MutexLock lock(&mutex_);
  attempts_.erase(attempt);
  peers_[peer].is_reserved = channel != nullptr;
  peers_[peer].channel = std::move(channel);
}

std::unique_ptr<DriverCallState> GrpcClient::NewCallState() {
  auto* call = new GrpcClientCall(shared_from_this());
  absl::MutexLock lock(&mutex_);
  calls_.insert(call);
  return std::make_unique<GrpcCallState>(call);
}

void GrpcClient::Forget(GrpcClientCall* call) {
  absl::MutexLock lock(&mutex_);
  calls_.erase(call);
}

void GrpcClient::StartCall(ClientCall* call) {
  const ShardIndex shard = call->shard;
  if (!gate_.Enter(shard)) return call->OnCallDone(Stopped(), ReceivedMessage{});
  if (call->request.size() > kMaxGrpcMessageSize) {
    const absl::Status too_large = absl::ResourceExhaustedError(absl::StrCat(
        "a request of ", call->request.size(), " bytes; gRPC takes at most ", kMaxGrpcMessageSize));
    call->OnCallDone(too_large, ReceivedMessage{});
    return gate_.Leave(shard);
  }
  GrpcCallState::Of(call).Start(call, *peers_[call->peer].channel, threads_.queue(shard));
}

void GrpcClient::CancelCall(ClientCall* call) { GrpcCallState::Of(call).Cancel(); }

void GrpcClient::ReleaseCall(ClientCall* call) { GrpcCallState::Of(call).Release(); }

void GrpcClient::BeginStop() {
  gate_.Close();
  AbortConnects();
  CancelOpenCalls();
}

int64_t GrpcClient::FinishStop(absl::Time deadline) {
  // A call that had passed the gate when it closed may have missed its cancel: again until all have
  // ended.
  constexpr absl::Duration kCancelInterval = absl::Milliseconds(20);
  while (!gate_.AwaitEmpty(std::min(deadline, absl::Now() + kCancelInterval))) {
    if (absl::Now() >= deadline) break;
    CancelOpenCalls();
  }
  return gate_.Detach();
}

void GrpcClient::CancelOpenCalls() {
  absl::MutexLock lock(&mutex_);
  for (GrpcClientCall* call : calls_) call->CancelFromOutside();
}

void GrpcClient::AbortConnects() {
  absl::MutexLock lock(&mutex_);
  for (ConnectAttempt* attempt : attempts_) attempt->Abort();
}

}  // namespace distbench
