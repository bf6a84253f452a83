#include "distbench/results/limited_samples.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

#include "distbench/base/indices.h"
#include "distbench/results/sample_reservoir.h"

namespace distbench {
namespace {

struct Candidate {
  uint64_t priority = 0;
  KeptSample kept;

  // Equal priorities are rare, yet shall not leave the choice to the order of the shards.
  auto Key() const { return std::tuple(priority, kept.sample.start_ns, kept.sample.latency_ns); }
};

void AppendKept(const std::vector<const ShardLog*>& shards, ListIndex list,
                std::vector<KeptSample>& kept) {
  std::vector<Candidate> candidates;
  size_t max_samples = 0;
  for (size_t i = 0; i < shards.size(); ++i) {
    const std::optional<SampleReservoir>& reservoir = shards[i]->reservoirs[list];
    if (!reservoir.has_value()) return;
    max_samples = reservoir->max_samples();
    for (const SampleReservoir::Candidate& candidate : reservoir->candidates()) {
      candidates.push_back(
          {.priority = candidate.priority,
           .kept = {.shard = i, .sample = candidate.sample, .trace = candidate.trace.get()}});
    }
  }
  if (candidates.size() > max_samples) {
    std::nth_element(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(max_samples),
                     candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.Key() < b.Key(); });
    candidates.resize(max_samples);
  }
  for (const Candidate& candidate : candidates) kept.push_back(candidate.kept);
}

}  // namespace

std::vector<KeptSample> KeptSamples(const std::vector<const ShardLog*>& shards) {
  std::vector<KeptSample> kept;
  if (shards.empty()) return kept;
  for (size_t i = 0; i < shards.front()->reservoirs.size(); ++i) {
    AppendKept(shards, ListIndex(i), kept);
  }
  return kept;
}

}  // namespace distbench
