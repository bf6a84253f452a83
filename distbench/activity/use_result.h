// Keeps the compiler from leaving out work of which nobody uses the result.
#ifndef DISTBENCH_ACTIVITY_USE_RESULT_H_
#define DISTBENCH_ACTIVITY_USE_RESULT_H_

#include <cstdint>

namespace distbench {

// To the compiler, `value` is read here and may be another one afterwards.
inline void UseResult(uint64_t& value) { asm volatile("" : "+r"(value)); }

}  // namespace distbench

#endif  // DISTBENCH_ACTIVITY_USE_RESULT_H_
