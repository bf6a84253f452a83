// Reads the tests of a command line and checks them before anything runs, so that what is wrong is
// told with the place where it stands: FILE:LINE:COLUMN.
#ifndef DISTBENCH_CLI_CHECKED_SEQUENCE_H_
#define DISTBENCH_CLI_CHECKED_SEQUENCE_H_

#include <iosfwd>
#include <vector>

#include "absl/status/statusor.h"
#include "distbench/config/compiler.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

class SequenceInput;

struct CheckedSequence {
  TestSequence given;
  TestSequence canonical;
  std::vector<CompiledTest> tests;  // plans are never null
};

// Warnings are written to `warnings`, a line each. The error has all errors, a line each.
absl::StatusOr<CheckedSequence> ReadCheckedSequence(const SequenceInput& input,
                                                    const KnownDrivers& drivers,
                                                    std::ostream& warnings);

}  // namespace distbench

#endif  // DISTBENCH_CLI_CHECKED_SEQUENCE_H_
