// Whatever a config says, the engines do: random configs are run and what was recorded is held
// against a model that shares nothing with compiler and engine. A config for which that does not
// hold is made smaller until only what matters is left, and printed.
#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/config/compiler.h"
#include "distbench/engine/engine.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/engine/workers.h"
#include "distbench/testing/engine_cluster.h"
#include "distbench/testing/model/random_config.h"
#include "distbench/testing/model/shrink_config.h"
#include "distbench/testing/model/stall_model.h"
#include "distbench/testing/model/time_audit.h"
#include "distbench/testing/model/traffic_audit.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using model::InstanceLogs;
using Violations = std::vector<std::string>;

// None in a test that ends by itself needs as many.
constexpr int kMostTimers = 200'000;

// How long requests travel. On threads, answers come on the timers' thread: threads meet.
constexpr int64_t kSimulatedTransitNs = 700;
constexpr int64_t kThreadedTransitNs = 5000;

// Why it does not compile; empty: it does.
std::string CompileError(const DistributedSystemDescription& config) {
  Diagnostics diagnostics;
  CompileTest(config, {.names = {"fake"}}, &diagnostics);
  return diagnostics.ToStatus().ToString();
}

bool Compiles(const DistributedSystemDescription& config) { return CompileError(config) == "OK"; }

InstanceLogs LogsOf(EngineCluster& cluster) {
  InstanceLogs logs;
  for (const InstancePlan& instance : cluster.plan().instances) {
    logs[instance.name] = cluster.Log(instance.name);
  }
  return logs;
}

// The instances whose traffic has not ended, or not well.
Violations Unended(const EngineCluster& cluster, bool may_be_cancelled) {
  Violations unended;
  for (const InstancePlan& instance : cluster.plan().instances) {
    const std::optional<absl::Status> outcome = cluster.outcome(instance.name);
    const bool is_well =
        outcome.has_value() && (outcome->ok() || (may_be_cancelled && absl::IsCancelled(*outcome)));
    if (!is_well) {
      unended.push_back(absl::StrCat(instance.name, " ended with ",
                                     outcome ? outcome->ToString() : "nothing: it runs on"));
    }
  }
  return unended;
}

struct Outcome {
  Violations violations;
  InstanceLogs logs;  // if there are none
};

// --- On simulated time

// Until nothing is left to do: lists that run on after their answer too.
Outcome RunSimulated(const DistributedSystemDescription& config, bool may_be_cancelled) {
  EngineCluster cluster(config.DebugString());
  cluster.network().SetTransit(
      {.mode = FakeTransit::Mode::kDelayed, .delay_ns = kSimulatedTransitNs});
  cluster.Start();
  int timers = 0;
  while (timers < kMostTimers && cluster.time().RunNextTimer()) ++timers;
  Outcome outcome = {.violations = Unended(cluster, may_be_cancelled), .logs = {}};
  if (timers == kMostTimers) outcome.violations.push_back("timers run on and on");
  if (outcome.violations.empty()) outcome.logs = LogsOf(cluster);
  return outcome;
}

// Of a test that ended by itself.
Violations Audit(const DistributedSystemDescription& config, const InstanceLogs& logs,
                 const model::TimeConditions& conditions) {
  const Violations violations = model::AuditTraffic(config, logs);
  return violations.empty() ? model::AuditTimes(config, logs, conditions) : violations;
}

Violations RunWhole(const DistributedSystemDescription& config) {
  const Outcome outcome = RunSimulated(config, /*may_be_cancelled=*/false);
  if (!outcome.violations.empty()) return outcome.violations;
  return Audit(config, outcome.logs, {.transit_ns = kSimulatedTransitNs, .is_simulated = true});
}

Violations RunEndedEarly(const DistributedSystemDescription& config) {
  const Outcome outcome = RunSimulated(config, /*may_be_cancelled=*/true);
  if (!outcome.violations.empty()) return outcome.violations;
  return model::AuditEndedTraffic(config, outcome.logs);
}

// --- On threads

class Threads {
 public:
  explicit Threads(size_t shards) : shards_(shards) {}
  EngineCluster::Threads get() {
    return {.clock = &clock_, .timers = &timers_, .shards = &shards_, .workers = &workers_};
  }

 private:
  const SystemClock clock_;
  ThreadTimerService timers_{clock_};
  ShardThreads shards_;
  Workers workers_{2};
};

Outcome RunThreaded(const DistributedSystemDescription& config, size_t shards) {
  Threads threads(shards);
  EngineCluster cluster(config.DebugString(), threads.get());
  cluster.network().SetTransit(
      {.mode = FakeTransit::Mode::kDelayed, .delay_ns = kThreadedTransitNs});
  cluster.Start();
  cluster.WaitUntilDone();
  Outcome outcome = {.violations = Unended(cluster, /*may_be_cancelled=*/false), .logs = {}};
  if (outcome.violations.empty()) outcome.logs = LogsOf(cluster);
  return outcome;
}

// What the list sends, and those within it.
void AddRpcsOf(const std::string& list, const DistributedSystemDescription& config,
               std::set<std::string>& rpcs) {
  for (const ActionList& candidate : config.action_lists()) {
    if (candidate.name() != list) continue;
    for (const Action& action : config.actions()) {
      const auto& names = candidate.action_names();
      if (std::find(names.begin(), names.end(), action.name()) == names.end()) continue;
      if (action.has_rpc_name()) rpcs.insert(action.rpc_name());
      if (action.has_action_list_name()) AddRpcsOf(action.action_list_name(), config, rpcs);
    }
  }
}

