// OpenedResult: the result of a test, record by record: logs, the node's own figures, samples. Not
// thread-safe.
#ifndef DISTBENCH_NODE_OPENED_RESULT_H_
#define DISTBENCH_NODE_OPENED_RESULT_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "distbench/node/hosted_samples.h"
#include "protos/result_record.pb.h"

namespace distbench {

class OpenedResult {
 public:
  // `samples` may be null: there are none.
  OpenedResult(GetTrafficResultResponse statistics, std::unique_ptr<HostedSamples> samples,
               bool clears_test);

  // None: that was all. An error if samples were lost; what came before is right.
  absl::StatusOr<std::optional<ResultRecord>> Next();

  bool clears_test() const { return clears_test_; }

 private:
  std::deque<ResultRecord> statistics_;  // that were not handed out yet
  const std::unique_ptr<HostedSamples> samples_;
  const bool clears_test_;
};

// Adds samples to the logs that they belong to; where there are more than `max_samples` they are
// left out, and counted so.
void AddSamplesUpTo(int64_t max_samples, HostedSamples& samples, ServiceLogs* logs);

}  // namespace distbench

#endif  // DISTBENCH_NODE_OPENED_RESULT_H_
