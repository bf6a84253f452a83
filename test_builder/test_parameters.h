// The parameters that a test has: those of its pattern, those of its driver, and those of all
// tests, which are declared here and change what a pattern made. Pure.
#ifndef TEST_BUILDER_TEST_PARAMETERS_H_
#define TEST_BUILDER_TEST_PARAMETERS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/parameter.h"
#include "test_builder/parameter_values.h"
#include "test_builder/pattern.h"

namespace distbench {

std::vector<Parameter> ParametersOfAllTests();

// The error says which drivers there are, or, where the word is a parameter, what it lacks.
absl::StatusOr<std::vector<Parameter>> AllParameters(const Pattern& pattern,
                                                     absl::string_view driver);

// Names that no parameter of a pattern may have: of parameters of drivers and of all tests, and of
// attributes.
std::vector<std::string> TakenNames();

// Changes the test as the parameters of all tests say.
absl::Status ApplyToTest(const ParameterValues& values, DistributedSystemDescription* test);

// `extra_test_contents`, which stand in the text of the test as they are; empty if there are none.
const std::string& ExtraContents(const ParameterValues& values);

// The test that its text means, `tests { ... extra_contents }`, as check_test reads it. Errors say
// line and column of the extra contents, which alone can be wrong.
absl::StatusOr<DistributedSystemDescription> ReadTestText(const std::string& text,
                                                          const std::string& extra_contents);

}  // namespace distbench

#endif  // TEST_BUILDER_TEST_PARAMETERS_H_
