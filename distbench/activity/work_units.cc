#include "distbench/activity/work_units.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "distbench/activity/use_result.h"
#include "distbench/sampling/counter_random.h"

namespace distbench {
namespace {

// Between two looks at the stop condition: some 10 us.
constexpr int64_t kUnitsPerLook = 200;

// Calls `run_units` for parts of `units` until they are done or not wanted any more.
template <typename RunUnits>
void RunInParts(int64_t units, const StopCondition& stop, RunUnits run_units) {
  while (units > 0 && !stop.holds()) {
    const int64_t part = units < kUnitsPerLook ? units : kUnitsPerLook;
    run_units(part);
    units -= part;
  }
}

class CpuUnits final : public WorkUnits {
 public:
  void Run(int64_t units, const StopCondition& stop) const override {
    uint64_t value = 1;
    RunInParts(units, stop, [&value](int64_t part) {
      for (int64_t i = 0; i < part * kStepsPerUnit; ++i) {
        value = value * 6364136223846793005 + 1442695040888963407;
        // Keeps the compiler from taking several steps at once.
        UseResult(value);
      }
    });
  }

 private:
  static constexpr int64_t kStepsPerUnit = 40;
};

// A ring through all cache lines of the memory, in a random order.
class MemoryUnits final : public WorkUnits {
 public:
  MemoryUnits() : lines_(kLines) {
    // Sattolo's shuffle ("An algorithm to generate a random cyclic permutation", Information
    // Processing Letters 22, 1986), which makes one ring of all.
    std::vector<uint32_t> next(kLines);
    std::iota(next.begin(), next.end(), 0);
    CounterRandom random({kLines});
    for (size_t i = kLines - 1; i > 0; --i) std::swap(next[i], next[random.Below(i)]);
    for (size_t i = 0; i < kLines; ++i) lines_[i].next = next[i];
  }

  void Run(int64_t units, const StopCondition& stop) const override {
    // Each call reads other lines than the last one, which caches still hold: a thread goes on
    // where it was, and a new one begins elsewhere. In a random ring two lines are far from each
    // other.
    thread_local uint32_t place = threads_.fetch_add(1, std::memory_order_relaxed) % kLines;
    uint32_t line = place;
    RunInParts(units, stop, [this, &line](int64_t part) {
      for (; part > 0; --part) line = lines_[line].next;
    });
    place = line;
  }

 private:
  struct alignas(64) Line {
    uint32_t next = 0;
  };
  static constexpr size_t kLines = size_t{1} << 20;  // 64 MiB

  std::vector<Line> lines_;
  mutable std::atomic<uint32_t> threads_{0};  // that have begun
};

}  // namespace

std::unique_ptr<const WorkUnits> MakeWorkUnits(WorkKind kind) {
  if (kind == WorkKind::kMemory) return std::make_unique<MemoryUnits>();
  return std::make_unique<CpuUnits>();
}

}  // namespace distbench
