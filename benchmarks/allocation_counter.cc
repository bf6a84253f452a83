#include "benchmarks/allocation_counter.h"

#include <errno.h>
#include <malloc.h>

#include <atomic>
#include <cstddef>

// The C library's own allocator, below the functions that are replaced here.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace distbench {
namespace {

// Of the process, as the allocator is; both are there before any constructor runs.
constinit std::atomic<bool> counting{false};
constinit std::atomic<int64_t> allocations{0};

void Count() {
  if (counting.load(std::memory_order_relaxed)) [[unlikely]] {
    allocations.fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace

AllocationCount::AllocationCount() {
  allocations.store(0, std::memory_order_relaxed);
  counting.store(true, std::memory_order_relaxed);
}

AllocationCount::~AllocationCount() { counting.store(false, std::memory_order_relaxed); }

int64_t AllocationCount::count() const { return allocations.load(std::memory_order_relaxed); }

int64_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

}  // namespace distbench

extern "C" {

void* malloc(size_t size) {
  distbench::Count();
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  distbench::Count();
  return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  distbench::Count();
  return __libc_realloc(memory, size);
}

void* memalign(size_t alignment, size_t size) {
  distbench::Count();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"
