// GrpcClient: the client side of a GrpcDriver: channels to peers, and the calls on them. A shard's
// RPCs use its share of a peer's channels and of the completion queues (shard_shares.h).
//
// Outlives its driver as long as a call object refers to it, so that a call which gRPC has not
// ended when the driver stops can end in peace.
//
// Threads: as ProtocolDriver says for the methods of the same names. Destinations are written by
// Connect only, before its `done`; calls come after that and read them without a lock.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_H_

#include <grpc/grpc.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/indices.h"
#include "distbench/driver/call_gate.h"
#include "distbench/driver/channel_policy.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/grpc/completion_threads.h"
#include "distbench/driver/grpc/grpc_settings.h"
#include "distbench/driver/grpc/peer_channel.h"
#include "distbench/driver/grpc/shard_shares.h"
#include "distbench/net/device_binding.h"
#include "distbench/net/socket_address.h"

namespace distbench {

class ConnectAttempt;
class GrpcClientCall;

// Whom calls go to: a peer, or the members of a multi-server channel.
struct GrpcDestination {
  std::atomic<bool> is_reserved{false};                // connected or about to
  std::vector<std::unique_ptr<PeerChannel>> channels;  // empty until connected
  std::unique_ptr<ShardShares> shares;                 // of the channels
};

struct GrpcClientOptions {
  GrpcClientSettings settings;
  const CompletionThreads* threads =
      nullptr;  // outlive the client; a callback client connects there
  size_t shards = 1;
  grpc_channel_credentials* credentials = nullptr;
  std::optional<DeviceBinding> device;  // that sockets are bound to; none: to none
  size_t peer_count = 0;
  size_t channel_count = 0;
};

class GrpcClient final : public std::enable_shared_from_this<GrpcClient> {
 public:
  explicit GrpcClient(const GrpcClientOptions& options);
  ~GrpcClient();

  void Connect(InstanceIndex peer, const HostPort& address, absl::Time deadline,
               std::function<void(absl::Status)> done);
  // `members` are numeric and of one family.
  void ConnectChannel(ChannelIndex channel, const std::vector<HostPort>& members,
                      ChannelPolicy policy, absl::Time deadline,
                      std::function<void(absl::Status)> done);
  std::unique_ptr<DriverCallState> NewCallState();
  void StartCall(ClientCall* call);
  void CancelCall(ClientCall* call);
  void ReleaseCall(ClientCall* call);

  // The two halves of Stop(): no call or connect begins any more, and those that are open are
  // cancelled; then they are waited for. Returns how many did not end.
  void BeginStop();
  int64_t FinishStop(absl::Time deadline);

 private:
  friend class ConnectAttempt;
  friend class GrpcClientCall;

  void Connect(GrpcDestination* destination, const PeerChannelOptions& options, absl::Time deadline,
               std::function<void(absl::Status)> done) ABSL_LOCKS_EXCLUDED(mutex_);
  void CancelOpenCalls() ABSL_LOCKS_EXCLUDED(mutex_);
  void AbortConnects() ABSL_LOCKS_EXCLUDED(mutex_);

  // For ConnectAttempt and GrpcClientCall.
  CallGate& gate() { return gate_; }
  void ConnectEnded(ConnectAttempt* attempt, GrpcDestination* destination,
                    std::vector<std::unique_ptr<PeerChannel>> channels) ABSL_LOCKS_EXCLUDED(mutex_);
  void Forget(GrpcClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);

  PeerChannelOptions ChannelOptions() const;
  GrpcClientCall* NewCall();

  const GrpcClientOptions options_;
  const CompletionThreads& threads_;
  ShardShares queue_shares_;
  CallGate gate_;  // calls and connects
  IndexedVector<InstanceIndex, GrpcDestination> peers_;
  IndexedVector<ChannelIndex, GrpcDestination> channels_;

  absl::Mutex mutex_;
  absl::flat_hash_set<ConnectAttempt*> attempts_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<GrpcClientCall*> calls_ ABSL_GUARDED_BY(mutex_);  // all call objects
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_H_
