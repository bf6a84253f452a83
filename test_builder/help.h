// What test_builder says of itself and of its patterns. Pure.
#ifndef TEST_BUILDER_HELP_H_
#define TEST_BUILDER_HELP_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "test_builder/parameter.h"
#include "test_builder/pattern.h"
#include "test_builder/pattern_registry.h"

namespace distbench {

// Usage, flags, patterns with their parameters, drivers with theirs.
std::string ProgramHelp(const PatternRegistry& patterns);

// One pattern with its parameters; those of all tests and of drivers are not among them.
std::string PatternHelp(const Pattern& pattern);

// What the words behind -h ask for: patterns, as `clique` or `clique:tcp`, with all parameters that
// their tests have; drivers; or the words of the command line. The error offers the nearest name.
absl::StatusOr<std::string> HelpOn(const std::vector<std::string>& words,
                                   const PatternRegistry& patterns);

// A line for each pattern.
std::string PatternList(const PatternRegistry& patterns);

// `client_count=1 (instances, 1 to 1000)  Clients.`, each line after `indent`.
std::string ParameterHelp(const std::vector<Parameter>& parameters, const std::string& indent);

}  // namespace distbench

#endif  // TEST_BUILDER_HELP_H_
