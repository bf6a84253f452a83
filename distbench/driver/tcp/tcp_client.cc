#include "distbench/driver/tcp/tcp_client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace distbench {
namespace {

// Connecting is rare: one shard counts it.
constexpr ShardIndex kConnectShard(0);

// How long peers may take to handle what came before a goodbye. One that runs needs a millisecond.
constexpr absl::Duration kFarewell = absl::Milliseconds(100);

absl::Status Stopped() { return absl::CancelledError("the tcp driver has stopped"); }

}  // namespace

struct TcpClient::Attempt {
  std::shared_ptr<TcpClient> client;
  InstanceIndex peer;
  Connections connections;
  std::function<void(absl::Status)> done;
  size_t left = 0;      // connections that have not reported; guarded by the client's mutex
  absl::Status status;  // the first error; guarded likewise
};

TcpClient::TcpClient(const TcpClientOptions& options)
    : options_(options),
      gate_(options.shards),
      peers_(options.peer_count),
      turns_(options.shards * options.peer_count) {}

// --- Connecting

void TcpClient::Connect(InstanceIndex peer, const TcpEndpoint& endpoint, absl::Time deadline,
                        std::function<void(absl::Status)> done) {
  absl::Status refusal = CheckReachable(endpoint);
  if (refusal.ok()) refusal = ReservePeer(peer);
  if (!refusal.ok()) return done(refusal);
  if (!gate_.Enter(kConnectShard)) return done(Stopped());
  const Connections connections = NewConnections(peer, endpoint);
  auto attempt = std::make_shared<Attempt>(Attempt{.client = shared_from_this(),
                                                   .peer = peer,
                                                   .connections = connections,
                                                   .done = std::move(done),
                                                   .left = connections.size()});
  {
    absl::MutexLock lock(&mutex_);
    all_.insert(all_.end(), connections.begin(), connections.end());
  }
  for (const auto& connection : connections) {
    connection->Begin(deadline, [attempt](const absl::Status& status) {
      attempt->client->OnConnected(attempt.get(), status);
    });
  }
  // A stop that began meanwhile has missed these.
  if (!gate_.closed()) return;
  for (const auto& connection : connections) connection->Stop([] {});
}

absl::Status TcpClient::ReservePeer(InstanceIndex peer) {
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

TcpClient::Connections TcpClient::NewConnections(InstanceIndex peer, const TcpEndpoint& endpoint) {
  Connections connections;
  for (size_t i = 0; i < options_.connections; ++i) {
    connections.push_back(std::make_shared<TcpClientConnection>(
        TcpClientConnectionOptions{.loop = &(*options_.loops)[i % options_.loops->size()],
                                   .timers = options_.timers,
                                   .gate = &gate_,
                                   .group = &peers_[peer],
                                   .endpoint = endpoint,
                                   .settings = options_.settings,
                                   .device = options_.device}));
  }
  return connections;
}

void TcpClient::OnConnected(Attempt* attempt, const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    attempt->status.Update(status);
    if (--attempt->left > 0) return;
  }
  EndAttempt(attempt);
}

void TcpClient::EndAttempt(Attempt* attempt) {
  if (attempt->status.ok()) {
    peers_[attempt->peer].connections = std::move(attempt->connections);
  } else {
    Discard(attempt->connections);
    absl::MutexLock lock(&mutex_);
    peers_[attempt->peer].is_reserved = false;
  }
  if (gate_.BeginCallback(kConnectShard)) {
    attempt->done(std::move(attempt->status));
    gate_.EndCallbackAndLeave(kConnectShard);
  } else {
    gate_.Leave(kConnectShard);
  }
}

// Those that did connect too: the peer is tried again as a whole.
void TcpClient::Discard(const Connections& connections) {
  for (const auto& connection : connections) connection->Stop([] {});
  absl::MutexLock lock(&mutex_);
  for (const auto& connection : connections) {
    all_.erase(std::find(all_.begin(), all_.end(), connection));
  }
}

// --- Calls

void TcpClient::StartCall(ClientCall* call) {
  const ShardIndex shard = call->shard;
  if (!gate_.Enter(shard)) return call->OnCallDone(Stopped(), ReceivedMessage{});
  if (call->request.size() > kMaxTcpMessageBytes) {
    const absl::Status too_large = absl::ResourceExhaustedError(
        absl::StrCat("a request of ", call->request.size(), " bytes; the driver tcp takes at most ",
                     kMaxTcpMessageBytes));
    call->OnCallDone(too_large, ReceivedMessage{});
    return gate_.Leave(shard);
  }
  TcpClientCall& state = TcpClientCall::Of(call);
  TcpClientConnection& connection = Choose(*call);
  state.call = call;
  state.connection = &connection;
  connection.Start(&state);
}

TcpClientConnection& TcpClient::Choose(const ClientCall& call) {
  const EventLoop* loop = EventLoop::Current();
  LoopMember* active = loop == nullptr ? nullptr : loop->active();
  if (active != nullptr && active->group() == &peers_[call.peer]) {
    return *static_cast<TcpClientConnection*>(active);
  }
  const Connections& connections = peers_[call.peer].connections;
  const size_t count = connections.size();
  const size_t shard = call.shard.value();
  if (count <= options_.shards) return *connections[shard % count];
  std::atomic<uint32_t>& turn = turns_[shard * peers_.size() + call.peer.value()];
  const uint32_t now = turn.load(std::memory_order_relaxed);
  turn.store(now + 1, std::memory_order_relaxed);
  return *connections[(shard + now * options_.shards) % count];
}

void TcpClient::CancelCall(ClientCall* call) {
  TcpClientCall& state = TcpClientCall::Of(call);
  // Not so if the driver had stopped and refused to start the call.
  if (state.connection != nullptr) state.connection->Cancel(&state);
}

// --- The end

void TcpClient::BeginStop() {
  gate_.Close();
  Connections all;
  {
    absl::MutexLock lock(&mutex_);
    all = all_;
    closing_ = all.size();
  }
  for (const auto& connection : all) {
    connection->Stop([this] {
      absl::MutexLock lock(&mutex_);
      --closing_;
    });
  }
}

int64_t TcpClient::FinishStop(absl::Time deadline) {
  const int64_t abandoned = gate_.EndBy(deadline);
  if (AwaitClosed(std::min(deadline, absl::Now() + kFarewell))) return abandoned;
  Connections all;
  {
    absl::MutexLock lock(&mutex_);
    all = all_;
  }
  for (const auto& connection : all) connection->CloseNow();
  AwaitClosed(absl::InfiniteFuture());
  return abandoned;
}

bool TcpClient::AwaitClosed(absl::Time deadline) {
  const auto all_closed = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return closing_ == 0; };
  absl::MutexLock lock(&mutex_);
  return mutex_.AwaitWithDeadline(absl::Condition(&all_closed), deadline);
}

void TcpClient::AddCounters(TcpCounters* sum) const {
  absl::MutexLock lock(&mutex_);
  for (const auto& connection : all_) sum->Add(connection->counters());
}

}  // namespace distbench
