// ConnectAttempt: waits, without a thread, until the channels to a destination are connected. They
// connect at the same time and are watched one after the other.
//
//                       TRANSIENT_FAILURE: gRPC tries again;
//                       READY: the next channel
//                      .-----------------.
//                      v                 |
//   Begin --> watching a channel's state ---READY, the last one--> done(OK)
//                      |
//                      |--deadline--> done(UNAVAILABLE), naming the address
//                      '--Abort-----> done(CANCELLED)
//
// Deletes itself after `done`.
#ifndef DISTBENCH_DRIVER_GRPC_CONNECT_ATTEMPT_H_
#define DISTBENCH_DRIVER_GRPC_CONNECT_ATTEMPT_H_

#include <grpc/grpc.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/indices.h"
#include "distbench/driver/grpc/completion_event.h"
#include "distbench/driver/grpc/peer_channel.h"

namespace distbench {

class GrpcClient;
struct GrpcDestination;

using PeerChannels = std::vector<std::unique_ptr<PeerChannel>>;

struct ConnectAttemptOptions {
  std::shared_ptr<GrpcClient> client;      // whose gate was entered for this attempt
  grpc_completion_queue* queue = nullptr;  // of kShard
  GrpcDestination* destination = nullptr;  // of the client
  PeerChannels channels;                   // at least one
  absl::Time deadline;
  std::function<void(absl::Status)> done;
};

class ConnectAttempt final : public CompletionEvent {
 public:
  // Connecting is rare: one shard sees to it.
  static constexpr ShardIndex kShard{0};

  explicit ConnectAttempt(ConnectAttemptOptions options);

  // Starts to connect.
  void Begin() ABSL_LOCKS_EXCLUDED(mutex_);

  // Makes the attempt end soon. Requires: Begin() was called, the attempt has not ended.
  void Abort() ABSL_LOCKS_EXCLUDED(mutex_);

  // The watched channel's state is no longer `observed_`, or the deadline has passed.
  void OnEvent(bool ok) override;

 private:
  // The state of the channel that is watched, which is told to connect if it does not.
  grpc_connectivity_state CurrentState() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Watch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  struct Outcome {
    absl::Status status;
    PeerChannels channels;  // empty unless the status is OK
  };

  // None while the attempt goes on.
  std::optional<Outcome> Observe(bool deadline_has_passed) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status NotConnected() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::shared_ptr<GrpcClient> client_;
  grpc_completion_queue* const queue_;
  GrpcDestination* const destination_;
  const absl::Time deadline_;
  std::function<void(absl::Status)> done_;

  absl::Mutex mutex_;
  PeerChannels channels_ ABSL_GUARDED_BY(mutex_);  // empty once ended or aborted
  size_t watched_ ABSL_GUARDED_BY(mutex_) = 0;     // all before it are connected
  grpc_connectivity_state observed_ ABSL_GUARDED_BY(mutex_) = GRPC_CHANNEL_IDLE;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_CONNECT_ATTEMPT_H_
