#include "distbench/activity/instruction_footprint.h"

#include <algorithm>
#include <array>
#include <utility>

namespace distbench {
namespace {

using Function = uint64_t (*)(uint64_t);

// The constants differ, so that no linker folds two of them into one.
template <size_t kIndex>
__attribute__((noinline, aligned(64))) uint64_t Mix(uint64_t value) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15 + 2 * kIndex * 0x2545f4914f6cdd1d;
  value = (value ^ (value >> 29)) * kOdd;
  value = (value ^ (value >> 31)) * (kOdd + 0x10000 * kIndex);
  value = (value ^ (value >> 30)) * (kOdd ^ 0x5555555555555550);
  value = (value ^ (value >> 27)) * (kOdd + 0x7777777777777770);
  return value ^ (value >> 33);
}

template <size_t... kIndices>
constexpr std::array<Function, sizeof...(kIndices)> MakeTable(std::index_sequence<kIndices...>) {
  return {&Mix<kIndices>...};
}

constexpr std::array<Function, kFootprintFunctions> kFunctions =
    MakeTable(std::make_index_sequence<kFootprintFunctions>());

}  // namespace

uint64_t CallFootprintFunction(size_t index, uint64_t value) { return kFunctions[index](value); }

size_t FootprintBytes() {
  const auto [first, last] =
      std::minmax_element(kFunctions.begin(), kFunctions.end(), [](Function a, Function b) {
        return reinterpret_cast<uintptr_t>(a) < reinterpret_cast<uintptr_t>(b);
      });
  return reinterpret_cast<uintptr_t>(*last) - reinterpret_cast<uintptr_t>(*first);
}

}  // namespace distbench
