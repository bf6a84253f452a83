#include "distbench/engine/arrival_schedule.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "distbench/results/open_loop_load.h"
#include "distbench/sampling/rate_profile.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr WallAnchor kAnchor = {.wall_ns = 1'000'000'000'007, .monotonic_ns = 500};
constexpr int64_t kEndOfTime = std::numeric_limits<int64_t>::max();

OpenLoopPlan Plan(Arrivals arrivals, int64_t interval_ns) {
  return {.interval_ns = interval_ns, .arrivals = arrivals};
}

// The due times of the first arrivals of a schedule.
std::vector<int64_t> DueNs(const ArrivalScheduleOptions& options, int64_t arrivals) {
  ArrivalSchedule schedule(options);
  std::vector<int64_t> due_ns;
  for (int64_t i = 0; i < arrivals; ++i) {
    EXPECT_EQ(schedule.number(), options.first + i * options.step);
    due_ns.push_back(schedule.due_ns());
    schedule.Advance();
  }
  return due_ns;
}

TEST(ArrivalScheduleTest, ConstantArrivalsCountFromTheStart) {
  const OpenLoopPlan plan = Plan(Arrivals::kConstant, 250);
  EXPECT_EQ(DueNs({.plan = plan, .action_start_ns = 1'234, .anchor = kAnchor}, 2),
            (std::vector<int64_t>{1'234, 1'484}));
  EXPECT_EQ(DueNs({.plan = plan, .action_start_ns = 1'234, .first = 1'000'000'000}, 1),
            (std::vector<int64_t>{1'234 + 250'000'000'000}));
}

TEST(ArrivalScheduleTest, AnArrivalBeyondTheEndOfTimeIsDueThen) {
  const OpenLoopPlan plan = Plan(Arrivals::kConstant, 1'000'000'000'000'000'000);
  EXPECT_EQ(DueNs({.plan = plan, .action_start_ns = 500, .first = 9}, 2),
            (std::vector<int64_t>{9'000'000'000'000'000'500, kEndOfTime}));
  EXPECT_EQ(DueNs({.plan = plan, .action_start_ns = 500, .first = 64}, 1),
            std::vector<int64_t>{kEndOfTime});
}

TEST(ArrivalScheduleTest, AChangingRateCountsFromTheStart) {
  OpenLoopPlan plan = Plan(Arrivals::kConstant, 100);
  plan.rates = std::make_shared<RateProfile>(
      std::vector<RateProfile::Step>{{.start_factor = 1, .end_factor = 1, .duration_ns = 200},
                                     {.start_factor = 4, .end_factor = 4, .duration_ns = 1}});
  EXPECT_EQ(DueNs({.plan = plan, .action_start_ns = 1'000}, 5),
            (std::vector<int64_t>{1'000, 1'100, 1'200, 1'225, 1'250}));
  plan.interval_ns = 1'000'000'000'000'000'000;
  EXPECT_EQ(DueNs({.plan = plan, .action_start_ns = 1'000, .first = 9}, 2).back(), kEndOfTime);
}

TEST(ArrivalScheduleTest, SyncBurstsFallOnWallClockMultiples) {
  const int64_t interval_ns = 16'000;
  for (int64_t start_ns = 500; start_ns < 500 + 2 * interval_ns; start_ns += 77) {
    const std::vector<int64_t> due_ns = DueNs({.plan = Plan(Arrivals::kSyncBurst, interval_ns),
                                               .action_start_ns = start_ns,
                                               .anchor = kAnchor},
                                              4);
    EXPECT_EQ(kAnchor.ToWallNs(due_ns[0]) % interval_ns, 0);
    EXPECT_GE(due_ns[0], start_ns);
    EXPECT_LT(due_ns[0], start_ns + interval_ns);
    EXPECT_EQ(due_ns[3] - due_ns[2], interval_ns);
  }
}

TEST(ArrivalScheduleTest, AStartOnAMultipleIsItselfTheFirstBurst) {
  const WallAnchor anchor = {.wall_ns = 32'000, .monotonic_ns = 0};
  EXPECT_EQ(DueNs({.plan = Plan(Arrivals::kSyncBurst, 16'000), .anchor = anchor}, 1),
            std::vector<int64_t>{0});
}

TEST(ArrivalScheduleTest, SpreadBurstsFallSoMuchAfterWallClockMultiples) {
  const int64_t interval_ns = 16'000;
  for (const int64_t spread_ns : {0, 1, 4'000, 15'999, 16'000, 37'000}) {
    for (int64_t start_ns = 500; start_ns < 500 + 2 * interval_ns; start_ns += 77) {
      const std::vector<int64_t> due_ns =
          DueNs({.plan = Plan(Arrivals::kSyncBurstSpread, interval_ns),
                 .action_start_ns = start_ns,
                 .anchor = kAnchor,
                 .spread_ns = spread_ns},
                4);
      EXPECT_EQ((kAnchor.ToWallNs(due_ns[0]) - spread_ns) % interval_ns, 0);
      EXPECT_GE(due_ns[0], start_ns);
      EXPECT_LT(due_ns[0], start_ns + interval_ns);
      EXPECT_EQ(due_ns[3] - due_ns[2], interval_ns);
    }
  }
}

TEST(ArrivalScheduleTest, AStartBeforeTheFirstSpreadBurstOfAllWaitsForIt) {
  const WallAnchor anchor = {.wall_ns = 5, .monotonic_ns = 0};
  EXPECT_EQ(
      DueNs({.plan = Plan(Arrivals::kSyncBurstSpread, 10), .anchor = anchor, .spread_ns = 8}, 2),
      (std::vector<int64_t>{3, 13}));
}

TEST(ArrivalScheduleTest, ExponentialArrivalsAreAPoissonProcessFromTheStart) {
  const CounterRandom gaps({7, 1});
  const std::vector<int64_t> due_ns = DueNs(
      {.plan = Plan(Arrivals::kExponential, 1000), .action_start_ns = 5'000, .gaps = gaps}, 1000);
  PoissonProcess process({.mean_gap_ns = 1000, .start_ns = 5'000, .gaps = gaps});
  for (const int64_t arrival_ns : due_ns) EXPECT_EQ(arrival_ns, process.NextNs());
}

TEST(ArrivalScheduleTest, LanesTogetherHaveTheArrivalsOfOne) {
  constexpr int64_t kArrivals = 2400;
  const auto rates = std::make_shared<RateProfile>(
      std::vector<RateProfile::Step>{{.start_factor = 3, .end_factor = 0, .duration_ns = 50'000},
                                     {.start_factor = 2, .end_factor = 2, .duration_ns = 1}});
  std::vector<OpenLoopPlan> plans;
  for (const Arrivals arrivals : {Arrivals::kConstant, Arrivals::kSyncBurst,
                                  Arrivals::kSyncBurstSpread, Arrivals::kExponential}) {
    plans.push_back(Plan(arrivals, 1000));
    if (arrivals != Arrivals::kConstant && arrivals != Arrivals::kExponential) continue;
    plans.push_back(plans.back());
    plans.back().rates = rates;
  }
  for (const OpenLoopPlan& plan : plans) {
    const ArrivalScheduleOptions alone = {
        .plan = plan, .action_start_ns = 5'000, .anchor = kAnchor, .gaps = CounterRandom({7, 2})};
    const std::vector<int64_t> expected = DueNs(alone, kArrivals);
    for (const int64_t lanes : {2, 3, 8}) {
      std::vector<int64_t> due_ns(kArrivals);
      for (int64_t lane = 0; lane < lanes; ++lane) {
        ArrivalScheduleOptions own = alone;
        own.first = lane;
        own.step = lanes;
        const std::vector<int64_t> of_lane = DueNs(own, kArrivals / lanes);
        for (size_t i = 0; i < of_lane.size(); ++i) {
          due_ns[static_cast<size_t>(lane) + i * static_cast<size_t>(lanes)] = of_lane[i];
        }
      }
      EXPECT_EQ(due_ns, expected) << lanes << " lanes";
    }
  }
}

// --- What the verdict holds against it

constexpr int64_t kMs = 1'000'000;

// A client that starts an RPC to one server in such a loop.
distbench::Plan PlanOf(const OpenLoopPlan& loop, int64_t max_duration_ns) {
  distbench::Plan plan;
  ActionListPlan list;
  ActionPlan& ask = list.actions[list.actions.push_back({})];
  ask.work = SendRpc{RpcIndex(0)};
  ask.iterations.emplace().max_duration_ns = max_duration_ns;
  ask.iterations->open_loop = loop;
  ServicePlan client;
  client.name = "client";
  client.count = 1;
  client.main_list = plan.lists.push_back(list);
  const ServiceIndex client_index = plan.services.push_back(client);
  ServicePlan server;
  server.name = "server";
  server.count = 1;
  RpcPlan rpc;
  rpc.clients = {client_index};
  rpc.server = plan.services.push_back(server);
  rpc.server_list = plan.lists.push_back({});
  rpc.fanout = FanoutRandom();
  plan.rpcs.push_back(rpc);
  return plan;
}

OpenLoopPlan AnyLoop(Arrivals arrivals, std::mt19937_64& random) {
  constexpr double kFactors[] = {0, 0.001, 0.3, 1, 2, 70};
  std::vector<RateProfile::Step> steps;
  for (uint64_t i = random() % 4; i < 4; ++i) {
    steps.push_back({.start_factor = kFactors[random() % 6],
                     .end_factor = kFactors[random() % 6],
                     .duration_ns = static_cast<int64_t>(1 + random() % (20 * kMs))});
  }
  steps.back().end_factor = kFactors[1 + random() % 5];
  return {.interval_ns = static_cast<int64_t>(10'000 + random() % kMs),
          .arrivals = arrivals,
          .rates = std::make_shared<const RateProfile>(std::move(steps))};
}

TEST(ArrivalScheduleTest, AsManyArriveAsTheVerdictSaysWereDue) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const Arrivals arrivals = i % 2 == 0 ? Arrivals::kConstant : Arrivals::kExponential;
    const OpenLoopPlan loop = AnyLoop(arrivals, random);
    const int64_t duration_ns = static_cast<int64_t>(1 + random() % (60 * kMs));
    int64_t arrived = 0;
    ArrivalSchedule schedule(
        {.plan = loop, .action_start_ns = 5'000, .gaps = CounterRandom({9, random()})});
    for (; schedule.due_ns() <= 5'000 + duration_ns; schedule.Advance()) ++arrived;
    const distbench::Plan plan = PlanOf(loop, duration_ns);
    const double due = RpcsDueByPlan(OpenLoopRpcs(plan).front()).value();
    if (arrivals == Arrivals::kConstant) {
      EXPECT_EQ(due, arrived) << "loop " << i;
    } else {
      // Five standard deviations below the mean, and those that arrived no more than that above.
      EXPECT_LE(due, arrived) << "loop " << i;
      EXPECT_LE(arrived - due, 25 + 11 * std::sqrt(due)) << "loop " << i;
    }
  }
}

}  // namespace
}  // namespace distbench
