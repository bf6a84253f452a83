// The traced RPCs of a result as spans: who caused whom, and on which line of a timeline each is
// drawn. Pure.
#ifndef DISTBENCH_EXPORT_TRACE_SPANS_H_
#define DISTBENCH_EXPORT_TRACE_SPANS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace distbench {

class RpcSample;
class TestSequenceResults;

// A client instance of a test, in whose lanes its RPCs are drawn.
struct TraceProcess {
  std::string name;  // `client/0`; with the test's name in front where there are several tests
};

struct TraceSpan {
  size_t process = 0;  // position in TraceSpans::processes
  // Spans of a process that overlap in time have different lanes, from 0.
  size_t lane = 0;
  std::optional<size_t> parent;  // position in TraceSpans::spans; none: a first cause, or not kept
  std::string path;              // see trace_path.h
  std::string rpc;
  std::string server;
  std::string error;     // empty: it succeeded
  int64_t start_ns = 0;  // since the epoch
  int64_t end_ns = 0;    // >= start_ns
  const RpcSample* sample = nullptr;
};

// Samples stay with the results, which outlive this.
struct TraceSpans {
  std::vector<TraceProcess> processes;
  std::vector<TraceSpan> spans;  // by process and start
};

TraceSpans CollectTraceSpans(const TestSequenceResults& results);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_TRACE_SPANS_H_
