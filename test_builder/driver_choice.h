// Which driver the instances of a test use, with which settings, and what that is called. The
// settings are parameters of the test like those of its pattern. Stateless.
#ifndef TEST_BUILDER_DRIVER_CHOICE_H_
#define TEST_BUILDER_DRIVER_CHOICE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/parameter.h"
#include "test_builder/parameter_values.h"

namespace distbench {

struct DriverChoice {
  std::string driver;
  int ip_version = 0;  // 4, 6, or 0: whichever there is
};

// In the order in which help shows them.
std::vector<std::string> DriverNames();

// The settings of a driver; the error offers the nearest name.
absl::StatusOr<std::vector<Parameter>> DriverParameters(absl::string_view driver);

// What a config says of it. Both require: the driver exists, and its parameters have values.
ProtocolDriverOptions DriverOptions(const DriverChoice& choice, const ParameterValues& values);

// `grpc_polling_inline`, `grpc_callback_handoff_ipv6_simple_4`, `tcp_unix_connections4`.
std::string ProtocolAlias(const DriverChoice& choice, const ParameterValues& values);

}  // namespace distbench

#endif  // TEST_BUILDER_DRIVER_CHOICE_H_
