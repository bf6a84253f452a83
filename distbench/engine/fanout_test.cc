#include "distbench/engine/fanout.h"

#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace distbench {
namespace {

// Service "a" of `callers` instances calls service "b" of `servers`; RPC 0 is a -> b, RPC 1 b -> b.
Plan TwoServices(size_t callers, size_t servers) {
  Plan plan;
  plan.services.push_back({.name = "a", .count = callers, .first = InstanceIndex(0)});
  plan.services.push_back({.name = "b", .count = servers, .first = InstanceIndex(callers)});
  for (size_t i = 0; i < callers; ++i) {
    plan.instances.push_back({.service = ServiceIndex(0), .rank = i});
  }
  for (size_t i = 0; i < servers; ++i) {
    plan.instances.push_back({.service = ServiceIndex(1), .rank = i});
  }
  plan.rpcs.push_back({.name = "a_to_b", .server = ServiceIndex(1)});
  plan.rpcs.push_back({.name = "b_to_b", .server = ServiceIndex(1)});
  return plan;
}

std::vector<uint32_t> Pick(const FanoutPlan& fanout, const CandidateTargets& candidates,
                           uint64_t draw, uint64_t turn = 0) {
  CounterRandom random({77, draw});
  std::vector<InstanceIndex> targets;
  PickTargets(fanout, candidates, random, turn, &targets);
  std::vector<uint32_t> values;
  for (InstanceIndex target : targets) values.push_back(target.value());
  return values;
}

TEST(FanoutTest, AllWithinAServiceVisitsTheOthersStartingAfterTheCaller) {
  const Plan plan = TwoServices(2, 4);  // b is instances 2..5
  const RpcIndex b_to_b(1);
  EXPECT_EQ(Pick(FanoutAll{}, CandidateTargets(plan, b_to_b, InstanceIndex(2)), 0),
            (std::vector<uint32_t>{3, 4, 5}));
  EXPECT_EQ(Pick(FanoutAll{}, CandidateTargets(plan, b_to_b, InstanceIndex(4)), 0),
            (std::vector<uint32_t>{5, 2, 3}));
  EXPECT_EQ(Pick(FanoutAll{}, CandidateTargets(plan, b_to_b, InstanceIndex(5)), 0),
            (std::vector<uint32_t>{2, 3, 4}));
}

TEST(FanoutTest, AllAcrossServicesVisitsEveryInstanceOnceInEveryOrder) {
  const Plan plan = TwoServices(2, 3);
  const CandidateTargets candidates(plan, RpcIndex(0), InstanceIndex(0));
  std::map<std::vector<uint32_t>, int> orders;
  for (uint64_t draw = 0; draw < 6000; ++draw) {
    ++orders[Pick(FanoutAll{}, candidates, draw)];
  }
  EXPECT_EQ(orders.size(), 6u);  // 3! permutations of 2, 3, 4
  for (const auto& [order, count] : orders) {
    EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()), (std::set<uint32_t>{2, 3, 4}));
    EXPECT_NEAR(count, 1000, 4.5 * 28.9);  // sigma = sqrt(6000 * 1/6 * 5/6)
  }
}

