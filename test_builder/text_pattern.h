// TextPattern: a pattern of the user's, in a file NAME.pattern:
//
//   # summary: Each client asks all servers.
//   # parameter: client_count=2 instances 1..1000 Clients.
//   # parameter: mode=constant - constant|exponential When they ask.
//   # alias: two_sides_${client_count}
//   services { name: "client" count: ${client_count} }
//   ...
//
// Lines of this kind at its head, among other comments and empty lines, declare it: a parameter has
// a name and a default (which may be missing), a unit, what is accepted (a range, of integers if it
// has no decimal point, words with | between, or - for anything), and a sentence; - is no unit. The
// rest is the contents of a test, without its driver. ${NAME} stands for the value of a parameter;
// ${duration_us} and ${duration_seconds} for the time to measure.
#ifndef TEST_BUILDER_TEXT_PATTERN_H_
#define TEST_BUILDER_TEXT_PATTERN_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "test_builder/pattern.h"
#include "test_builder/pattern_registry.h"

namespace distbench {

// `file_name` is for errors, which say FILE:LINE. Whether the contents are a test shows only when
// one is built.
absl::StatusOr<std::unique_ptr<Pattern>> ParseTextPattern(const std::string& name,
                                                          const std::string& file_name,
                                                          const std::string& contents);

// Adds the patterns of all files NAME.pattern in the folder, in the order of their names. An error
// if there is none.
absl::Status AddTextPatterns(const std::string& folder, PatternRegistry* registry);

}  // namespace distbench

#endif  // TEST_BUILDER_TEXT_PATTERN_H_
