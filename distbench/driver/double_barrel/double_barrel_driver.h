// DoubleBarrelDriver: two copies of another driver, the barrels, with which calls go out in turn.
//
//           .--> barrel 0 --- connection ---> the peer's barrel 0 --.
//   engine -+                                                       +-> engine
//           '--> barrel 1 --- connection ---> the peer's barrel 1 --'
//
// Each barrel is client and server; a barrel knows those of the same number only. Calls of a shard
// take the barrels strictly in turn. What drivers tell each other when they connect is a
// DoubleBarrelInfo with both barrels' bytes.
//
// A call is given to its barrel as a call object of the barrel's own, made with the engine's: no
// allocation, no lock, and a driver inside needs to know nothing.
//
// Threads: as ProtocolDriver says. Stop lets both barrels end at the same time.
#ifndef DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_H_
#define DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

inline constexpr size_t kBarrels = 2;

template <typename T>
using PerBarrel = std::array<T, kBarrels>;

// The bytes of both barrels as those of one driver, and back; InvalidArgument if they are none.
std::string JoinBarrels(const PerBarrel<std::string>& infos);
absl::StatusOr<PerBarrel<std::string>> SplitBarrels(absl::string_view info);

struct DoubleBarrelOptions {
  PerBarrel<std::unique_ptr<ProtocolDriver>> barrels;
  size_t shards = 1;
  size_t peer_count = 0;
  size_t channel_count = 0;
};

class DoubleBarrelDriver final : public ProtocolDriver {
 public:
  explicit DoubleBarrelDriver(DoubleBarrelOptions options);

  absl::Status StartServer(RequestHandler* handler) override;
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override;

  std::string InitiatorInfo() override;
  // A barrel that was connected while the other one failed is left as it is the next time.
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override ABSL_LOCKS_EXCLUDED(mutex_);
  void ConnectChannel(ChannelIndex channel, const ChannelTarget& target, absl::Time deadline,
                      std::function<void(absl::Status)> done) override ABSL_LOCKS_EXCLUDED(mutex_);
  std::unique_ptr<DriverCallState> NewCallState() override;
  void StartCall(ClientCall* call) override;
  void CancelCall(ClientCall* call) override;
  void ReleaseCall(ClientCall* call) override;
  void DrainOneWay(std::function<void()> done) override;
  void Flush(ShardIndex shard) override;

  DriverCapabilities capabilities() const override { return barrels_[0]->capabilities(); }
  // Sums over both barrels.
  std::vector<DriverStatistic> Statistics() const override;
  int64_t Stop(absl::Time deadline) override;

 private:
  // Of a peer or a channel: who is connected.
  using Connected = PerBarrel<bool>;
  // Whose turn it is, apart from those of other shards.
  struct alignas(64) Turn {
    std::atomic<uint32_t> calls{0};
  };

  using Done = std::function<void(absl::Status)>;

  // Has the barrels that are not connected yet connect, each by its number; `connected` is null if
  // there is no such peer or channel, which the barrels say themselves.
  void ConnectBarrels(Connected* connected, Done done,
                      const std::function<void(size_t barrel, Done done)>& connect)
      ABSL_LOCKS_EXCLUDED(mutex_);
  size_t NextBarrel(ShardIndex shard);

  const PerBarrel<std::unique_ptr<ProtocolDriver>> barrels_;
  const std::unique_ptr<Turn[]> turns_;  // by shard
  absl::Mutex mutex_;
  // Neither grows; the elements are guarded by mutex_.
  IndexedVector<InstanceIndex, Connected> peers_;
  IndexedVector<ChannelIndex, Connected> channels_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_DOUBLE_BARREL_DOUBLE_BARREL_DRIVER_H_
