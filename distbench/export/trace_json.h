// The format `trace`: traced RPCs in the Trace Event Format, for Perfetto and Chrome's tracing.
// Pure.
//
// A client instance is a process, an RPC a slice in it, an arrow leads from the RPC that caused
// another to that one; protos/trace_event.proto has the fields. Times are in us from the first
// start of a traced RPC, each by its own node's clock: where clocks disagree, so do slices.
#ifndef DISTBENCH_EXPORT_TRACE_JSON_H_
#define DISTBENCH_EXPORT_TRACE_JSON_H_

#include <ostream>

#include "absl/status/status.h"

namespace distbench {

class TestSequenceResults;

// An error: nothing was traced.
absl::Status WriteTraceJson(const TestSequenceResults& results, std::ostream& out);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_TRACE_JSON_H_
