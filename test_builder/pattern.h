// Pattern: a family of tests that differ in their parameters, such as a client that queries a
// server. Each is one file below patterns/, or a text file of the user's (text_pattern.h).
#ifndef TEST_BUILDER_PATTERN_H_
#define TEST_BUILDER_PATTERN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/parameter.h"
#include "test_builder/parameter_values.h"

namespace distbench {

// Immutable, thread-safe.
class Pattern {
 public:
  virtual ~Pattern() = default;

  virtual std::string name() const = 0;
  // One sentence.
  virtual std::string summary() const = 0;
  virtual std::vector<Parameter> parameters() const = 0;

  // What its tests are called where the values are these: the pattern and what matters most,
  // `client_server_1x1x100`.
  virtual std::string Alias(const ParameterValues& values) const = 0;
  // What the names of its tests end in, behind the protocol.
  virtual std::string NameEnding(const ParameterValues&) const { return ""; }

  // A test in which traffic is measured for `duration`: services, RPCs, what is done. Its name, its
  // attributes and its driver are not the pattern's business. The error names parameters that do
  // not go together.
  virtual absl::StatusOr<DistributedSystemDescription> Build(const ParameterValues& values,
                                                             absl::Duration duration) const = 0;
};

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERN_H_
