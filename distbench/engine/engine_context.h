// EngineContext: what all shards of one engine know together.
//
// Constant once traffic runs, except the atomics. The engine owns it; its parts borrow it.
#ifndef DISTBENCH_ENGINE_ENGINE_CONTEXT_H_
#define DISTBENCH_ENGINE_ENGINE_CONTEXT_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "distbench/base/clock.h"
#include "distbench/base/indices.h"
#include "distbench/base/timer.h"
#include "distbench/config/plan.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/engine/cpu_job_pool.h"
#include "distbench/engine/fanout.h"
#include "distbench/engine/ready_messages.h"
#include "distbench/engine/replay_schedule.h"
#include "distbench/payload/generic_message.h"

namespace distbench {

class RequestQueues;
class Workers;

// What the parts of an engine ask of the whole. Called from a shard's tasks.
class TrafficControl {
 public:
  // The main list has ended.
  virtual void OnMainListDone() = 0;

  // Ends the engine's traffic; see Engine::CancelTraffic.
  virtual void CancelTraffic(const absl::Status& reason) = 0;

  // Ends it as the plan wants it: main lists stop at once, everything else after a grace, in which
  // peers are still served.
  virtual void EndTraffic(const absl::Status& reason) = 0;

  // Too many RPCs are outstanding on one shard: look at all shards, cancel if there are too many.
  virtual void CheckPendingRpcs() = 0;

  // "Traffic cancelled: REASON". Requires: cancelled.
  virtual std::string CancellationText() const = 0;

 protected:
  ~TrafficControl() = default;
};

// What stops at a level stops at all levels above it.
enum StopLevel : int { kNothingStops, kMainListsStop, kEverythingStops };

struct EngineContext {
  std::shared_ptr<const Plan> plan;
  InstanceIndex self;
  const Clock* clock = nullptr;
  // Who starts the iterations of open loops: by pacing, then by shard. Empty for a pacing that the
  // lists of this instance do not use.
  std::array<std::vector<TimerService*>, kPacings> pacers;
  Workers* workers = nullptr;      // null: what they should do is done on the spot
  TimerService* timers = nullptr;  // for all but what pacers do
  ProtocolDriver* driver = nullptr;
  TrafficControl* control = nullptr;
  uint64_t seed = 0;
  int64_t pending_rpcs_per_shard = 0;  // above it, TrafficControl::CheckPendingRpcs

  // What to add to a monotonic time to get the test's wall time. Set when the engine is made, since
  // requests may come before its own traffic starts, and again when that starts.
  std::atomic<int64_t> wall_offset_ns{0};
  WallAnchor anchor() const {
    return {.wall_ns = wall_offset_ns.load(std::memory_order_relaxed), .monotonic_ns = 0};
  }

  // From when traces count that replay from the traffic's start (monotonic); none as long as that
  // is not known.
  std::optional<int64_t> ReplayOriginNs() const {
    const int64_t origin_ns = replay_origin_ns.load(std::memory_order_relaxed);
    return origin_ns == kUnknownNs ? std::nullopt : std::optional(origin_ns);
  }
  static constexpr int64_t kUnknownNs = std::numeric_limits<int64_t>::min();
  std::atomic<int64_t> replay_origin_ns{kUnknownNs};

  std::unique_ptr<const ReadyMessages> ready;

  // Per RPC. Empty for an RPC that this instance's service does not send.
  IndexedVector<RpcIndex, std::optional<CandidateTargets>> targets;
  // Null for a trace that another service replays.
  ReplaySchedules replays;
  bool answers_replay_on_channels = false;

  std::atomic<int> stop_level{kNothingStops};
  // Uses of each RPC, for round robin and tracing. Where a single action sends it, once for all, an
  // iteration's number is its turn, whatever threads do.
  std::vector<std::atomic<uint64_t>> rpc_turns;
  IndexedVector<RpcIndex, bool> iteration_is_turn;
  std::vector<std::atomic<uint64_t>> list_runs;           // so far, of each list
  std::vector<std::atomic<int64_t>> activity_iterations;  // so far, of each activity
  std::unique_ptr<CpuJobPool> cpu_jobs;
  RequestQueues* request_queues = nullptr;  // outlive the shards
  // Set before traffic runs: peers that do, and channels of which all members do.
  IndexedVector<InstanceIndex, bool> knows_causal_keys;
  IndexedVector<ChannelIndex, bool> channel_knows_causal_keys;

  TimerService* pacer(Pacing pacing, ShardIndex shard) const {
    return pacers[static_cast<size_t>(pacing)][shard.value()];
  }
  bool stops(StopLevel level) const {
    return stop_level.load(std::memory_order_relaxed) >= static_cast<int>(level);
  }
  bool is_cancelled() const { return stops(kEverythingStops); }
  bool tells_causal_key(RpcIndex rpc, InstanceIndex target) const {
    if (!plan->seed.has_value()) return false;
    const std::optional<ChannelIndex>& channel = plan->rpcs[rpc].channel;
    return channel ? channel_knows_causal_keys[*channel] : knows_causal_keys[target];
  }
  // What answers to an RPC tell of who served it: the rank, where a channel has picked it.
  std::optional<int32_t> told_instance(RpcIndex rpc) const {
    return InstanceToldBy(*plan, rpc, self);
  }
  // The response to the RPC, of so many bytes; encoded into `buffer` unless it is a ready one.
  OutgoingMessage MakeResponse(RpcIndex rpc, bool warmup, absl::string_view error,
                               int64_t response_bytes, HeadBuffer* buffer) const {
    if (error.empty() && response_bytes == plan->rpcs[rpc].response.bytes) [[likely]] {
      return ready->Response(rpc, warmup);
    }
    return buffer->EncodeResponse(
        {.warmup = warmup, .error_message = error, .server_instance = told_instance(rpc)},
        response_bytes);
  }
  // One that carries the payload of its request back.
  OutgoingMessage MakeEcho(RpcIndex rpc, bool warmup, absl::string_view payload,
                           HeadBuffer* buffer) const {
    return buffer->EncodeEcho({.warmup = warmup, .server_instance = told_instance(rpc)}, payload);
  }
  void PlanReplays() {
    replays = MakeReplaySchedules(*plan, self);
    answers_replay_on_channels = AnswersReplayOnChannels(*plan, plan->instances[self].service);
  }
  // Like told_instance, in answers to replayed RPCs.
  std::optional<int32_t> told_instance_of_replay() const {
    if (!answers_replay_on_channels) return std::nullopt;
    return static_cast<int32_t>(plan->instances[self].rank);
  }
  // A thread for `what` could not be started: ends the traffic.
  void EndForWantOfThread(absl::string_view what, const absl::Status& why) const {
    control->CancelTraffic(absl::ResourceExhaustedError(absl::StrCat(
        plan->instances[self].name, " needs a thread for ", what, ": ", why.message())));
  }
  const ServicePlan& service() const { return plan->services[plan->instances[self].service]; }
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ENGINE_CONTEXT_H_
