// InstructionFootprint: many functions, all different, that do next to nothing. Calling them in an
// order without a pattern drives other code out of the instruction cache.
#ifndef DISTBENCH_ACTIVITY_INSTRUCTION_FOOTPRINT_H_
#define DISTBENCH_ACTIVITY_INSTRUCTION_FOOTPRINT_H_

#include <cstddef>
#include <cstdint>

namespace distbench {

// Each starts on a cache line of its own and takes at least two: together more than 256 KiB of
// code, where the first-level caches of today's processors hold 32 to 192 KiB.
inline constexpr size_t kFootprintFunctions = 2304;

// Calls function number `index`, which mixes `value`. Requires: index < kFootprintFunctions.
uint64_t CallFootprintFunction(size_t index, uint64_t value);

// Bytes between the first and the last of the functions' addresses.
size_t FootprintBytes();

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_INSTRUCTION_FOOTPRINT_H_