TEST(FanoutTest, RandomReachesEachTargetEquallyOftenAndNeverTheCaller) {
  const Plan plan = TwoServices(1, 5);
  const CandidateTargets candidates(plan, RpcIndex(1), InstanceIndex(3));
  std::map<uint32_t, int> counts;
  for (uint64_t draw = 0; draw < 100'000; ++draw) {
    const std::vector<uint32_t> targets = Pick(FanoutRandom{}, candidates, draw);
    ASSERT_EQ(targets.size(), 1u);
    ++counts[targets[0]];
  }
  EXPECT_EQ(counts.size(), 4u);
  EXPECT_EQ(counts.count(3), 0u);
  for (const auto& [target, count] : counts) EXPECT_NEAR(count, 25'000, 4.5 * 137);
}

TEST(FanoutTest, RoundRobinTakesTheTargetsInTurnFromRankZero) {
  const Plan plan = TwoServices(1, 3);
  const CandidateTargets candidates(plan, RpcIndex(0), InstanceIndex(0));
  for (uint64_t turn = 0; turn < 9; ++turn) {
    EXPECT_EQ(Pick(FanoutRoundRobin{}, candidates, 0, turn),
              (std::vector<uint32_t>{1 + static_cast<uint32_t>(turn % 3)}));
  }
}

TEST(FanoutTest, StochasticDrawsNumbersByProbabilityAndDistinctUniformTargets) {
  const Plan plan = TwoServices(1, 5);
  const CandidateTargets candidates(plan, RpcIndex(0), InstanceIndex(0));
  const FanoutPlan fanout = FanoutStochastic{
      {{.cumulative_probability = 0.7, .targets = 1}, {.cumulative_probability = 1, .targets = 4}}};
  constexpr int kDraws = 100'000;
  std::map<size_t, int> sizes;
  std::map<uint32_t, int> counts;
  for (uint64_t draw = 0; draw < kDraws; ++draw) {
    const std::vector<uint32_t> targets = Pick(fanout, candidates, draw);
    ++sizes[targets.size()];
    for (uint32_t target : targets) ++counts[target];
    EXPECT_EQ(std::set<uint32_t>(targets.begin(), targets.end()).size(), targets.size());
  }
  EXPECT_EQ(sizes.size(), 2u);
  EXPECT_NEAR(sizes[1], 70'000, 4.5 * 145);
  EXPECT_EQ(sizes[4], kDraws - sizes[1]);
  EXPECT_EQ(counts.size(), 5u);
  for (const auto& [target, count] : counts) EXPECT_NEAR(count, 38'000, 4.5 * 195);
}

TEST(FanoutTest, StochasticForMoreTargetsThanThereAreReachesThemAll) {
  const Plan plan = TwoServices(1, 3);
  const CandidateTargets candidates(plan, RpcIndex(0), InstanceIndex(0));
  const FanoutPlan fanout = FanoutStochastic{{{.cumulative_probability = 1, .targets = 9}}};
  const std::vector<uint32_t> targets = Pick(fanout, candidates, 1);
  EXPECT_EQ(std::set<uint32_t>(targets.begin(), targets.end()), (std::set<uint32_t>{1, 2, 3}));
}

TEST(FanoutTest, ACallerAloneInItsServiceHasNoTargets) {
  const Plan plan = TwoServices(1, 1);
  const CandidateTargets candidates(plan, RpcIndex(1), InstanceIndex(1));
  EXPECT_EQ(candidates.count(), 0u);
  EXPECT_TRUE(Pick(FanoutAll{}, candidates, 0).empty());
  EXPECT_TRUE(Pick(FanoutRandom{}, candidates, 0).empty());
}

TEST(FanoutTest, OnlyFanoutsThatMayTakeMoreThanOneOfSeveralCandidatesHaveSeveralTargets) {
  const Plan plan = TwoServices(1, 2);
  const CandidateTargets both(plan, RpcIndex(0), InstanceIndex(0));
  const CandidateTargets other(plan, RpcIndex(1), InstanceIndex(1));
  const FanoutPlan at_most_one = FanoutStochastic{
      {{.cumulative_probability = 0.5, .targets = 0}, {.cumulative_probability = 1, .targets = 1}}};
  const FanoutPlan perhaps_two = FanoutStochastic{
      {{.cumulative_probability = 0.5, .targets = 2}, {.cumulative_probability = 1, .targets = 1}}};
  EXPECT_TRUE(MayHaveSeveralTargets(FanoutAll{}, both));
  EXPECT_TRUE(MayHaveSeveralTargets(perhaps_two, both));
  EXPECT_FALSE(MayHaveSeveralTargets(at_most_one, both));
  EXPECT_FALSE(MayHaveSeveralTargets(FanoutRandom{}, both));
  EXPECT_FALSE(MayHaveSeveralTargets(FanoutRoundRobin{}, both));
  EXPECT_FALSE(MayHaveSeveralTargets(FanoutAll{}, other));
  EXPECT_FALSE(MayHaveSeveralTargets(perhaps_two, other));
}

TEST(FanoutTest, OneCandidateLeavesNoChoiceUnlessTheirNumberIsDrawn) {
  const Plan plan = TwoServices(1, 2);
  const CandidateTargets both(plan, RpcIndex(0), InstanceIndex(0));
  const CandidateTargets other(plan, RpcIndex(1), InstanceIndex(1));
  const FanoutPlan all = FanoutAll{}, random = FanoutRandom{}, round_robin = FanoutRoundRobin{};
  const FanoutPlan stochastic = FanoutStochastic{{{.cumulative_probability = 1, .targets = 0}}};
  for (const FanoutPlan& fanout : {all, random, round_robin}) {
    EXPECT_FALSE(HasNoChoice(fanout, both));
    ASSERT_TRUE(HasNoChoice(fanout, other));
    EXPECT_EQ(Pick(fanout, other, 1), std::vector<uint32_t>{other.at(0).value()});
  }
  EXPECT_FALSE(HasNoChoice(stochastic, other));
}

}  // namespace
}  // namespace distbench
