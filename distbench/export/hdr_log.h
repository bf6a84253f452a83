// The format `hdr`: a histogram log of HdrHistogram, for its readers and plotters. Pure.
//
// A line for each RPC of each test that had measured successes, over all clients: their service
// time in ns, tagged TEST/RPC. The interval of a line is from their first start to their last end.
#ifndef DISTBENCH_EXPORT_HDR_LOG_H_
#define DISTBENCH_EXPORT_HDR_LOG_H_

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace distbench {

class TestSequenceResults;

// An error means that statistics contradict themselves.
absl::Status WriteHdrLog(const TestSequenceResults& results, std::ostream& out);

// `name` as readers accept it in a tag: `_` for spaces, commas and whatever is not printable ASCII.
std::string HdrTag(absl::string_view name);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_HDR_LOG_H_
