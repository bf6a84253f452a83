#include "distbench/results/open_loop_load.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distbench/results/made_up_traffic.h"
#include "distbench/sampling/rate_profile.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr int64_t kMs = 1'000'000;

ActionPlan ActionOf(const ActionWork& work, std::optional<IterationPlan> iterations) {
  ActionPlan action;
  action.work = work;
  action.iterations = std::move(iterations);
  return action;
}

IterationPlan EachMs(std::optional<int64_t> max_count, std::optional<int64_t> max_duration_ns) {
  return {.max_count = max_count,
          .max_duration_ns = max_duration_ns,
          .open_loop = OpenLoopPlan{.interval_ns = kMs}};
}

using RateSteps = std::vector<RateProfile::Step>;

RateProfile::Step Step(double start_factor, double end_factor, int64_t duration_ms) {
  return {.start_factor = start_factor, .end_factor = end_factor, .duration_ns = duration_ms * kMs};
}

class OpenLoopLoadTest : public testing::Test {
 protected:
  const ActionWork kSend = SendRpc{RpcIndex(0)};

  ListIndex AddList(const std::vector<ActionPlan>& actions) {
    ActionListPlan list;
    for (const ActionPlan& action : actions) list.actions.push_back(action);
    return plan_->lists.push_back(list);
  }
  void SetMainList(const std::vector<ActionPlan>& actions) {
    plan_->services[ServiceIndex(0)].main_list = AddList(actions);
  }

  // One loop, which sends to one target.
  void SetLoop(const RateSteps& steps, IterationPlan iterations,
               Arrivals arrivals = Arrivals::kConstant) {
    plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
    iterations.open_loop->arrivals = arrivals;
    iterations.open_loop->rates = std::make_shared<const RateProfile>(steps);
    SetMainList({ActionOf(kSend, iterations)});
  }

  std::optional<double> DueByPlan() const {
    const std::vector<OpenLoopRpc> loads = OpenLoopRpcs(*plan_);
    return loads.size() == 1 ? RpcsDueByPlan(loads[0]) : std::nullopt;
  }
  std::optional<double> DueWithin(int64_t duration_ns) const {
    const std::vector<OpenLoopRpc> loads = OpenLoopRpcs(*plan_);
    return loads.size() == 1 ? RpcsDueWithin(loads[0], duration_ns) : std::nullopt;
  }

  std::optional<int64_t> IntervalNs(int64_t duration_ns) const {
    const std::vector<OpenLoopRpc> loads = OpenLoopRpcs(*plan_);
    return loads.size() == 1 ? StartIntervalNs(loads[0], duration_ns) : std::nullopt;
  }

  const std::shared_ptr<Plan> plan_ =
      std::make_shared<Plan>(*MadeUpPlan({.servers = 3, .rpcs = {"ask"}}));
};

TEST_F(OpenLoopLoadTest, BothEndsOfTheTimeCount) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
  SetMainList({ActionOf(kSend, EachMs({}, 10 * kMs))});
  EXPECT_EQ(DueByPlan(), 11);
  EXPECT_EQ(DueWithin(10 * kMs), 11);
  EXPECT_EQ(DueWithin(10 * kMs - 1), 10);
  EXPECT_EQ(DueWithin(0), 1);
}

TEST_F(OpenLoopLoadTest, TheFirstLimitReachedEndsTheLoop) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRoundRobin();
  SetMainList({ActionOf(kSend, EachMs(7, 10 * kMs))});
  EXPECT_EQ(DueByPlan(), 7);
  SetMainList({ActionOf(kSend, EachMs(12, 10 * kMs))});
  EXPECT_EQ(DueByPlan(), 11);
  SetMainList({ActionOf(kSend, EachMs({}, {}))});
  EXPECT_EQ(DueByPlan(), std::nullopt);
  EXPECT_EQ(DueWithin(kMs), 2);
}

TEST_F(OpenLoopLoadTest, TheFirstBurstMayBeAnIntervalAway) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
  IterationPlan iterations = EachMs({}, 10 * kMs);
  iterations.open_loop->arrivals = Arrivals::kSyncBurst;
  SetMainList({ActionOf(kSend, iterations)});
  EXPECT_EQ(DueByPlan(), 10);
}

