// What the grpc driver reads of a ProtocolDriverOptions, and refuses.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_SETTINGS_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_SETTINGS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace distbench {

class ProtocolDriverOptions;

// OK if a driver can do what the options ask for. Settings that gRPC could have but this driver
// does not are Unimplemented, all others InvalidArgument.
absl::Status CheckGrpcSettings(const ProtocolDriverOptions& options);

// OK if the `ip_version` that the options ask for is that of the address to bind to.
absl::Status CheckIpVersion(const ProtocolDriverOptions& options, absl::string_view bind_ip);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_SETTINGS_H_
