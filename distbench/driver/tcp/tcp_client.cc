#include "distbench/driver/tcp/tcp_client.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/driver/reserve_destination.h"

namespace distbench {
namespace {

// Connecting and draining are rare: one shard counts them.
constexpr ShardIndex kConnectShard(0);
constexpr ShardIndex kDrainShard(0);

// How long peers may take to handle what came before a goodbye. One that runs needs a millisecond.
constexpr absl::Duration kFarewell = absl::Milliseconds(100);

absl::Status Stopped() { return absl::CancelledError("the tcp driver has stopped"); }

}  // namespace

struct TcpClient::Attempt {
  std::shared_ptr<TcpClient> client;
  Destination* destination = nullptr;
  std::function<void(absl::Status)> done;
  // All guarded by the client's mutex.
  std::vector<size_t> connections_left;  // that have not connected, by member
  size_t reports_left = 0;               // connections that have not reported
  absl::Status status;                   // the first error
  bool has_ended = false;
};

TcpClient::TcpClient(const TcpClientOptions& options)
    : options_(options),
      gate_(options.shards),
      peers_(options.peer_count),
      channels_(options.channel_count) {}

// --- Connecting

void TcpClient::Connect(InstanceIndex peer, const TcpEndpoint& endpoint, absl::Time deadline,
                        std::function<void(absl::Status)> done) {
  const absl::Status reserved = ReserveDestination(peers_, peer, "peer");
  if (!reserved.ok()) return done(reserved);
  Connect(&peers_[peer], {endpoint}, deadline, std::move(done));
}

void TcpClient::ConnectChannel(ChannelIndex channel, const std::vector<TcpEndpoint>& members,
                               ChannelPolicy policy, absl::Time deadline,
                               std::function<void(absl::Status)> done) {
  const absl::Status reserved = ReserveDestination(channels_, channel, "channel");
  if (!reserved.ok()) return done(reserved);
  channels_[channel].policy = policy;
  Connect(&channels_[channel], members, deadline, std::move(done));
}

void TcpClient::Connect(Destination* destination, const std::vector<TcpEndpoint>& members,
                        absl::Time deadline, std::function<void(absl::Status)> done) {
  if (!gate_.Enter(kConnectShard)) return done(Stopped());
  const bool takes_turns =
      destination->policy == ChannelPolicy::kRoundRobin || options_.connections > options_.shards;
  destination->turns = std::vector<Turn>(takes_turns ? options_.shards : 0);
  for (const TcpEndpoint& endpoint : members) {
    destination->members.push_back(NewConnections(destination, endpoint));
  }
  const std::vector<Connections> begun = destination->members;
  auto attempt = std::make_shared<Attempt>(
      Attempt{.client = shared_from_this(),
              .destination = destination,
              .done = std::move(done),
              .connections_left = std::vector<size_t>(members.size(), options_.connections),
              .reports_left = members.size() * options_.connections,
              .status = absl::OkStatus()});
  {
    absl::MutexLock lock(&mutex_);
    for (const Connections& member : begun) all_.insert(all_.end(), member.begin(), member.end());
  }
  for (size_t i = 0; i < begun.size(); ++i) {
    for (const auto& connection : begun[i]) {
      connection->Begin(deadline, [attempt, i](const absl::Status& status) {
        attempt->client->OnConnected(attempt.get(), i, status);
      });
    }
  }
  // A stop that began meanwhile has missed these.
  if (!gate_.closed()) return;
  for (const Connections& member : begun) {
    for (const auto& connection : member) connection->Stop([] {});
  }
}

TcpClient::Connections TcpClient::NewConnections(const Destination* destination,
                                                 const TcpEndpoint& endpoint) {
  Connections connections;
  for (size_t i = 0; i < options_.connections; ++i) {
    connections.push_back(std::make_shared<TcpClientConnection>(
        TcpClientConnectionOptions{.loop = &(*options_.loops)[i % options_.loops->size()],
                                   .timers = options_.timers,
                                   .gate = &gate_,
                                   .group = destination,
                                   .endpoint = endpoint,
                                   .settings = options_.settings,
                                   .device = options_.device}));
  }
  return connections;
}

void TcpClient::OnConnected(Attempt* attempt, size_t member, const absl::Status& status) {
  absl::Status outcome;
  {
    absl::MutexLock lock(&mutex_);
    attempt->status.Update(status);
    const bool is_last = --attempt->reports_left == 0;
    const bool has_member = status.ok() && --attempt->connections_left[member] == 0;
    if (attempt->has_ended || (!has_member && !is_last)) return;
    attempt->has_ended = true;
    if (!has_member) outcome = attempt->status;
  }
  EndAttempt(attempt, std::move(outcome));
}

void TcpClient::EndAttempt(Attempt* attempt, absl::Status outcome) {
  if (!outcome.ok()) Discard(attempt->destination);
  if (gate_.BeginCallback(kConnectShard)) {
    attempt->done(std::move(outcome));
    gate_.EndCallbackAndLeave(kConnectShard);
  } else {
    gate_.Leave(kConnectShard);
  }
}

// Those that did connect too: the destination is tried again as a whole.
void TcpClient::Discard(Destination* destination) {
  const std::vector<Connections> members = std::exchange(destination->members, {});
  for (const Connections& member : members) {
    for (const auto& connection : member) connection->Stop([] {});
  }
  absl::MutexLock lock(&mutex_);
  for (const Connections& member : members) {
    for (const auto& connection : member) {
      all_.erase(std::find(all_.begin(), all_.end(), connection));
    }
  }
  destination->is_reserved = false;
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
  if (call.channel) return ChooseMember(channels_[*call.channel], call.shard);
  Destination& peer = peers_[call.peer];
  const EventLoop* loop = EventLoop::Current();
  LoopMember* active = loop == nullptr ? nullptr : loop->active();
  if (active != nullptr && active->group() == &peer) {
    return *static_cast<TcpClientConnection*>(active);
  }
  const Connections& connections = peer.members.front();
  if (connections.size() <= options_.shards) return ConnectionOf(connections, call.shard, 0);
  Turn& turn = peer.turns[call.shard.value()];
  const uint32_t now = turn.Now();
  turn.Set(now + 1);
  return ConnectionOf(connections, call.shard, now);
}

TcpClientConnection& TcpClient::ChooseMember(Destination& channel, ShardIndex shard) {
  const auto count = static_cast<uint32_t>(channel.members.size());
  Turn* const turn =
      channel.policy == ChannelPolicy::kRoundRobin ? &channel.turns[shard.value()] : nullptr;
  const uint32_t first = turn == nullptr ? 0 : turn->Now();
  for (uint32_t now = first; now != first + count; ++now) {
    TcpClientConnection& connection =
        ConnectionOf(channel.members[now % count], shard, now / count);
    if (!connection.is_ready()) continue;
    if (turn != nullptr) turn->Set(now + 1);
    return connection;
  }
  return ConnectionOf(channel.members[first % count], shard, 0);  // it tells what is wrong
}

void TcpClient::CancelCall(ClientCall* call) {
  TcpClientCall& state = TcpClientCall::Of(call);
  // Not so if the driver had stopped and refused to start the call.
  if (state.connection != nullptr) state.connection->Cancel(&state);
}

void TcpClient::DrainOneWay(std::function<void()> done) {
  if (!gate_.Enter(kDrainShard)) return done();
  Connections all;
  {
    absl::MutexLock lock(&mutex_);
    all = all_;
  }
  auto left = std::make_shared<std::atomic<size_t>>(all.size() + 1);
  const auto on_drained = [self = shared_from_this(), left, done = std::move(done)] {
    if (left->fetch_sub(1) > 1) return;
    if (self->gate_.BeginCallback(kDrainShard)) {
      done();
      self->gate_.EndCallbackAndLeave(kDrainShard);
    } else {
      self->gate_.Leave(kDrainShard);
    }
  };
  for (const auto& connection : all) connection->DrainOneWay(on_drained);
  on_drained();
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

int64_t TcpClient::one_way_lost() const {
  int64_t sum = 0;
  absl::MutexLock lock(&mutex_);
  for (const auto& connection : all_) sum += connection->one_way_lost();
  return sum;
}

}  // namespace distbench