TEST_F(OpenLoopLoadTest, APoissonProcessLeavesRoomForChance) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
  IterationPlan iterations = EachMs({}, 10'000 * kMs);
  iterations.open_loop->arrivals = Arrivals::kExponential;
  SetMainList({ActionOf(kSend, iterations)});
  EXPECT_NEAR(DueByPlan().value(), 10'000 - 5 * 100, 1e-6);
  EXPECT_NEAR(DueWithin(2'500 * kMs).value(), 1 + 2'500 - 5 * 50, 1e-6);
  EXPECT_EQ(DueWithin(0), 1);
  // Each arrival is three RPCs, so they vary three times as much.
  plan_->rpcs[RpcIndex(0)].fanout = FanoutAll();
  EXPECT_NEAR(DueByPlan().value(), 3 * (10'000 - 5 * 100), 1e-6);
}

TEST_F(OpenLoopLoadTest, AFewDrawnArrivalsMayBeNone) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
  IterationPlan iterations = EachMs({}, 9 * kMs);
  iterations.open_loop->arrivals = Arrivals::kExponential;
  SetMainList({ActionOf(kSend, iterations)});
  EXPECT_EQ(DueByPlan(), 0);
}

TEST_F(OpenLoopLoadTest, ACountThatTheTimeAllowsIsReachedWhateverTheGaps) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
  IterationPlan iterations = EachMs(7'000, 10'000 * kMs);
  iterations.open_loop->arrivals = Arrivals::kExponential;
  SetMainList({ActionOf(kSend, iterations)});
  EXPECT_EQ(DueByPlan(), 7'000);
}

TEST_F(OpenLoopLoadTest, AnIterationSendsToAllItsTargets) {
  SetMainList({ActionOf(kSend, EachMs(10, {}))});
  EXPECT_EQ(DueByPlan(), 30);
  // Not to oneself.
  plan_->rpcs[RpcIndex(0)].server = ServiceIndex(0);
  plan_->services[ServiceIndex(0)].count = 4;
  EXPECT_EQ(DueByPlan(), 30);
}

TEST_F(OpenLoopLoadTest, DrawnNumbersOfTargetsLeaveRoomForChance) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutStochastic{
      {{.cumulative_probability = 0.5, .targets = 1}, {.cumulative_probability = 1, .targets = 9}}};
  SetMainList({ActionOf(kSend, EachMs(10'000, {}))});
  // Of three servers: one or all, 2 +- 1 an iteration.
  EXPECT_NEAR(DueByPlan().value(), 2 * 10'000 - 5 * 100, 1e-6);
}

TEST_F(OpenLoopLoadTest, WhatAnIterationRunsCounts) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
  const ListIndex inner =
      AddList({ActionOf(kSend, {}), ActionOf(kSend, IterationPlan{.max_count = 4})});
  const ListIndex outer = AddList({ActionOf(RunList{inner}, EachMs(10, {}))});
  SetMainList({ActionOf(RunList{outer}, {})});
  EXPECT_EQ(DueByPlan(), 50);
  // They wait for each other, so their starts say nothing of the loop's.
  EXPECT_EQ(DueWithin(kMs), std::nullopt);
}

TEST_F(OpenLoopLoadTest, SeveralLoopsAddUpButNeedNotRunTogether) {
  plan_->rpcs[RpcIndex(0)].fanout = FanoutRandom();
  const ActionPlan loop = ActionOf(kSend, EachMs(10, {}));
  SetMainList({loop, loop});
  EXPECT_EQ(DueByPlan(), 20);
  EXPECT_EQ(DueWithin(kMs), std::nullopt);

  const ListIndex twice = AddList({loop});
  SetMainList({ActionOf(RunList{twice}, {}), ActionOf(RunList{twice}, {})});
  EXPECT_EQ(DueByPlan(), 20);
  EXPECT_EQ(DueWithin(kMs), std::nullopt);
}

TEST_F(OpenLoopLoadTest, WhatIsSentOtherwiseTooCannotBeToldApart) {
  const ActionPlan loop = ActionOf(kSend, EachMs(10, {}));
  const auto expect_unknown = [this] {
    const std::vector<OpenLoopRpc> loads = OpenLoopRpcs(*plan_);
    ASSERT_EQ(loads.size(), 1u);
    EXPECT_TRUE(loads[0].sent_otherwise);
    EXPECT_EQ(DueByPlan(), std::nullopt);
    EXPECT_EQ(DueWithin(kMs), std::nullopt);
  };
  SetMainList({loop, ActionOf(kSend, {})});
  expect_unknown();
  SetMainList({loop, ActionOf(kSend, IterationPlan{.max_count = 3})});
  expect_unknown();
  const ListIndex endless = AddList({ActionOf(kSend, IterationPlan{.max_duration_ns = kMs})});
  SetMainList({loop, ActionOf(RunList{endless}, EachMs(2, {}))});
  expect_unknown();

  // By the list that answers another service's RPC.
  SetMainList({loop});
  RpcPlan answered = plan_->rpcs[RpcIndex(0)];
  answered.server = ServiceIndex(0);
  answered.server_list = AddList({ActionOf(kSend, {})});
  plan_->rpcs.push_back(answered);
  expect_unknown();
}

TEST_F(OpenLoopLoadTest, ClosedLoopsHaveNoLoad) {
  SetMainList({ActionOf(kSend, IterationPlan{.max_count = 3})});
  EXPECT_TRUE(OpenLoopRpcs(*plan_).empty());
}

// --- Rates that change

TEST_F(OpenLoopLoadTest, DueIsWhatTheRatesBring) {
  SetLoop({Step(0.5, 0.5, 100)}, EachMs({}, 2'000 * kMs));
  EXPECT_EQ(DueByPlan(), 1001);
  EXPECT_EQ(DueWithin(200 * kMs), 101);
  EXPECT_EQ(DueWithin(200 * kMs - 1), 100);
  // 100 at a rate of 1, 300 on the way to 5, 500 there, the first one.
  SetLoop({Step(1, 1, 100), Step(1, 5, 100)}, EachMs({}, 300 * kMs));
  EXPECT_EQ(DueByPlan(), 901);
  EXPECT_EQ(DueWithin(150 * kMs), 100 + 100 + 1);
  EXPECT_EQ(DueWithin(250 * kMs), 400 + 250 + 1);
}

TEST_F(OpenLoopLoadTest, NothingIsDueInAPause) {
  SetLoop({Step(1, 1, 10), Step(0, 0, 20), Step(1, 1, 10)}, EachMs({}, 40 * kMs));
  EXPECT_EQ(DueByPlan(), 21);
  EXPECT_EQ(DueWithin(10 * kMs), 10);
  EXPECT_EQ(DueWithin(30 * kMs - 1), 10);
  EXPECT_EQ(DueWithin(30 * kMs), 11);
}

TEST_F(OpenLoopLoadTest, ALoopThatBeginsWithAPauseHasItsFirstStartAfterIt) {
  const RateSteps steps = {Step(0, 0, 20), Step(1, 1, 10)};
  SetLoop(steps, EachMs({}, 30 * kMs));
  EXPECT_EQ(DueByPlan(), 11);
  EXPECT_EQ(DueWithin(0), 1);
  EXPECT_EQ(DueWithin(10 * kMs), 11);
  SetLoop(steps, EachMs({}, 19 * kMs));
  EXPECT_EQ(DueByPlan(), 0);
}

TEST_F(OpenLoopLoadTest, RatesDoNotChangeACountThatIsReached) {
  const RateSteps steps = {Step(1, 1, 10), Step(4, 4, 10)};
  SetLoop(steps, EachMs(50, 20 * kMs));
  EXPECT_EQ(DueByPlan(), 50);
  SetLoop(steps, EachMs(60, 20 * kMs));
  EXPECT_EQ(DueByPlan(), 51);
}

TEST_F(OpenLoopLoadTest, APoissonProcessFollowsTheRates) {
  // 2500 on the way to 5, then 5 times as many.
  const RateSteps steps = {Step(0, 5, 1'000), Step(5, 5, 1)};
  SetLoop(steps, EachMs({}, 2'500 * kMs), Arrivals::kExponential);
  EXPECT_NEAR(DueByPlan().value(), 10'000 - 5 * 100, 1e-3);
  EXPECT_NEAR(DueWithin(2'500 * kMs).value(), 10'000 - 5 * 100, 1e-3);
  EXPECT_NEAR(DueWithin(1'000 * kMs).value(), 2'500 - 5 * 50, 1e-3);
  SetLoop(steps, EachMs(10'000, 100'000 * kMs), Arrivals::kExponential);
  EXPECT_EQ(DueByPlan(), 10'000);
}

TEST_F(OpenLoopLoadTest, BeyondItsLimitsALoopHasNoMoreThanItsMeanRate) {
  const RateSteps rising = {Step(1, 3, 100), Step(1000, 1000, 1)};
  for (const Arrivals arrivals : {Arrivals::kConstant, Arrivals::kExponential}) {
    const double first = arrivals == Arrivals::kConstant ? 1 : 0;
    const auto expect_due = [&](double mean) {
      const double chance = arrivals == Arrivals::kConstant ? 0 : 5 * std::sqrt(mean);
      EXPECT_NEAR(DueWithin(150 * kMs).value(), mean + first - chance, 1e-3);
    };
    for (const IterationPlan& limits :
         {EachMs({}, 100 * kMs), EachMs(201, {}), EachMs(201, 1'000 * kMs)}) {
      SetLoop(rising, limits, arrivals);
      expect_due(300);
    }
    SetLoop({Step(2, 2, 100), Step(0.5, 0.5, 1)}, EachMs({}, 100 * kMs), arrivals);
    expect_due(225);
    SetLoop(rising, EachMs({}, {}), arrivals);
    expect_due(50'200);
  }
}

// --- Intervals

TEST_F(OpenLoopLoadTest, TheIntervalIsThatOfTheLoop) {
  SetMainList({ActionOf(kSend, EachMs(10, {}))});
  EXPECT_EQ(IntervalNs(9 * kMs), kMs);
  EXPECT_EQ(IntervalNs(0), kMs);
}

TEST_F(OpenLoopLoadTest, OfSeveralLoopsTheShortestIntervalCounts) {
  IterationPlan rare = EachMs(10, {});
  rare.open_loop->interval_ns = 3 * kMs;
  IterationPlan frequent = EachMs(10, {});
  frequent.open_loop->interval_ns = kMs / 2;
  const ListIndex nested = AddList({ActionOf(kSend, {})});
  SetMainList({ActionOf(kSend, EachMs(10, {})), ActionOf(kSend, rare),
               ActionOf(RunList{nested}, frequent), ActionOf(kSend, IterationPlan())});
  EXPECT_EQ(IntervalNs(9 * kMs), kMs) << "no start of the list has a time at which it is due";
  SetMainList({ActionOf(RunList{nested}, frequent)});
  EXPECT_EQ(IntervalNs(9 * kMs), std::nullopt);
}

TEST_F(OpenLoopLoadTest, TheIntervalAtARateThatChangesIsThatOfMostStarts) {
  // Rare ones before and after a pause, in more time than the frequent ones in between.
  SetLoop({Step(0.1, 0.1, 100), Step(0, 0, 1'000), Step(10, 10, 100), Step(0.1, 0.1, 500)},
          EachMs({}, 1'700 * kMs));
  EXPECT_EQ(IntervalNs(1'700 * kMs), kMs / 10);
  // Until then it had the rare ones only.
  EXPECT_EQ(IntervalNs(90 * kMs), 10 * kMs);
  EXPECT_EQ(IntervalNs(0), 10 * kMs);
}

TEST_F(OpenLoopLoadTest, WhatComesAfterTheLimitsDoesNotChangeTheInterval) {
  SetLoop({Step(0.5, 0.5, 100), Step(10, 10, 1)}, EachMs({}, 100 * kMs));
  EXPECT_EQ(IntervalNs(200 * kMs), 2 * kMs);
}

}  // namespace
}  // namespace distbench
