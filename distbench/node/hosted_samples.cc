#include "distbench/node/hosted_samples.h"

#include <utility>

#include "distbench/results/recorded_samples.h"

namespace distbench {

HostedSamples::HostedSamples(std::vector<std::unique_ptr<RecordedSamples>> engines)
    : engines_(std::move(engines)) {}

HostedSamples::~HostedSamples() = default;

bool HostedSamples::Next(SampleBlock* block) {
  for (; current_ < engines_.size(); ++current_) {
    if (engines_[current_]->Next(block)) return true;
    status_.Update(engines_[current_]->status());
  }
  return false;
}

}  // namespace distbench
