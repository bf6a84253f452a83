// Whatever a config says, the engines do: random configs are run and what was recorded is held
// against a model that shares nothing with compiler and engine. A config for which that does not
// hold is made smaller until only what matters is left, and printed.
#include <functional>
#include <optional>
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
#include "distbench/testing/model/traffic_audit.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using model::InstanceLogs;
using Violations = std::vector<std::string>;
using Audit = std::function<Violations(const DistributedSystemDescription&, const InstanceLogs&)>;

// None in a test that ends by itself needs as many.
constexpr int kMostTimers = 200'000;

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

// --- On simulated time

// Until nothing is left to do: lists that run on after their answer too.
Violations RunSimulated(const DistributedSystemDescription& config, bool may_be_cancelled,
                        const Audit& audit) {
  EngineCluster cluster(config.DebugString());
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 700});
  cluster.Start();
  int timers = 0;
  while (timers < kMostTimers && cluster.time().RunNextTimer()) ++timers;
  Violations violations = Unended(cluster, may_be_cancelled);
  if (timers == kMostTimers) violations.push_back("timers run on and on");
  return violations.empty() ? audit(config, LogsOf(cluster)) : violations;
}

Violations RunWhole(const DistributedSystemDescription& config) {
  return RunSimulated(config, /*may_be_cancelled=*/false, model::AuditTraffic);
}

Violations RunEndedEarly(const DistributedSystemDescription& config) {
  return RunSimulated(config, /*may_be_cancelled=*/true, model::AuditEndedTraffic);
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

Violations RunOnThreads(const DistributedSystemDescription& config, size_t shards) {
  Threads threads(shards);
  EngineCluster cluster(config.DebugString(), threads.get());
  // Answers come on the timers' thread: threads meet.
  cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 5000});
  cluster.Start();
  cluster.WaitUntilDone();
  const Violations violations = Unended(cluster, /*may_be_cancelled=*/false);
  return violations.empty() ? model::AuditTraffic(config, LogsOf(cluster)) : violations;
}

// With answers at the end of their lists, so that all has ended when the main lists have.
DistributedSystemDescription WithoutEarlyAnswers(DistributedSystemDescription config) {
  for (Action& action : *config.mutable_actions()) action.clear_send_response_when_done();
  return config;
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
          return Compiles(smaller) && !run(smaller).empty();
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
                return RunOnThreads(WithoutEarlyAnswers(config), shards);
              });
}

INSTANTIATE_TEST_SUITE_P(Seeds, TrafficPropertyTest, testing::Range<uint64_t>(0, 10));

}  // namespace
}  // namespace distbench
