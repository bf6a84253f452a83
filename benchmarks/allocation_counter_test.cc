#include "benchmarks/allocation_counter.h"

#include <cstdlib>
#include <memory>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(AllocationCountTest, EveryKindOfAllocationCountsOnce) {
  struct alignas(128) Aligned {
    char bytes[128];
  };
  const AllocationCount allocations;
  EXPECT_EQ(allocations.count(), 0);
  const auto value = std::make_unique<int>(1);
  const int64_t after_new = allocations.count();
  void* from_malloc = std::malloc(10);
  const int64_t after_malloc = allocations.count();
  void* from_calloc = std::calloc(10, 10);
  const int64_t after_calloc = allocations.count();
  const auto aligned = std::make_unique<Aligned>();
  const int64_t after_aligned = allocations.count();
  std::free(from_malloc);
  std::free(from_calloc);
  EXPECT_EQ(after_new, 1);
  EXPECT_EQ(after_malloc, 2);
  EXPECT_EQ(after_calloc, 3);
  EXPECT_EQ(after_aligned, 4);
  EXPECT_EQ(*value, 1);
}

TEST(AllocationCountTest, CountsFromItsConstructionOn) {
  { const AllocationCount allocations; }
  const std::vector<int> uncounted(1000);
  const AllocationCount allocations;
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_EQ(uncounted.size(), 1000u);
}

TEST(BytesInUseTest, GrowsByWhatIsTaken) {
  const int64_t before = BytesInUse();
  const std::vector<char> large(10'000'000);
  EXPECT_GE(BytesInUse() - before, 10'000'000);
  EXPECT_LT(BytesInUse() - before, 11'000'000);
  EXPECT_EQ(large.size(), 10'000'000u);
}

}  // namespace
}  // namespace distbench
