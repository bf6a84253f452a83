// CounterRandom: random numbers that depend on where they are drawn, not on when or by whom.
//
// A stream is named by a key of integers (seed, instance, list, run, action, iteration, ...); the
// same key gives the same stream, whatever threads do, and keys that differ anywhere give streams
// that are independent for all purposes here.
//
//   CounterRandom random({seed, instance, list, run, action, iteration});
//   random.Below(targets);
//
//   const CounterRandom action({seed, instance, list, run, action});
//   CounterRandom random = action.Stream(iteration);   // the same stream, for less
//
// The key is hashed and the stream produced by the output function of SplitMix64 (Steele, Lea and
// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). Making one costs some ns.
#ifndef DISTBENCH_SAMPLING_COUNTER_RANDOM_H_
#define DISTBENCH_SAMPLING_COUNTER_RANDOM_H_

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace distbench {

class CounterRandom {
 public:
  using result_type = uint64_t;

  explicit CounterRandom(std::initializer_list<uint64_t> key) {
    for (uint64_t part : key) state_ = Mix(state_ + kGamma + part);
  }

  // The stream whose key is this one's with `part` after it. Requires: nothing was drawn from this.
  CounterRandom Stream(uint64_t part) const {
    CounterRandom stream = *this;
    stream.state_ = Mix(state_ + kGamma + part);
    return stream;
  }

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return ~uint64_t{0}; }

  uint64_t operator()() { return Mix(state_ += kGamma); }

  // Uniform in [0, bound), without bias. Requires: bound > 0.
  // By Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
  uint64_t Below(uint64_t bound) {
    __extension__ using uint128 = unsigned __int128;
    uint128 product = uint128{(*this)()} * bound;
    if (static_cast<uint64_t>(product) < bound) {
      const uint64_t threshold = -bound % bound;
      while (static_cast<uint64_t>(product) < threshold) product = uint128{(*this)()} * bound;
    }
    return static_cast<uint64_t>(product >> 64);
  }

  // Uniform in [0, 1), with 53 bits.
  double Unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  // Exponentially distributed with mean 1, at most 36.8. By inversion.
  double Exponential() { return -std::log(1 - Unit()); }

 private:
  static constexpr uint64_t kGamma = 0x9e3779b97f4a7c15;

  static constexpr uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_SAMPLING_COUNTER_RANDOM_H_
