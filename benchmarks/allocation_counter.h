// AllocationCount: how often the process has taken memory from the allocator, by malloc and its
// relatives, which operator new and the C libraries use too.
//
// The library that this header belongs to replaces those functions in the program that links it.
// Counting is off until it is asked for; then each allocation costs an atomic addition.
#ifndef BENCHMARKS_ALLOCATION_COUNTER_H_
#define BENCHMARKS_ALLOCATION_COUNTER_H_

#include <cstdint>

namespace distbench {

// Counts from construction to destruction, in all threads. One at a time.
class AllocationCount {
 public:
  AllocationCount();
  ~AllocationCount();
  AllocationCount(const AllocationCount&) = delete;
  AllocationCount& operator=(const AllocationCount&) = delete;

  int64_t count() const;  // so far
};

// Bytes that the program has from the allocator and has not given back.
int64_t BytesInUse();

}  // namespace distbench

#endif  // BENCHMARKS_ALLOCATION_COUNTER_H_
