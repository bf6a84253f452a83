// The way that led to a traced RPC, as exports write it. Pure.
#ifndef DISTBENCH_EXPORT_TRACE_PATH_H_
#define DISTBENCH_EXPORT_TRACE_PATH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace distbench {

class TraceContext;

// A step of the way, as TraceContext has it in its lists. A list that is too short counts as 0s.
struct TraceHop {
  int64_t engine = 0;
  int64_t list = 0;
  int64_t invocation = 0;
  int64_t action = 0;
  int64_t iteration = 0;
  int64_t fanout = 0;
};

// The first cause first.
std::vector<TraceHop> TraceHops(const TraceContext& context);

// `3:0:0:1:512:0` a hop, in the order of the fields above, hops joined by `/`. No two RPCs of a
// test have the same path, and that of an RPC's cause is its own without the last hop.
std::string TracePath(const TraceContext& context);

// That of the cause; empty for a first cause.
absl::string_view ParentPath(absl::string_view path);

// For exports that have nothing to show without traced RPCs.
absl::Status NoTracedRpcsError();

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_TRACE_PATH_H_
