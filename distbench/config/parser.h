// Reads test sequences from text or binary, merges several, and edits single fields.
#ifndef DISTBENCH_CONFIG_PARSER_H_
#define DISTBENCH_CONFIG_PARSER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

class TestSequence;

// Parses `contents` as a binary proto if it is one, else as text. Errors of text name
// FILE:LINE:COLUMN, all of them, with the nearest known field name where a field is unknown.
// A single test (a DistributedSystemDescription without the `tests {}` around it) is accepted too.
absl::StatusOr<TestSequence> ParseTestSequence(absl::string_view file_name,
                                               absl::string_view contents);

// Appends the tests of `more`; settings set in `more` win.
void AppendTestSequence(const TestSequence& more, TestSequence* sequence);

// Sets one field by path: `tests[0].rpc_descriptions[2].fanout_filter=random`. An index may be left
// out where there is just one element (`tests.seed=7`), a map is addressed by its key
// (`tests.attributes[test_timeout]=60`), an element of a list with names by its name
// (`tests.actions[run_queries].iterations.max_duration_us=500000`). Without a leading `tests` or
// `tests_setting` the path is applied to every test. Missing submessages are made. The error
// names the part of the path that does not exist and the nearest name.
absl::Status SetField(absl::string_view path_and_value, TestSequence* sequence);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_PARSER_H_
