// Channels of the control plane: to the sequencer, to node managers, to engines. The data plane's
// are its driver's.
#ifndef DISTBENCH_NET_GRPC_CHANNEL_H_
#define DISTBENCH_NET_GRPC_CHANNEL_H_

#include <memory>
#include <string>

namespace grpc {
class Channel;
}

namespace distbench {

// A channel to a gRPC target (net/grpc_target.h). Without a proxy, retries or a limit on the size
// of messages; tries again within a second when the peer was not there. Costs no thread; channels
// of one target within a process share a connection.
std::shared_ptr<grpc::Channel> ControlPlaneChannel(const std::string& target);

}  // namespace distbench

#endif  // DISTBENCH_NET_GRPC_CHANNEL_H_
