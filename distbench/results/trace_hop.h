// TraceHop: one step on the way that led to a traced RPC. What its figures mean: TraceContext in
// protos/distbench.proto.
#ifndef DISTBENCH_RESULTS_TRACE_HOP_H_
#define DISTBENCH_RESULTS_TRACE_HOP_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace distbench {

struct TraceHop {
  int64_t engine_id = 0;
  int64_t list_index = 0;
  int64_t list_invocation = 0;
  int64_t action_index = 0;
  int64_t iteration = 0;
  int64_t fanout_index = 0;

  friend bool operator==(const TraceHop&, const TraceHop&) = default;
};

// The first cause first.
using TracePath = std::vector<TraceHop>;

// The longest way that is recorded.
inline constexpr size_t kMostTraceHops = 100;

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_TRACE_HOP_H_
