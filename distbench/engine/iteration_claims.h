// IterationClaims: hands out the iteration numbers of one action to the lanes that run it, each
// number once, none at or above the limit.
//
// Lanes claim in batches, so that the shared counter is not touched for each iteration. A batch
// shrinks as the limit comes near, so that no lane sits on numbers that another one could run
// (guided self-scheduling: Polychronopoulos and Kuck, IEEE Trans. Computers C-36(12), 1987).
// Thread-safe.
#ifndef DISTBENCH_ENGINE_ITERATION_CLAIMS_H_
#define DISTBENCH_ENGINE_ITERATION_CLAIMS_H_

#include <atomic>
#include <cstdint>
#include <optional>

namespace distbench {

class IterationClaims {
 public:
  struct Batch {
    int64_t next = 0;
    int64_t end = 0;
    bool empty() const { return next == end; }
  };

  // Starts anew. Requires: nobody claims meanwhile; lanes >= 1.
  void Reset(std::optional<int64_t> max_count, int64_t lanes);

  // Numbers for a lane that runs `width` iterations at a time; empty if none are left.
  Batch Claim(int64_t width);

 private:
  static constexpr int64_t kLargestBatch = 64;

  std::atomic<int64_t> next_{0};
  int64_t limit_ = 0;
  int64_t lanes_ = 1;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ITERATION_CLAIMS_H_
