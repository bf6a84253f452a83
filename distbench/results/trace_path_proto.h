// TracePath <-> TraceContext, the message that travels and is logged.
#ifndef DISTBENCH_RESULTS_TRACE_PATH_PROTO_H_
#define DISTBENCH_RESULTS_TRACE_PATH_PROTO_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "distbench/results/trace_hop.h"

namespace distbench {

class TraceContext;

// Requires: `context` is empty.
void WriteTracePath(const TracePath& path, TraceContext& context);
std::string SerializeTracePath(const TracePath& path);

// InvalidArgument unless the bytes are a TraceContext of at most kMostTraceHops, whose lists are of
// one length.
absl::StatusOr<TracePath> ParseTracePath(absl::string_view bytes);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_TRACE_PATH_PROTO_H_
