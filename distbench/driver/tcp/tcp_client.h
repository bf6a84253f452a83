// TcpClient: the client side of a TcpDriver: its peers, and several connections to each.
//
// Shard s of S uses connections s, s + S, … of a peer, modulo their number, in turn. With as many
// connections as shards each shard has its own, on the event loop of the same number; with fewer,
// shards share them. A call that is started when an answer of the same peer comes in goes out the
// way the answer came: what a batch of answers sets off is a batch again, one write and one read.
//
// A multi-server channel has as many connections to each of its members, apart from those above. It
// is connected as soon as one member is; one that does not connect by the deadline stays out.
//
// Threads: as ProtocolDriver says for the methods of the same names. The connections to a peer or
// a channel are written by Connect only, before its `done`; calls come after that and read them
// without a lock.
#ifndef DISTBENCH_DRIVER_TCP_TCP_CLIENT_H_
#define DISTBENCH_DRIVER_TCP_TCP_CLIENT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/indices.h"
#include "distbench/base/timer.h"
#include "distbench/driver/call_gate.h"
#include "distbench/driver/channel_policy.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/tcp/endpoint.h"
#include "distbench/driver/tcp/loop_set.h"
#include "distbench/driver/tcp/tcp_client_connection.h"
#include "distbench/driver/tcp/tcp_counters.h"
#include "distbench/driver/tcp/tcp_settings.h"
#include "distbench/net/device_binding.h"

namespace distbench {

struct TcpClientOptions {
  const LoopSet* loops = nullptr;  // outlives the client, as do the timers
  TimerService* timers = nullptr;
  size_t connections = 1;  // to each peer
  TcpSideSettings settings;
  std::optional<DeviceBinding> device;  // that sockets are bound to; none: to none
  size_t shards = 1;
  size_t peer_count = 0;
  size_t channel_count = 0;
};

// Outlives its driver while a connect is under way.
class TcpClient final : public std::enable_shared_from_this<TcpClient> {
 public:
  explicit TcpClient(const TcpClientOptions& options);

  void Connect(InstanceIndex peer, const TcpEndpoint& endpoint, absl::Time deadline,
               std::function<void(absl::Status)> done);
  void ConnectChannel(ChannelIndex channel, const std::vector<TcpEndpoint>& members,
                      ChannelPolicy policy, absl::Time deadline,
                      std::function<void(absl::Status)> done);
  void StartCall(ClientCall* call);
  void CancelCall(ClientCall* call);
  void DrainOneWay(std::function<void()> done) ABSL_LOCKS_EXCLUDED(mutex_);

  // The two halves of Stop(): no call or connect begins any more, and those that are open end; then
  // their callbacks are waited for. Returns how many did not end.
  void BeginStop();
  int64_t FinishStop(absl::Time deadline);

  // Adds what has gone over all connections.
  void AddCounters(TcpCounters* sum) const ABSL_LOCKS_EXCLUDED(mutex_);
  int64_t one_way_lost() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Connections = std::vector<std::shared_ptr<TcpClientConnection>>;

  // How often a shard has taken its turn, apart from those of others. One thread at a time has a
  // shard.
  struct alignas(64) Turn {
    uint32_t Now() const { return value.load(std::memory_order_relaxed); }
    void Set(uint32_t next) { value.store(next, std::memory_order_relaxed); }

    std::atomic<uint32_t> value{0};
  };

  // Whom calls go to: one member is a peer, several are those of a channel.
  struct Destination {
    std::atomic<bool> is_reserved{false};  // connected or about to
    ChannelPolicy policy = ChannelPolicy::kPickFirst;
    std::vector<Connections> members;
    // By shard; empty where nobody takes turns.
    std::vector<Turn> turns;
  };

  // A Connect that is under way.
  struct Attempt;

  void Connect(Destination* destination, const std::vector<TcpEndpoint>& members,
               absl::Time deadline, std::function<void(absl::Status)> done)
      ABSL_LOCKS_EXCLUDED(mutex_);
  Connections NewConnections(const Destination* destination, const TcpEndpoint& endpoint);
  void OnConnected(Attempt* attempt, size_t member, const absl::Status& status)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void EndAttempt(Attempt* attempt, absl::Status outcome) ABSL_LOCKS_EXCLUDED(mutex_);
  void Discard(Destination* destination) ABSL_LOCKS_EXCLUDED(mutex_);
  TcpClientConnection& Choose(const ClientCall& call);
  TcpClientConnection& ChooseMember(Destination& channel, ShardIndex shard);
  // Of a member's connections the shard's, whose turn it is the `turn`-th time.
  TcpClientConnection& ConnectionOf(const Connections& member, ShardIndex shard,
                                    uint32_t turn) const {
    return *member[(shard.value() + turn * options_.shards) % member.size()];
  }
  bool AwaitClosed(absl::Time deadline) ABSL_LOCKS_EXCLUDED(mutex_);

  const TcpClientOptions options_;
  CallGate gate_;  // calls and connects
  IndexedVector<InstanceIndex, Destination> peers_;
  IndexedVector<ChannelIndex, Destination> channels_;

  mutable absl::Mutex mutex_;
  Connections all_ ABSL_GUARDED_BY(mutex_);     // of destinations and of attempts
  size_t closing_ ABSL_GUARDED_BY(mutex_) = 0;  // of them, during a stop
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_CLIENT_H_