// With answers at the end of their lists and, where lists that run for requests send them, to all
// RPCs, so that all has ended when the main lists have: traffic waits for what these send one-way.
DistributedSystemDescription WithoutLooseEnds(DistributedSystemDescription config) {
  for (Action& action : *config.mutable_actions()) action.clear_send_response_when_done();
  std::set<std::string> sent_by_servers;
  for (const RpcSpec& rpc : config.rpc_descriptions()) {
    AddRpcsOf(rpc.name(), config, sent_by_servers);
  }
  for (RpcSpec& rpc : *config.mutable_rpc_descriptions()) {
    if (sent_by_servers.contains(rpc.name())) rpc.clear_one_way();
  }
  // Who waits for more may wait in a circle.
  for (RpcSpec& rpc : *config.mutable_rpc_descriptions()) {
    if (model::MayStall(config)) rpc.clear_server_dispatch();
  }
  return config;
}

// Whether all draws follow from the seed: time has no part in them, nor does the order in which
// requests arrive.
bool IsSettledBySeed(const DistributedSystemDescription& config) {
  const bool is_timed =
      std::any_of(config.actions().begin(), config.actions().end(), [](const Action& action) {
        return action.iterations().has_max_duration_us() || action.iterations().has_warmup_ns();
      });
  const bool has_turns =
      std::any_of(config.rpc_descriptions().begin(), config.rpc_descriptions().end(),
                  [](const RpcSpec& rpc) { return rpc.fanout_filter() == "round_robin"; });
  return config.has_seed() && !is_timed && !has_turns;
}

// RPCs by client, server and kind: "s0/0 s1/2 r3: 4 + 1 in warmup".
Violations CountsOf(const InstanceLogs& logs) {
  Violations counts;
  for (const auto& [client, log] : logs) {
    for (const auto& [server, peer_log] : log.peer_logs()) {
      for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
        const RpcStatistics& statistics = rpc_log.statistics();
        counts.push_back(absl::StrCat(client, " ", server, " r", rpc, ": ",
                                      statistics.measured_success().count(), " + ",
                                      statistics.warmup_success().count(), " in warmup"));
      }
    }
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

Violations RunOnThreads(const DistributedSystemDescription& whole, size_t shards) {
  const DistributedSystemDescription config = WithoutLooseEnds(whole);
  const Outcome outcome = RunThreaded(config, shards);
  if (!outcome.violations.empty()) return outcome.violations;
  Violations violations = Audit(config, outcome.logs, {.transit_ns = kThreadedTransitNs});
  if (!IsSettledBySeed(config)) return violations;
  const Outcome simulated = RunSimulated(config, /*may_be_cancelled=*/false);
  const Violations expected = CountsOf(simulated.logs);
  const Violations drawn = CountsOf(outcome.logs);
  std::set_symmetric_difference(expected.begin(), expected.end(), drawn.begin(), drawn.end(),
                                std::back_inserter(violations));
  return violations;
}

// --- The property

using RunConfig = std::function<Violations(const DistributedSystemDescription&)>;

// The seeds of one test case; so many, so that a failure tells roughly where it is.
constexpr uint64_t kSeedsPerCase = 32;

class TrafficPropertyTest : public testing::TestWithParam<uint64_t> {
 protected:
  void ExpectOfAll(uint64_t seeds, bool ends_early, const RunConfig& run) {
    for (uint64_t i = 0; i < seeds && !HasFailure(); ++i) {
      const uint64_t seed = GetParam() * seeds + i;
      Expect(seed, model::RandomConfig({.seed = seed, .ends_early = ends_early}), run);
    }
  }

  static void Expect(uint64_t seed, const DistributedSystemDescription& config,
                     const RunConfig& run) {
    const std::string error = CompileError(config);
    ASSERT_EQ(error, "OK") << "seed " << seed << "\n" << config.DebugString();
    const Violations violations = run(config);
    if (violations.empty()) return;
    const DistributedSystemDescription small =
        model::ShrinkConfig(config, [&run](const DistributedSystemDescription& smaller) {
          return Compiles(smaller) && !model::MayStall(smaller) && !run(smaller).empty();
        });
    ADD_FAILURE() << "seed " << seed << ":\n"
                  << absl::StrJoin(violations, "\n") << "\n\nThe smallest config that fails:\n"
                  << small.DebugString() << "\n"
                  << absl::StrJoin(run(small), "\n") << "\n\nThe whole config:\n"
                  << config.DebugString();
  }
};

TEST_P(TrafficPropertyTest, EveryRpcHappensAsOftenAndInTheOrderThatTheConfigSays) {
  ExpectOfAll(kSeedsPerCase, /*ends_early=*/false, RunWhole);
}

TEST_P(TrafficPropertyTest, TrafficThatAnActionEndsIsConserved) {
  ExpectOfAll(kSeedsPerCase / 4, /*ends_early=*/true, RunEndedEarly);
}

TEST_P(TrafficPropertyTest, ThreadsChangeNothing) {
  const size_t shards = 2 + GetParam() % 2;
  ExpectOfAll(kSeedsPerCase / 4, /*ends_early=*/false,
              [shards](const DistributedSystemDescription& config) {
                return RunOnThreads(config, shards);
              });
}

INSTANTIATE_TEST_SUITE_P(Seeds, TrafficPropertyTest, testing::Range<uint64_t>(0, 10));

}  // namespace
}  // namespace distbench
