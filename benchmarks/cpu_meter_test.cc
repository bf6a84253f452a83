#include "benchmarks/cpu_meter.h"

#include <unistd.h>

#include "benchmarks/cpu_time.h"
#include "distbench/base/clock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

std::vector<CpuReading> Readings() {
  return {{.wall_ns = 100, .cpu_ns = 1000},
          {.wall_ns = 200, .cpu_ns = 1100},
          {.wall_ns = 300, .cpu_ns = 1100},
          {.wall_ns = 400, .cpu_ns = 1300}};
}

TEST(CpuBetweenTest, InterpolatesBetweenReadings) {
  EXPECT_EQ(*CpuBetween(Readings(), 100, 400), 300);
  EXPECT_EQ(*CpuBetween(Readings(), 150, 250), 50);
  EXPECT_EQ(*CpuBetween(Readings(), 350, 375), 50);
  EXPECT_EQ(*CpuBetween(Readings(), 210, 290), 0);
}

TEST(CpuBetweenTest, ATimeBeyondTheReadingsIsAnError) {
  EXPECT_FALSE(CpuBetween(Readings(), 99, 300).ok());
  EXPECT_FALSE(CpuBetween(Readings(), 100, 401).ok());
  EXPECT_FALSE(CpuBetween(Readings(), 300, 200).ok());
  EXPECT_FALSE(CpuBetween({}, 1, 2).ok());
}

TEST(CpuMeterTest, SeesWhatThisProcessUses) {
  const SystemClock clock;
  CpuMeter meter({getpid()});
  const int64_t cpu_before_ns = ProcessCpuNs();
  // The first question may be older than the first reading.
  int64_t start_ns = 0;
  do {
    start_ns = clock.WallNs();
  } while (!meter.CpuNsBetween(start_ns, start_ns).ok());
  const int64_t busy_from_ns = ThreadCpuNs();
  while (ThreadCpuNs() - busy_from_ns < 50'000'000) {
  }
  const int64_t end_ns = clock.WallNs();
  const absl::StatusOr<double> used_ns = meter.CpuNsBetween(start_ns, end_ns);
  ASSERT_TRUE(used_ns.ok()) << used_ns.status();
  EXPECT_GT(*used_ns, 25e6);
  EXPECT_LE(*used_ns, static_cast<double>(ProcessCpuNs() - cpu_before_ns));
}

}  // namespace
}  // namespace distbench
