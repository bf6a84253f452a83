// The samples of a test, one after another, each with what the log around it says. Pure.
#ifndef DISTBENCH_EXPORT_LOGGED_SAMPLES_H_
#define DISTBENCH_EXPORT_LOGGED_SAMPLES_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"

namespace distbench {

class RpcSample;
class TestResult;
class TestSequenceResults;

// A finished RPC. What it refers to lives as long as the visit.
struct LoggedSample {
  const std::string& client;  // instance
  const std::string& server;  // instance; empty for replay, whose log does not tell it
  const std::string& rpc;     // name of the RPC, or of the replay trace
  const RpcSample& sample;
  int64_t start_timestamp_ns = 0;  // since the epoch
  bool failed = false;
  std::string error = {};                     // empty unless failed
  std::optional<int32_t> replay_record = {};  // position in the replay trace
};

// Visits every sample, clients and servers in natural order, RPCs in the config's; of each the
// successes first, in the log's order.
void ForEachSample(const TestResult& test, absl::FunctionRef<void(const LoggedSample&)> visit);

// Finished RPCs of which the results keep no sample: exports of samples do not show them.
int64_t CountSamplesLeftOut(const TestSequenceResults& results);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_LOGGED_SAMPLES_H_
