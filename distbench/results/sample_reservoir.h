// SampleReservoir: a choice of at most n samples of all that are offered, each set of n as likely
// as any other.
//
// Each RPC has a priority, a random number of its own; those of the n least priorities are kept
// (bottom-k sampling: Cohen and Kaplan, "Summarizing data using bottom-k sketches", PODC 2007). The
// choice depends on the priorities alone, not on who was offered when or where, so choices merge
// exactly: of several reservoirs the n least of all are what one reservoir would have kept.
//
//   offered --priority above the n-th least known--> dropped
//      |
//      '--> candidates, up to 2n --full--> the n least stay, and the greatest of them is the bar
//      for
//                                          what is offered next
//
// That costs O(1) an RPC on average. Memory grows with what is kept, to 2n samples. Not
// thread-safe.
#ifndef DISTBENCH_RESULTS_SAMPLE_RESERVOIR_H_
#define DISTBENCH_RESULTS_SAMPLE_RESERVOIR_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "distbench/results/sample_log.h"
#include "distbench/results/trace_hop.h"

namespace distbench {

class SampleReservoir {
 public:
  struct Candidate {
    uint64_t priority = 0;
    Sample sample;
    std::unique_ptr<const TracePath> trace;  // null: the RPC was not traced
  };

  // `max_samples` is at least 1.
  explicit SampleReservoir(int64_t max_samples) : max_samples_(static_cast<size_t>(max_samples)) {}

  // Copies `trace`, if any, of a sample that it takes.
  void Offer(uint64_t priority, const Sample& sample, const TracePath* trace = nullptr) {
    if (priority > bar_) return;
    candidates_.push_back(
        {.priority = priority,
         .sample = sample,
         .trace = trace == nullptr ? nullptr : std::make_unique<const TracePath>(*trace)});
    if (candidates_.size() / 2 >= max_samples_) DropGreatest();
  }

  // Among them are those that are kept: the `max_samples` of least priority, or all if they are
  // fewer. In no order.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  size_t max_samples() const { return max_samples_; }

 private:
  void DropGreatest();

  const size_t max_samples_;
  uint64_t bar_ = std::numeric_limits<uint64_t>::max();  // above it nothing is kept
  std::vector<Candidate> candidates_;
};

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_RESERVOIR_H_
