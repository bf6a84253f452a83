// MergedRpcs: what a test counted of each RPC, over all its clients. Not thread-safe.
#ifndef DISTBENCH_EXPORT_MERGED_RPCS_H_
#define DISTBENCH_EXPORT_MERGED_RPCS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "distbench/results/histogram.h"
#include "distbench/results/rpc_totals.h"

namespace distbench {

class OutcomeStatistics;
class RpcStatistics;
class TestResult;

struct MergedRpc {
  RpcTotals totals;  // error counts are in `errors` instead
  RpcHistograms histograms;
  std::map<std::string, int64_t> errors;  // by text
};

class MergedRpcs {
 public:
  MergedRpcs() = default;
  MergedRpcs(const MergedRpcs&) = delete;
  MergedRpcs& operator=(const MergedRpcs&) = delete;

  // Adds all logs of `test`. An error means that statistics contradict themselves.
  absl::Status Add(const TestResult& test);

  // By position of the RPC in the config.
  const std::map<int32_t, MergedRpc>& by_rpc() const { return by_rpc_; }

 private:
  HistogramPageSlab slab_;
  std::map<int32_t, MergedRpc> by_rpc_;
};

// RPCs of one outcome, in the message.
const OutcomeStatistics& StatisticsOf(const RpcStatistics& statistics, Outcome outcome);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_MERGED_RPCS_H_
