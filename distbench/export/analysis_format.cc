#include "distbench/export/analysis_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

#include "absl/strings/str_format.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using Samples = std::vector<const RpcSample*>;

void WriteLatencies(const Samples& samples, std::ostream& out) {
  for (const RpcSample* sample : samples) {
    out << sample->request_size() << " " << sample->latency_ns() << "\n";
  }
}

void WriteMicroseconds(const Samples& samples, std::ostream& out) {
  for (const RpcSample* sample : samples) {
    const double latency_us = static_cast<double>(sample->latency_ns()) / 1000;
    out << sample->request_size() << " " << absl::StrFormat("%.3f", latency_us) << "\n";
  }
}

// `sorted` is not empty.
int64_t Quantile(const std::vector<int64_t>& sorted, size_t parts_per_10000) {
  const size_t position = sorted.size() * parts_per_10000 / 10'000;
  return sorted[std::min(position, sorted.size() - 1)];
}

void WriteStatistics(const Samples& samples, std::ostream& out) {
  std::map<int64_t, std::vector<int64_t>> latencies_ns;  // by request size
  for (const RpcSample* sample : samples) {
    latencies_ns[sample->request_size()].push_back(sample->latency_ns());
  }
  for (auto& [request_bytes, latencies] : latencies_ns) {
    std::sort(latencies.begin(), latencies.end());
    out << request_bytes << " " << latencies.size() << " " << latencies.front();
    for (const size_t parts : {5000, 9000, 9900, 9999}) out << " " << Quantile(latencies, parts);
    out << " " << latencies.back() << "\n";
  }
}

void WriteLongest(const Samples& samples, std::ostream& out) {
  std::map<int64_t, int64_t> longest_ns;  // by iteration
  for (const RpcSample* sample : samples) {
    const auto& iterations = sample->trace_context().action_iterations();
    if (iterations.empty()) continue;
    int64_t& longest = longest_ns.try_emplace(iterations[0], sample->latency_ns()).first->second;
    longest = std::max(longest, sample->latency_ns());
  }
  for (const auto& [iteration, latency_ns] : longest_ns) {
    out << iteration << " " << latency_ns << "\n";
  }
}

}  // namespace

void WriteAnalysisHeader(AnalysisFormat format, std::ostream& out) {
  switch (format) {
    case AnalysisFormat::kDefault:
      out << "Request_size Latency_ns\n";
      break;
    case AnalysisFormat::kHoma:
      out << "Request_size Latency_us\n";
      break;
    case AnalysisFormat::kStatistics:
      out << "Request_size N min 50% 90% 99% 99.99% max\n";
      break;
    case AnalysisFormat::kTraceContext:
      out << "Action_iteration Latency_ns\n";
      break;
  }
}

void WriteAnalysisLines(AnalysisFormat format, const Samples& samples, std::ostream& out) {
  switch (format) {
    case AnalysisFormat::kDefault:
      return WriteLatencies(samples, out);
    case AnalysisFormat::kHoma:
      return WriteMicroseconds(samples, out);
    case AnalysisFormat::kStatistics:
      return WriteStatistics(samples, out);
    case AnalysisFormat::kTraceContext:
      return WriteLongest(samples, out);
  }
}

}  // namespace distbench
