// What is counted of RPCs, in memory: RpcTotals (exact counters) and RpcHistograms (distributions
// of times), both split by outcome. They become, and come from, the message RpcStatistics; see
// rpc_statistics.h.
//
// Times are on whatever clock the user keeps to, the same for all that is merged. Not thread-safe.
#ifndef DISTBENCH_RESULTS_RPC_TOTALS_H_
#define DISTBENCH_RESULTS_RPC_TOTALS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "absl/container/flat_hash_map.h"
#include "distbench/results/histogram.h"

namespace distbench {

// How an RPC ended, and in which phase it began.
enum class Outcome : uint8_t { kMeasuredSuccess, kMeasuredFailure, kWarmupSuccess, kWarmupFailure };
inline constexpr std::array kOutcomes = {Outcome::kMeasuredSuccess, Outcome::kMeasuredFailure,
                                         Outcome::kWarmupSuccess, Outcome::kWarmupFailure};

inline constexpr Outcome OutcomeOf(bool failed, bool warmup) {
  return static_cast<Outcome>((warmup ? 2 : 0) + (failed ? 1 : 0));
}

// An array with one T per outcome.
template <typename T>
class PerOutcome {
 public:
  T& operator[](Outcome outcome) { return items_[static_cast<size_t>(outcome)]; }
  const T& operator[](Outcome outcome) const { return items_[static_cast<size_t>(outcome)]; }

 private:
  std::array<T, kOutcomes.size()> items_{};
};

// sum += addend, but a sum that would overflow stays at the greatest value. Requires: addend >= 0.
inline void AddSaturating(int64_t addend, int64_t& sum) {
  if (__builtin_add_overflow(sum, addend, &sum)) sum = std::numeric_limits<int64_t>::max();
}

// A finished RPC, as far as it is counted.
struct RpcFigures {
  int64_t start_ns = 0;
  int64_t end_ns = 0;  // >= start_ns
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
};

// RPCs of one outcome. The times have a meaning if count > 0.
struct OutcomeTotals {
  // The latest start is not known: whoever counted the RPCs does not tell.
  static constexpr int64_t kUnknownStartNs = std::numeric_limits<int64_t>::min();

  int64_t count = 0;
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
  int64_t first_start_ns = std::numeric_limits<int64_t>::max();
  int64_t last_start_ns = kUnknownStartNs;  // of those merged, the latest that is known
  int64_t last_end_ns = std::numeric_limits<int64_t>::min();

  void Add(const RpcFigures& rpc) {
    ++count;
    request_bytes += rpc.request_bytes;
    response_bytes += rpc.response_bytes;
    first_start_ns = std::min(first_start_ns, rpc.start_ns);
    last_start_ns = std::max(last_start_ns, rpc.start_ns);
    last_end_ns = std::max(last_end_ns, rpc.end_ns);
  }
  void Merge(const OutcomeTotals& other);
};

// All RPCs of some group.
struct RpcTotals {
  PerOutcome<OutcomeTotals> outcomes;
  int64_t cancelled = 0;
  int64_t abandoned = 0;
  int64_t samples_left_out = 0;
  absl::flat_hash_map<int32_t, int64_t> error_counts;  // by error index

  // Adds all but the error counts, whose indices mean something to their owner only.
  void MergeCounters(const RpcTotals& other);
};

// Distributions of times of one outcome. The last two know open-loop RPCs only.
struct OutcomeHistograms {
  explicit OutcomeHistograms(HistogramPageSlab& slab)
      : service_time(slab), response_time(slab), lateness(slab) {}
  void Merge(const OutcomeHistograms& other);

  LogLinearHistogram service_time;   // actual start to end
  LogLinearHistogram response_time;  // intended start to end
  LogLinearHistogram lateness;       // intended to actual start
};

// Histograms of all outcomes, each made when first asked for.
class RpcHistograms {
 public:
  // `slab` outlives this.
  OutcomeHistograms& Get(Outcome outcome, HistogramPageSlab& slab) {
    std::unique_ptr<OutcomeHistograms>& histograms = outcomes_[outcome];
    if (histograms == nullptr) [[unlikely]] {
      histograms = std::make_unique<OutcomeHistograms>(slab);
    }
    return *histograms;
  }

  // Null if nobody asked for it.
  const OutcomeHistograms* Find(Outcome outcome) const { return outcomes_[outcome].get(); }

  // Takes pages from `slab`, which outlives this.
  void Merge(const RpcHistograms& other, HistogramPageSlab& slab);

 private:
  PerOutcome<std::unique_ptr<OutcomeHistograms>> outcomes_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_RPC_TOTALS_H_
