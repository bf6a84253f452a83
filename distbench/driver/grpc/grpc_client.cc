#include "distbench/driver/grpc/grpc_client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/driver/grpc/callback_client_call.h"
#include "distbench/driver/grpc/connect_attempt.h"
#include "distbench/driver/grpc/grpc_client_call.h"
#include "distbench/driver/grpc/queue_client_call.h"
#include "distbench/driver/reserve_destination.h"

namespace distbench {
namespace {

absl::Status Stopped() { return absl::CancelledError("the grpc driver has stopped"); }

}  // namespace

GrpcClient::GrpcClient(const GrpcClientOptions& options)
    : options_(options),
      threads_(*options.threads),
      queue_shares_(options.shards, options.threads->size()),
      gate_(options.shards),
      peers_(options.peer_count),
      channels_(options.channel_count) {}

GrpcClient::~GrpcClient() = default;

// --- Connecting

void GrpcClient::Connect(InstanceIndex peer, const HostPort& address, absl::Time deadline,
                         std::function<void(absl::Status)> done) {
  const absl::Status reserved = ReserveDestination(peers_, peer, "peer");
  if (!reserved.ok()) return done(reserved);
  PeerChannelOptions options = ChannelOptions();
  options.addresses = {address};
  Connect(&peers_[peer], options, deadline, std::move(done));
}

void GrpcClient::ConnectChannel(ChannelIndex channel, const std::vector<HostPort>& members,
                                ChannelPolicy policy, absl::Time deadline,
                                std::function<void(absl::Status)> done) {
  const absl::Status reserved = ReserveDestination(channels_, channel, "channel");
  if (!reserved.ok()) return done(reserved);
  PeerChannelOptions options = ChannelOptions();
  options.addresses = members;
  options.policy = policy;
  Connect(&channels_[channel], options, deadline, std::move(done));
}

PeerChannelOptions GrpcClient::ChannelOptions() const {
  return {.addresses = {},
          .credentials = options_.credentials,
          .arguments = options_.settings.arguments,
          .device = options_.device,
          .for_callbacks = options_.settings.type == GrpcClientType::kCallback};
}

void GrpcClient::Connect(GrpcDestination* destination, const PeerChannelOptions& options,
                         absl::Time deadline, std::function<void(absl::Status)> done) {
  if (!gate_.Enter(ConnectAttempt::kShard)) return done(Stopped());
  PeerChannels channels;
  for (size_t i = 0; i < options_.settings.channels; ++i) {
    channels.push_back(std::make_unique<PeerChannel>(options));
  }
  auto* attempt = new ConnectAttempt({.client = shared_from_this(),
                                      .queue = threads_.queue(QueueIndex(0)),
                                      .destination = destination,
                                      .channels = std::move(channels),
                                      .deadline = deadline,
                                      .done = std::move(done)});
  absl::MutexLock lock(&mutex_);
  attempts_.insert(attempt);
  attempt->Begin();
  // A stop that began meanwhile has missed this attempt.
  if (gate_.closed()) attempt->Abort();
}

void GrpcClient::ConnectEnded(ConnectAttempt* attempt, GrpcDestination* destination,
                              PeerChannels channels) {
  absl::MutexLock lock(&mutex_);
  attempts_.erase(attempt);
  const bool is_connected = !channels.empty();
  if (is_connected) {
    destination->shares = std::make_unique<ShardShares>(options_.shards, channels.size());
  }
  destination->channels = std::move(channels);
  destination->is_reserved = is_connected;
}

// --- Calls

GrpcClientCall* GrpcClient::NewCall() {
  if (options_.settings.type == GrpcClientType::kCallback) {
    return new CallbackClientCall(shared_from_this());
  }
  return new QueueClientCall(shared_from_this());
}

std::unique_ptr<DriverCallState> GrpcClient::NewCallState() {
  GrpcClientCall* call = NewCall();
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
  const GrpcDestination& destination =
      call->channel ? channels_[*call->channel] : peers_[call->peer];
  GrpcCallState::Of(call).Start(call, *destination.channels[destination.shares->Next(shard)],
                                threads_.queue(QueueIndex(queue_shares_.Next(shard))));
}

void GrpcClient::CancelCall(ClientCall* call) { GrpcCallState::Of(call).Cancel(); }

void GrpcClient::ReleaseCall(ClientCall* call) { GrpcCallState::Of(call).Release(); }

// --- The end

void GrpcClient::BeginStop() {
  gate_.Close();
  AbortConnects();
  CancelOpenCalls();
}

int64_t GrpcClient::FinishStop(absl::Time deadline) {
  // A call that had passed the gate when it closed may have missed its cancel: again until all have
  // ended.
  constexpr absl::Duration kCancelInterval = absl::Milliseconds(20);
  bool all_have_ended = false;
  while (!all_have_ended) {
    all_have_ended = gate_.AwaitEmpty(std::min(deadline, absl::Now() + kCancelInterval));
    if (absl::Now() >= deadline) break;
    if (!all_have_ended) CancelOpenCalls();
  }
  const int64_t open = gate_.Detach();
  // Once empty, the gate counts but those that it is about to refuse.
  return all_have_ended ? 0 : open;
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
