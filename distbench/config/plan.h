// Plan: a traffic config, compiled. Everything that a test does, with all names resolved to
// indices and all graphs precomputed, so that nothing looks up a string once traffic runs.
//
// Immutable after the compiler has made it; shared by all engines of a process. It keeps names for
// reports and errors only.
#ifndef DISTBENCH_CONFIG_PLAN_H_
#define DISTBENCH_CONFIG_PLAN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "distbench/base/indices.h"
#include "distbench/config/verdict_thresholds.h"

namespace distbench {

class ConstraintList;
class Distribution;
class MultiServerChannel;
class ProtocolDriverOptions;
class RateProfile;

// How whoever starts the iterations of an open loop waits for the next one.
enum class Pacing {
  kSleep,   // the kernel wakes it
  kSpin,    // it looks at the clock all the time
  kHybrid,  // it sleeps until shortly before, then spins
};
inline constexpr size_t kPacings = 3;

// --- Who there is

struct ServicePlan {
  std::string name;
  size_t count = 0;     // instances
  InstanceIndex first;  // the instance of rank 0; the others follow
  int dimensions = 1;   // 1 to 3: how many coordinates an instance's name shows
  size_t x_size = 0, y_size = 1, z_size = 1;
  std::optional<ListIndex> main_list;  // the list named like the service
  std::vector<ServiceIndex> called;    // services that its lists send RPCs to; sorted, unique
  std::vector<ChannelIndex> channels;  // that its lists send on; sorted, unique
  std::vector<Pacing> pacings;         // of open loops and waits in its lists; sorted, unique
  std::string protocol;                // name of the driver, aliases resolved
  // What the driver is made with: the settings of every entry along the chain of aliases, a nearer
  // entry winning per setting, and `protocol_name` the driver's own. Never null; services that name
  // the same entry share it.
  std::shared_ptr<const ProtocolDriverOptions> driver_options;
};

struct InstancePlan {
  std::string name;  // "client/0", "grid/2/1"
  ServiceIndex service;
  size_t rank = 0;  // within the service: x + y * x_size + z * x_size * y_size
};

// What the node of an instance must be like. None for what node_service_bundles places.
struct NodeRequirement {
  std::vector<std::string> keys;  // those of service_constraints that it comes from; sorted
  std::shared_ptr<const ConstraintList> constraints;  // of all keys together; never null
};

// Instances of one service behind one channel, whose policy picks the instance of each RPC.
struct ChannelPlan {
  std::string name;
  ServiceIndex server;
  std::vector<size_t> members;  // ranks; empty: those whose endpoints satisfy config->constraints
  std::shared_ptr<const MultiServerChannel> config;  // never null
};

// --- Whom an RPC goes to

// All instances of the server's service.
struct FanoutAll {};
// One instance, uniformly drawn.
struct FanoutRandom {};
// One instance, each in turn, from rank 0; the turn is kept per engine and RPC.
struct FanoutRoundRobin {};
// `targets` distinct instances, uniformly drawn, where the number is drawn too.
struct FanoutStochastic {
  struct Choice {
    double cumulative_probability = 0;  // of this and all earlier choices; the last is 1
    size_t targets = 0;                 // more than there are instances: all of them
  };
  std::vector<Choice> choices;
};

enum class Axis { kX, kY, kZ };
inline constexpr size_t kAxes = 3;

// All instances that have the caller's coordinates on some axes.
struct FanoutSame {
  std::array<bool, kAxes> is_same{};  // by axis
};
// The next instance along an axis, after the last one the first.
struct FanoutRing {
  Axis axis = Axis::kX;
  // The ring runs up where the caller's coordinate on the other axis (y for x, x for y and z) is
  // even, and down where it is odd.
  bool alternates = false;
};
// The instance so many steps along an axis, none beyond the edge.
struct FanoutLinear {
  Axis axis = Axis::kX;
  int64_t distance = 0;  // may be negative
};
using FanoutPlan = std::variant<FanoutAll, FanoutRandom, FanoutRoundRobin, FanoutStochastic,
                                FanoutSame, FanoutRing, FanoutLinear>;

// How large a message shall be; see payload/generic_message.h.
struct MessageSizePlan {
  int64_t bytes = 0;                          // if nothing is drawn
  std::shared_ptr<const Distribution> drawn;  // of one dimension; null: `bytes`
};

// How a server runs the list of an RPC; see ServerDispatch in the config.
enum class DispatchMode { kInline, kThreadPool, kSerialQueue, kFreshThread };
struct DispatchPlan {
  DispatchMode mode = DispatchMode::kInline;
  size_t threads = 0;  // of a thread pool, > 0
};

struct RpcPlan {
  std::string name;
  std::vector<ServiceIndex> clients;
  ServiceIndex server;
  ListIndex server_list;  // the list named like the RPC, run for each request
  FanoutPlan fanout;
  MessageSizePlan request = {.bytes = 16, .drawn = nullptr};
  MessageSizePlan response = {.bytes = 32, .drawn = nullptr};
  // Sizes of request and response, drawn together by the client before all else that says a size;
  // of one dimension: one size for both. Null: not drawn so.
  std::shared_ptr<const Distribution> joint_sizes;
  std::optional<int64_t> deadline_ns;   // from the start of the call
  int64_t tracing_interval = 0;         // every so many iterations are traced; 0: none
  std::optional<ChannelIndex> channel;  // set: its policy picks the target, not the fanout
  bool one_way = false;                 // no response; the caller does not wait for the work
  bool echo_request = false;            // the response's payload is that of the request
  DispatchPlan dispatch;                // of its requests at their servers
};

// --- What is done

enum class Arrivals {
  kConstant,   // every interval from the action's start, first start at once
  kSyncBurst,  // at wall-clock multiples of the interval
  // The same, later by the instance's rank over the number of instances that it sends to, in
  // intervals.
  kSyncBurstSpread,
  kExponential,  // a Poisson process; the interval is the mean gap, first start a gap later
};

struct OpenLoopPlan {
  int64_t interval_ns = 0;  // > 0
  Arrivals arrivals = Arrivals::kConstant;
  Pacing pacing = Pacing::kSleep;
  // How the rate goes, in multiples of that of the interval; constant and exponential arrivals
  // only. Null: it stays the same.
  std::shared_ptr<const RateProfile> rates;
};

struct IterationPlan {
  std::optional<int64_t> max_count;        // > 0 if set
  std::optional<int64_t> max_duration_ns;  // > 0 if set; no iteration starts after it
  std::optional<OpenLoopPlan> open_loop;   // none: closed loop
  int64_t max_parallel = 1;                // closed loop: iterations at a time, >= 1
  int64_t warmup_iterations = 0;           // iterations numbered below are warmup
  int64_t warmup_ns = 0;                   // iterations begun before are warmup
};

// Work that is no RPC. How large the work of one iteration is:
struct ConsumeCpu {
  int64_t array_size = 1000;  // elements that are filled and sorted
};
struct PolluteDataCache {
  int64_t array_size = 2'000'000;  // elements
  int64_t array_reads_per_iteration = 1000;
};
struct PolluteInstructionCache {
  int64_t function_invocations_per_iteration = 1000;
};
struct SleepFor {
  int64_t duration_ns = 0;  // > 0
};
struct SpinFor {
  int64_t duration_ns = 0;  // > 0, of the thread's CPU time
};
enum class WorkKind { kCpu, kMemory };  // what bounds it; see activity/work_units.h
inline constexpr size_t kWorkKinds = 2;
constexpr const char* WorkKindName(WorkKind kind) {
  return kind == WorkKind::kCpu ? "cpu" : "memory";
}
struct CalibratedWork {
  int64_t duration_ns = 0;  // > 0: what the amount of work takes on an idle processor
  WorkKind kind = WorkKind::kCpu;
};
using ActivityWork = std::variant<ConsumeCpu, PolluteDataCache, PolluteInstructionCache, SleepFor,
                                  SpinFor, CalibratedWork>;

struct ActivityPlan {
  std::string name;
  ActivityWork work;
};

// One RPC of a trace that is replayed, its defaults applied.
struct ReplayRecordPlan {
  enum class Origin { kTrafficStart, kTraceStart, kPriorStart, kPriorEnd };
  Origin origin = Origin::kTraceStart;
  int64_t delay_ns = 0;  // from the origin
  // Positions of earlier records, sorted and unique, if the origin is theirs; the last of them to
  // start or end is it.
  std::vector<uint32_t> priors;
  std::optional<size_t> client;  // rank; none: every instance of the client sends it
  size_t server = 0;             // rank, unless there is a channel
  std::optional<ChannelIndex> channel;
  int64_t request_bytes = 16;
  int64_t response_bytes = 32;
  int64_t server_processing_time_ns = 0;
};

struct ReplayTracePlan {
  std::string name;
  ServiceIndex client;
  ServiceIndex server;
  std::vector<ReplayRecordPlan> records;
};

struct SendRpc {
  RpcIndex rpc;
};
struct RunList {
  ListIndex list;
};
struct RunActivity {
  ActivityIndex activity;
};
struct ReplayTrace {
  TraceIndex trace;
};
struct DoNothing {};
using ActionWork = std::variant<DoNothing, SendRpc, RunList, RunActivity, ReplayTrace>;

// What is drawn true or false at each start of a list, as sets of positions among the list's
// predicates.
struct ConditionPlan {
  uint64_t must_hold = 0;
  uint64_t must_not_hold = 0;
  bool is_empty() const { return must_hold == 0 && must_not_hold == 0; }
  bool is_met_by(uint64_t held) const {
    return (held & must_hold) == must_hold && (held & must_not_hold) == 0;
  }
};
inline constexpr size_t kMaxPredicates = 64;  // of a list

// An action at one place in one list (the same named action in two lists is two of these).
struct ActionPlan {
  std::string name;
  ActionWork work;
  std::optional<IterationPlan> iterations;    // none: once
  uint32_t dependency_count = 0;              // actions of the list that must have finished
  std::vector<ActionIndex> successors;        // actions of the list that wait for this one
  ConditionPlan condition;                    // not met: the action is skipped
  std::shared_ptr<const Distribution> delay;  // wait from the last dependency's end; null: none
  bool delay_spins = false;                   // it burns CPU time instead of sleeping
  // Instead of the sizes of the RPC that the action sends, and of the RPC that the list answers.
  std::optional<MessageSizePlan> request_override;
  std::optional<MessageSizePlan> response_override;
  // The response goes out when this one finishes first. Set for a list's only action too.
  bool sends_response = false;
  bool cancels_traffic = false;  // the engine's traffic ends when this one finishes
};

struct ActionListPlan {
  std::string name;
  // In an order in which each action comes after those that it depends on.
  IndexedVector<ActionIndex, ActionPlan> actions;
  std::vector<ActionIndex> roots;  // actions without dependencies, in order
  uint32_t answering_actions = 0;  // that have sends_response
  std::vector<double> predicates;  // the probability of each; at most kMaxPredicates
  // The first ones are drawn each by itself, the others by choices: of those that a choice can
  // draw, which are positions in `predicates`, the one that it draws is true.
  size_t single_predicates = 0;
  std::vector<std::shared_ptr<const Distribution>> choices;
  // Of the RPCs that its actions send, so many samples are kept of each instance; none: all.
  std::optional<int64_t> max_rpc_samples;  // > 0 if set
};

struct Plan {
  std::string test_name;
  IndexedVector<ServiceIndex, ServicePlan> services;
  IndexedVector<InstanceIndex, InstancePlan> instances;
  // Null: any node will do. Empty if that is so for all. Those with the same keys share one.
  IndexedVector<InstanceIndex, std::shared_ptr<const NodeRequirement>> node_requirements;
  IndexedVector<RpcIndex, RpcPlan> rpcs;
  IndexedVector<ListIndex, ActionListPlan> lists;
  IndexedVector<ActivityIndex, ActivityPlan> activities;
  IndexedVector<TraceIndex, ReplayTracePlan> traces;
  IndexedVector<ChannelIndex, ChannelPlan> channels;
  int64_t max_pending_rpcs = 1'000'000;  // per engine
  int64_t max_threads = 1000;            // per process
  // None: drawn by the sequencer. Given: what lists draw that run for requests depends on what
  // caused the requests, not on the order in which they arrive.
  std::optional<uint64_t> seed;
  VerdictThresholds verdict_thresholds;
  absl::flat_hash_map<std::string, InstanceIndex> instance_by_name;
};

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_PLAN_H_
