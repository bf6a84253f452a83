#include "distbench/payload/message.h"

#include <cstring>
#include <memory>

namespace distbench {
namespace {

// SplitMix64: each step's output looks random and depends on the step's number only.
uint64_t RandomWord(uint64_t step) {
  uint64_t z = (step + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

const char* NewPattern() {
  static_assert(kPayloadPatternSize % sizeof(uint64_t) == 0);
  auto bytes = std::make_unique<char[]>(kPayloadPatternSize);
  for (size_t at = 0; at < kPayloadPatternSize; at += sizeof(uint64_t)) {
    const uint64_t word = RandomWord(at);
    std::memcpy(&bytes[at], &word, sizeof(word));
  }
  return bytes.release();
}

}  // namespace

absl::string_view PayloadPattern() {
  // Never freed: a transport may still refer to it while the process exits.
  static const char* const pattern = NewPattern();
  return {pattern, kPayloadPatternSize};
}

}  // namespace distbench
