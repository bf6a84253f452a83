// Plan: a traffic config, compiled. Everything that a test does, with all names resolved to
// indices and all graphs precomputed, so that nothing looks up a string once traffic runs.
//
// Immutable after the compiler has made it; shared by all engines of a process. It keeps names for
// reports and errors only.
#ifndef DISTBENCH_CONFIG_PLAN_H_
#define DISTBENCH_CONFIG_PLAN_H_

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

class ProtocolDriverOptions;

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
  std::vector<Pacing> pacings;         // of the open loops in its lists; sorted, unique
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
using FanoutPlan = std::variant<FanoutAll, FanoutRandom, FanoutRoundRobin, FanoutStochastic>;

struct RpcPlan {
  std::string name;
  std::vector<ServiceIndex> clients;
  ServiceIndex server;
  ListIndex server_list;  // the list named like the RPC, run for each request
  FanoutPlan fanout;
  int64_t request_bytes = 16;  // size asked for, see payload/generic_message.h
  int64_t response_bytes = 32;
  std::optional<int64_t> deadline_ns;  // from the start of the call
};

// --- What is done

enum class Arrivals {
  kConstant,     // every interval from the action's start, first start at once
  kSyncBurst,    // at wall-clock multiples of the interval
  kExponential,  // a Poisson process; the interval is the mean gap, first start a gap later
};

struct OpenLoopPlan {
  int64_t interval_ns = 0;  // > 0
  Arrivals arrivals = Arrivals::kConstant;
  Pacing pacing = Pacing::kSleep;
};

struct IterationPlan {
  std::optional<int64_t> max_count;        // > 0 if set
  std::optional<int64_t> max_duration_ns;  // > 0 if set; no iteration starts after it
  std::optional<OpenLoopPlan> open_loop;   // none: closed loop
  int64_t max_parallel = 1;                // closed loop: iterations at a time, >= 1
  int64_t warmup_iterations = 0;           // iterations numbered below are warmup
  int64_t warmup_ns = 0;                   // iterations begun before are warmup
};

struct SendRpc {
  RpcIndex rpc;
};
struct RunList {
  ListIndex list;
};
struct DoNothing {};
using ActionWork = std::variant<DoNothing, SendRpc, RunList>;

// An action at one place in one list (the same named action in two lists is two of these).
struct ActionPlan {
  std::string name;
  ActionWork work;
  std::optional<IterationPlan> iterations;  // none: once
  uint32_t dependency_count = 0;            // actions of the list that must have finished
  std::vector<ActionIndex> successors;      // actions of the list that wait for this one
  // The response goes out when this one finishes first. Set for a list's only action too.
  bool sends_response = false;
  bool cancels_traffic = false;  // the engine's traffic ends when this one finishes
};

struct ActionListPlan {
  std::string name;
  // In an order in which each action comes after those that it depends on.
  IndexedVector<ActionIndex, ActionPlan> actions;
  std::vector<ActionIndex> roots;  // actions without dependencies, in order
  bool answers_early = false;      // some action has sends_response
  // Of the RPCs that its actions send, so many samples are kept of each instance; none: all.
  std::optional<int64_t> max_rpc_samples;  // > 0 if set
};

struct Plan {
  std::string test_name;
  IndexedVector<ServiceIndex, ServicePlan> services;
  IndexedVector<InstanceIndex, InstancePlan> instances;
  IndexedVector<RpcIndex, RpcPlan> rpcs;
  IndexedVector<ListIndex, ActionListPlan> lists;
  int64_t max_pending_rpcs = 1'000'000;  // per engine
  int64_t max_threads = 1000;            // per process
  std::optional<uint64_t> seed;          // none: drawn by the sequencer
  VerdictThresholds verdict_thresholds;
  absl::flat_hash_map<std::string, InstanceIndex> instance_by_name;
};

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_PLAN_H_
