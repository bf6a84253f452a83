// The samples of a log in the public form, on their way into it, out of it, or dropped. The log's
// statistics say how many of the finished RPCs have no sample. Pure.
#ifndef DISTBENCH_RESULTS_LOG_SAMPLES_H_
#define DISTBENCH_RESULTS_LOG_SAMPLES_H_

#include <cstdint>
#include <set>
#include <string>
#include <tuple>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace distbench {

class InstanceLogPart;
class SampleBlock;
class ServiceLogs;
class ServicePerformanceLog;

// Appends the samples of a block of the log's instance. An error, and nothing is added, if the
// block contradicts itself or has samples of RPCs that the log does not know.
absl::Status AddSamples(const SampleBlock& block, ServicePerformanceLog& log);

// The RPCs that logs know, for checking blocks where the logs are elsewhere by then.
class KnownRpcs {
 public:
  explicit KnownRpcs(const ServiceLogs& logs);

  // As AddSamples() would.
  absl::Status Check(const SampleBlock& block) const;

 private:
  std::set<std::tuple<std::string, std::string, int32_t>> known_;  // instance, peer, index
};

// After all blocks: brings the samples into an order that does not depend on that of the blocks,
// and counts those that are missing.
void CompleteSamples(ServicePerformanceLog& log);

// Moves the samples out, in blocks.
void TakeSamples(const std::string& instance, ServicePerformanceLog& log,
                 absl::FunctionRef<void(SampleBlock)> visit);

// Drops the samples and counts them as missing; replay traces too.
void DropSamples(ServicePerformanceLog& log);

// Hands out a log that has no samples in parts of about 1 MiB.
void SplitLog(const std::string& instance, ServicePerformanceLog log,
              absl::FunctionRef<void(InstanceLogPart)> visit);

// Adds a part to the log that the parts before have made.
void AddPart(InstanceLogPart part, ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_LOG_SAMPLES_H_
