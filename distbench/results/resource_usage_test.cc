#include "distbench/results/resource_usage.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

TEST(ResourceUsageTest, EveryFieldIsSet) {
  const RUsage usage = CurrentResourceUsage();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  RUsage::GetReflection()->ListFields(usage, &fields);
  EXPECT_EQ(static_cast<int>(fields.size()), RUsage::descriptor()->field_count());
  EXPECT_GT(usage.max_resident_set_size(), 0);
}

TEST(ResourceUsageTest, TheDifferenceIsWhatTheProcessDidSince) {
  const RUsage start = CurrentResourceUsage();
  constexpr size_t kPages = 256;
  std::vector<char> touched(kPages * 4096, 'x');  // each page is a fault
  volatile uint64_t sink = static_cast<uint64_t>(touched[1]);
  while (CurrentResourceUsage().user_cpu_time_seconds() <= start.user_cpu_time_seconds()) {
    for (int i = 0; i < 100'000; ++i) sink = sink * 3 + 1;
  }
  const RUsageStats stats = ResourceUsageSince(start);
  EXPECT_EQ(stats.rusage_start().SerializeAsString(), start.SerializeAsString());
  EXPECT_GT(stats.rusage_diff().user_cpu_time_seconds(), 0);
  EXPECT_LE(stats.rusage_diff().user_cpu_time_seconds(),
            CurrentResourceUsage().user_cpu_time_seconds());
  EXPECT_GE(stats.rusage_diff().max_resident_set_size(), 0);
}

}  // namespace
}  // namespace distbench
