// Gives memory that was freed back to the system.
//
// A test leaves its calls and samples in the allocator's free lists, one per thread. A daemon that
// runs one test after another would look as if it leaked, and keep what others could use.
#ifndef DISTBENCH_BASE_FREE_MEMORY_H_
#define DISTBENCH_BASE_FREE_MEMORY_H_

namespace distbench {

// Takes some milliseconds: not while anything is measured. Thread-safe.
void ReturnFreeMemory();

}  // namespace distbench

#endif  // DISTBENCH_BASE_FREE_MEMORY_H_
