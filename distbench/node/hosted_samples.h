// HostedSamples: the samples of a node's engines, one engine after the other. Not thread-safe.
#ifndef DISTBENCH_NODE_HOSTED_SAMPLES_H_
#define DISTBENCH_NODE_HOSTED_SAMPLES_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"

namespace distbench {

class RecordedSamples;
class SampleBlock;

class HostedSamples {
 public:
  explicit HostedSamples(std::vector<std::unique_ptr<RecordedSamples>> engines);
  ~HostedSamples();

  // False at the end.
  bool Next(SampleBlock* block);

  // Why samples are missing that were kept. Known at the end.
  const absl::Status& status() const { return status_; }

 private:
  const std::vector<std::unique_ptr<RecordedSamples>> engines_;
  size_t current_ = 0;
  absl::Status status_;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_HOSTED_SAMPLES_H_
