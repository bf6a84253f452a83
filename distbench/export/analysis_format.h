// The line formats of the analysis tree: what a file says of the samples that it is about. Pure.
//
//   default        Request_size Latency_ns: a line a sample
//   homa           Request_size Latency_us: the same in us
//   statistics     per request size: N, and in ns min, percentiles and max; a percentile q is the
//                  value at position floor(N * q) of the sorted latencies
//   trace_context  per iteration of the first action (of traced RPCs), the longest latency in ns
//
// Each begins with a line that names its columns, unless headers are suppressed.
#ifndef DISTBENCH_EXPORT_ANALYSIS_FORMAT_H_
#define DISTBENCH_EXPORT_ANALYSIS_FORMAT_H_

#include <ostream>
#include <vector>

namespace distbench {

class RpcSample;

enum class AnalysisFormat { kDefault, kHoma, kStatistics, kTraceContext };

void WriteAnalysisHeader(AnalysisFormat format, std::ostream& out);
void WriteAnalysisLines(AnalysisFormat format, const std::vector<const RpcSample*>& samples,
                        std::ostream& out);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_ANALYSIS_FORMAT_H_
