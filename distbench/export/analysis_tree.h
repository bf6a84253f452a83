// The analysis tree: the successful samples of a result as a tree of text files.
//
//   TEST/summary.txt
//   TEST/CLIENT/summary.txt                       all instances of a service
//   TEST/CLIENT/INSTANCE/summary.txt              client/0: `0`; grid/2/1: `2_1`
//   TEST/CLIENT/INSTANCE/SERVER/summary.txt
//   TEST/CLIENT/INSTANCE/SERVER/INSTANCE/summary.txt
//   TEST/CLIENT/INSTANCE/SERVER/INSTANCE/RPC.txt
//
// A summary has the lines of everything below its folder. Names come from files: what a file name
// cannot hold becomes `_`, and of two that would be the same the second gets a number. Replayed
// RPCs are left out, since their log does not tell the server. Pure: the caller makes the files.
#ifndef DISTBENCH_EXPORT_ANALYSIS_TREE_H_
#define DISTBENCH_EXPORT_ANALYSIS_TREE_H_

#include <ostream>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "distbench/export/analysis_format.h"

namespace distbench {

class TestSequenceResults;

struct AnalysisOptions {
  AnalysisFormat format = AnalysisFormat::kDefault;
  bool has_headers = true;
  bool considers_warmups = false;
};

// Makes the file `path`, relative to the tree's root, with folders above it as needed, and has
// `write` print its contents.
using FileMaker = absl::FunctionRef<absl::Status(const std::string& path,
                                                 absl::FunctionRef<void(std::ostream&)> write)>;

// Ends at the first error of `make_file`. Nothing to show is an error too.
absl::Status WriteAnalysisTree(const TestSequenceResults& results, const AnalysisOptions& options,
                               FileMaker make_file);

// `name` as part of a path that leads nowhere else: letters, digits and `._+=@%{}:-` stay.
std::string PathPart(absl::string_view name);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_ANALYSIS_TREE_H_
