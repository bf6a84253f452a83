// The channel arguments of the data plane: what makes a gRPC channel or server do nothing but what
// the test asks for. No retries, no proxies, no lookups, no keepalive pings, no idle shutdown, no
// statistics of gRPC's own, no optional filters; messages of any size, and wide windows. What goes
// over the wire is what every gRPC peer understands. A config may override each of them.
#ifndef DISTBENCH_DRIVER_GRPC_CHANNEL_ARGUMENTS_H_
#define DISTBENCH_DRIVER_GRPC_CHANNEL_ARGUMENTS_H_

#include <grpc/grpc.h>

#include <string>
#include <variant>
#include <vector>

namespace distbench {

// The keys are static strings.
std::vector<grpc_arg> ClientChannelArguments();
std::vector<grpc_arg> ServerChannelArguments();

// An argument that a config gives.
struct ChannelArgument {
  std::string name;
  std::variant<int, std::string> value;
};

// `defaults`, replaced or complemented by `overrides`, to whose texts the result refers.
std::vector<grpc_arg> Override(std::vector<grpc_arg> defaults,
                               const std::vector<ChannelArgument>& overrides);

// A view of `arguments` as gRPC wants it.
inline grpc_channel_args AsChannelArgs(std::vector<grpc_arg>& arguments) {
  return {.num_args = arguments.size(), .args = arguments.data()};
}

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_CHANNEL_ARGUMENTS_H_
