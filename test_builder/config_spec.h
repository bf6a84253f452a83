// ConfigSpec: a test as the command line asks for it.
//
//   PATTERN[:DRIVER][:ipv4|:ipv6][:NAME=VALUE…]      clique:tcp:ipv6:node_count=4:request_size=64
//
// A value may have colons: it goes on until the next NAME=, but not with the name of a driver. One
// that begins with `<` stands for what the file of that name holds.
#ifndef TEST_BUILDER_CONFIG_SPEC_H_
#define TEST_BUILDER_CONFIG_SPEC_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "test_builder/parameter.h"

namespace distbench {

struct ConfigSpec {
  std::string text;  // as it was written
  std::string pattern;
  std::string driver = "grpc";
  int ip_version = 0;  // 4, 6, or 0: whichever there is
  std::vector<NamedValue> values;
};

// Whether the pattern, the driver and the parameters exist is not looked at. `read_file` is asked
// for the values in files.
absl::StatusOr<ConfigSpec> ParseConfigSpec(
    absl::string_view text,
    absl::FunctionRef<absl::StatusOr<std::string>(const std::string& path)> read_file);

}  // namespace distbench

#endif  // TEST_BUILDER_CONFIG_SPEC_H_
