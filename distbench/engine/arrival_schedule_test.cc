#include "distbench/engine/arrival_schedule.h"

#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr WallAnchor kAnchor = {.wall_ns = 1'000'000'000'007, .monotonic_ns = 500};

TEST(ArrivalScheduleTest, ConstantArrivalsCountFromTheStart) {
  const ArrivalSchedule schedule({.interval_ns = 250, .arrivals = Arrivals::kConstant}, 1'234,
                                 kAnchor);
  EXPECT_EQ(schedule.DueNs(0), 1'234);
  EXPECT_EQ(schedule.DueNs(1), 1'484);
  EXPECT_EQ(schedule.DueNs(1'000'000'000), 1'234 + 250'000'000'000);
}

TEST(ArrivalScheduleTest, AnArrivalBeyondTheEndOfTimeIsDueThen) {
  const ArrivalSchedule schedule(
      {.interval_ns = 1'000'000'000'000'000'000, .arrivals = Arrivals::kConstant}, 500, kAnchor);
  EXPECT_EQ(schedule.DueNs(9), 9'000'000'000'000'000'500);
  EXPECT_EQ(schedule.DueNs(10), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(schedule.DueNs(64), std::numeric_limits<int64_t>::max());
}

TEST(ArrivalScheduleTest, SyncBurstsFallOnWallClockMultiples) {
  const int64_t interval_ns = 16'000;
  for (int64_t start_ns = 500; start_ns < 500 + 2 * interval_ns; start_ns += 77) {
    const ArrivalSchedule schedule({.interval_ns = interval_ns, .arrivals = Arrivals::kSyncBurst},
                                   start_ns, kAnchor);
    EXPECT_EQ(kAnchor.ToWallNs(schedule.DueNs(0)) % interval_ns, 0);
    EXPECT_GE(schedule.DueNs(0), start_ns);
    EXPECT_LT(schedule.DueNs(0), start_ns + interval_ns);
    EXPECT_EQ(schedule.DueNs(3) - schedule.DueNs(2), interval_ns);
  }
}

TEST(ArrivalScheduleTest, AStartOnAMultipleIsItselfTheFirstBurst) {
  const WallAnchor anchor = {.wall_ns = 32'000, .monotonic_ns = 0};
  const ArrivalSchedule schedule({.interval_ns = 16'000, .arrivals = Arrivals::kSyncBurst}, 0,
                                 anchor);
  EXPECT_EQ(schedule.DueNs(0), 0);
}

}  // namespace
}  // namespace distbench
