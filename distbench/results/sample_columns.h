// SampleRun <-> RpcSamples: the columns of protos/result_record.proto, filled and read.
#ifndef DISTBENCH_RESULTS_SAMPLE_COLUMNS_H_
#define DISTBENCH_RESULTS_SAMPLE_COLUMNS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

namespace distbench {

class RpcSample;
class SampleBlock;
class SampleRun;

// The most samples of one block, runs together.
inline constexpr int64_t kMaxBlockSamples = 65536;

// A sample as the columns know it.
struct SampleRow {
  int64_t start_timestamp_ns = 0;
  int64_t latency_ns = 0;
  int64_t latency_weight = 0;  // 0: none
  int64_t request_size = 0;
  int64_t response_size = 0;
  int32_t error_index = 0;
  bool warmup = false;
};

// The same as a message. Requires: `sample` is empty.
void WriteSample(const SampleRow& row, RpcSample& sample);

// Writes the columns; peer, RPC and kind are the caller's. Requires: `run` has none yet.
void WriteColumns(absl::Span<const SampleRow> rows, SampleRun& run);

// The same of samples that came as messages; those that have more to them stay messages.
void WriteSamples(absl::Span<const RpcSample* const> samples, SampleRun& run);

// OK unless the run contradicts itself.
absl::Status CheckRun(const SampleRun& run);

// Visits every sample of the run, first those in columns. An error, and no visit, if CheckRun finds
// one.
absl::Status ForEachSample(const SampleRun& run, absl::FunctionRef<void(const RpcSample&)> visit);

// How many samples they have.
int64_t SampleCount(const SampleRun& run);
int64_t SampleCount(const SampleBlock& block);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_SAMPLE_COLUMNS_H_
