// PeerIntroduction: connects the engines of a node to all the peers and channels that they call, a
// bounded number at a time, without a thread that waits.
//
// The first failure ends it: no further connection is begun, and those under way end by themselves.
// Thread-safe. Shared by whoever waits and by the connections under way.
#ifndef DISTBENCH_NODE_PEER_INTRODUCTION_H_
#define DISTBENCH_NODE_PEER_INTRODUCTION_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/indices.h"
#include "distbench/node/peers_to_introduce.h"

namespace distbench {

class EngineHost;

struct PeerIntroductionOptions {
  struct Connection {
    EngineHost* host = nullptr;           // stopped only after End()
    std::optional<ChannelIndex> channel;  // none: to a peer
    std::vector<PeerEndpoint> peers;      // the only one, or the channel's members
  };
  std::vector<Connection> connections;
  size_t max_in_flight = 32;
  absl::Time deadline;
  // Called once, on any thread, without a lock.
  std::function<void(absl::Status)> done;
};

class PeerIntroduction : public std::enable_shared_from_this<PeerIntroduction> {
 public:
  static std::shared_ptr<PeerIntroduction> Start(PeerIntroductionOptions options);

  // Ends it with `outcome`, unless it has ended.
  void End(const absl::Status& outcome);

 private:
  explicit PeerIntroduction(PeerIntroductionOptions options);

  // Begins connections as long as there is room.
  void BeginMore();
  // The next one to begin; null if there is none or no room.
  const PeerIntroductionOptions::Connection* TakeNext();
  void OnConnected(const absl::Status& status);

  const PeerIntroductionOptions options_;
  absl::Mutex mutex_;
  size_t begun_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t finished_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_PEER_INTRODUCTION_H_
