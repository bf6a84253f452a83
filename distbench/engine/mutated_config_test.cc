// What the compiler accepts the engine runs: configs that were damaged at random and are still
// right run for a moment on real threads, are cancelled, and end.
#include <string>
#include <variant>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/config/compiler.h"
#include "distbench/config/parser.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/engine/engine.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/engine/workers.h"
#include "distbench/testing/engine_cluster.h"
#include "distbench/testing/model/config_mutator.h"
#include "distbench/testing/model/random_config.h"
#include "distbench/testing/model/whole_config.h"
#include "glog/logging.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr int64_t kMostWork = 100'000;  // array elements and the like
constexpr int64_t kMostParallel = 16;   // iterations of an action
constexpr size_t kMostInstances = 64;
constexpr absl::Duration kRun = absl::Milliseconds(1);  // before it is cancelled
constexpr absl::Duration kLongestEnd = absl::Seconds(60);

bool IsSmall(const ActivityWork& work) {
  if (const auto* sort = std::get_if<ConsumeCpu>(&work)) return sort->array_size <= kMostWork;
  if (const auto* read = std::get_if<PolluteDataCache>(&work)) {
    return read->array_size <= kMostWork * 100 && read->array_reads_per_iteration <= kMostWork;
  }
  if (const auto* jump = std::get_if<PolluteInstructionCache>(&work)) {
    return jump->function_invocations_per_iteration <= kMostWork;
  }
  return true;
}

// A cluster in one process knows no attributes of endpoints, and so not who these are.
bool HasMembersByConstraints(const Plan& plan) {
  for (const ServicePlan& service : plan.services) {
    for (const ChannelIndex channel : service.channels) {
      if (plan.channels[channel].members.empty()) return true;
    }
  }
  return false;
}

// Whether a test as this one can run it: a node holds a config against its machine before.
bool IsSmall(const Plan& plan) {
  bool is_small = plan.instances.size() <= kMostInstances && !HasMembersByConstraints(plan);
  for (const ActivityPlan& activity : plan.activities) is_small &= IsSmall(activity.work);
  for (const ActionListPlan& list : plan.lists) {
    for (const ActionPlan& action : list.actions) {
      if (action.iterations) is_small &= action.iterations->max_parallel <= kMostParallel;
    }
  }
  return is_small;
}

class MutatedConfigTest : public testing::Test {
 protected:
  // False if the config is wrong, or too large for a test.
  bool RunIfRight(const std::string& text) {
    auto sequence = ParseTestSequence("f", text);
    if (!sequence.ok() || sequence->tests_size() != 1) return false;
    Diagnostics diagnostics;
    const auto tests = CompileSequence(&*sequence, FakeAlone(), &diagnostics);
    if (tests[0].plan == nullptr || !IsSmall(*tests[0].plan)) return false;
    Run(sequence->tests(0));
    return true;
  }

  // The cluster's driver ignores its own settings, but not those of channels.
  KnownDrivers FakeAlone() const {
    return {.names = {"fake"},
            .check_channel = [this](const ProtocolDriverOptions& options,
                                    const MultiServerChannel& channel) {
              return factory_.CheckChannel(options, channel);
            }};
  }

  void Run(const DistributedSystemDescription& test) {
    EngineCluster cluster(
        test.DebugString(),
        {.clock = &clock_, .timers = &timers_, .shards = &shards_, .workers = &workers_});
    cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 20'000});
    cluster.Start();
    cluster.WaitUntilDone(absl::Now() + kRun);
    for (const InstancePlan& instance : cluster.plan().instances) {
      cluster.engine(instance.name).CancelTraffic(absl::CancelledError("enough"));
    }
    // Nothing that it needs may go away before.
    CHECK(cluster.WaitUntilDone(absl::Now() + kLongestEnd)) << "goes on:\n" << test.DebugString();
    for (const InstancePlan& instance : cluster.plan().instances) cluster.Log(instance.name);
  }

  FakeNetwork network_;  // of nobody
  const FakeDriverFactory factory_{&network_};
  const SystemClock clock_;
  ThreadTimerService timers_{clock_};
  ShardThreads shards_{2};
  Workers workers_{2};
};

TEST_F(MutatedConfigTest, WhatIsLeftOfTheWholeConfigRunsAndEnds) {
  model::ConfigMutator mutator(1);
  const std::string text = model::WholeConfig();
  const TestSequence whole = *ParseTestSequence("f", text);
  int runs = 0;
  for (int round = 0; round < 500; ++round) {
    TestSequence damaged = whole;
    mutator.EditFields(damaged);
    runs += RunIfRight(damaged.DebugString());
    runs += RunIfRight(mutator.EditValues(text));
  }
  EXPECT_GT(runs, 80);
}

TEST_F(MutatedConfigTest, WhatIsLeftOfRandomConfigsRunsAndEnds) {
  model::ConfigMutator mutator(2);
  int runs = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    TestSequence random;
    *random.add_tests() = model::RandomConfig({.seed = seed});
    for (int round = 0; round < 5; ++round) {
      TestSequence damaged = random;
      mutator.EditFields(damaged);
      runs += RunIfRight(damaged.DebugString());
    }
  }
  EXPECT_GT(runs, 60);
}

}  // namespace
}  // namespace distbench
