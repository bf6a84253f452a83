#include "distbench/engine/replay_schedule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Origin = ReplayRecordPlan::Origin;

// Service a has two instances, service b three; a trace goes from a to `server`.
Plan PlanWith(std::vector<ReplayRecordPlan> records, ServiceIndex server = ServiceIndex(1)) {
  Plan plan;
  for (const auto& [name, count] : {std::pair("a", 2), std::pair("b", 3)}) {
    ServicePlan service;
    service.name = name;
    service.count = static_cast<size_t>(count);
    service.first = InstanceIndex(plan.instances.size());
    const ServiceIndex index = plan.services.push_back(std::move(service));
    for (int rank = 0; rank < count; ++rank) {
      plan.instances.push_back({.name = name, .service = index, .rank = static_cast<size_t>(rank)});
    }
  }
  plan.traces.push_back({.name = "trace",
                         .client = ServiceIndex(0),
                         .server = server,
                         .records = std::move(records)});
  return plan;
}

ReplaySchedule ScheduleOf(const Plan& plan, uint32_t instance) {
  return MakeReplaySchedule(plan, TraceIndex(0), InstanceIndex(instance));
}

ReplayRecordPlan AtStart() { return {.origin = Origin::kTraceStart}; }
ReplayRecordPlan AtStartOf(size_t client) {
  return {.origin = Origin::kTraceStart, .client = client};
}
ReplayRecordPlan After(std::vector<uint32_t> priors, std::optional<size_t> client = {}) {
  return {.origin = Origin::kPriorEnd, .priors = std::move(priors), .client = client};
}

std::vector<uint32_t> RecordsOf(const ReplaySchedule& schedule) {
  std::vector<uint32_t> records;
  for (const ReplayStep& step : schedule.steps) records.push_back(step.record);
  return records;
}

TEST(ReplayScheduleTest, AnInstanceRunsItsOwnRecordsAndThoseOfAll) {
  const Plan plan = PlanWith({AtStart(), AtStartOf(0), AtStartOf(1), AtStart()});
  EXPECT_THAT(RecordsOf(ScheduleOf(plan, 0)), ElementsAre(0, 1, 3));
  EXPECT_THAT(RecordsOf(ScheduleOf(plan, 1)), ElementsAre(0, 2, 3));
}

TEST(ReplayScheduleTest, StepsKnowWhoWaitsForTheirStartAndWhoForTheirEnd) {
  ReplayRecordPlan after_start = After({0, 1});
  after_start.origin = Origin::kPriorStart;
  const Plan plan = PlanWith({AtStart(), After({0}), after_start});
  const ReplaySchedule schedule = ScheduleOf(plan, 0);
  ASSERT_THAT(schedule.steps, SizeIs(3));
  EXPECT_THAT(schedule.steps[0].after_end, ElementsAre(1));
  EXPECT_THAT(schedule.steps[0].after_start, ElementsAre(2));
  EXPECT_THAT(schedule.steps[1].after_start, ElementsAre(2));
  EXPECT_EQ(schedule.steps[0].priors, 0u);
  EXPECT_EQ(schedule.steps[1].priors, 1u);
  EXPECT_EQ(schedule.steps[2].priors, 2u);
}

TEST(ReplayScheduleTest, TheNearestOwnRecordStandsInForAForeignPrior) {
  const Plan plan =
      PlanWith({AtStartOf(0), AtStartOf(1), After({1}, 0), After({1, 2}, 1), After({0}, 1)});
  const ReplaySchedule first = ScheduleOf(plan, 0);
  EXPECT_THAT(RecordsOf(first), ElementsAre(0, 2));
  EXPECT_THAT(first.steps[0].after_end, ElementsAre(1));
  const ReplaySchedule second = ScheduleOf(plan, 1);
  EXPECT_THAT(RecordsOf(second), ElementsAre(1, 3, 4));
  // Both priors of record 3 come down to record 1, which it waits for once.
  EXPECT_EQ(second.steps[1].priors, 1u);
  EXPECT_THAT(second.steps[0].after_end, ElementsAre(1));
  // Nothing stands in for record 0, so record 4 counts from the start.
  EXPECT_EQ(second.steps[2].priors, 0u);
  EXPECT_FALSE(second.steps[2].counts_from_traffic);
}

TEST(ReplayScheduleTest, NobodySendsToItself) {
  ReplayRecordPlan to_first = AtStart();
  to_first.server = 0;
  ReplayRecordPlan to_second = AtStart();
  to_second.server = 1;
  const Plan plan = PlanWith({to_first, to_second}, /*server=*/ServiceIndex(0));
  EXPECT_THAT(RecordsOf(ScheduleOf(plan, 0)), ElementsAre(1));
  EXPECT_THAT(RecordsOf(ScheduleOf(plan, 1)), ElementsAre(0));
}

TEST(ReplayScheduleTest, OnlyTheClientHasASchedule) {
  const Plan plan = PlanWith({AtStart()});
  EXPECT_NE(MakeReplaySchedules(plan, InstanceIndex(1))[TraceIndex(0)], nullptr);
  EXPECT_EQ(MakeReplaySchedules(plan, InstanceIndex(2))[TraceIndex(0)], nullptr);
  EXPECT_THAT(ScheduleOf(PlanWith({AtStartOf(1)}), 0).steps, IsEmpty());
}

}  // namespace
}  // namespace distbench
