#include "distbench/results/open_loop_load.h"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distbench/results/made_up_traffic.h"
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

  std::optional<double> DueByPlan() const {
    const std::vector<OpenLoopRpc> loads = OpenLoopRpcs(*plan_);
    return loads.size() == 1 ? RpcsDueByPlan(loads[0]) : std::nullopt;
  }
  std::optional<double> DueWithin(int64_t duration_ns) const {
    const std::vector<OpenLoopRpc> loads = OpenLoopRpcs(*plan_);
    return loads.size() == 1 ? RpcsDueWithin(loads[0], duration_ns) : std::nullopt;
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

}  // namespace
}  // namespace distbench
