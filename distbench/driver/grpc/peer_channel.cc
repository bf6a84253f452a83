#include "distbench/driver/grpc/peer_channel.h"

#include <vector>

#include "distbench/driver/grpc/channel_arguments.h"
#include "distbench/driver/grpc/generic_rpc_method.h"
#include "distbench/net/grpc_target.h"

namespace distbench {
namespace {

grpc_channel* NewChannel(const HostPort& address, grpc_channel_credentials* credentials) {
  std::vector<grpc_arg> arguments = ClientChannelArguments();
  const grpc_channel_args args = AsChannelArgs(arguments);
  return grpc_channel_create(GrpcTarget(address).c_str(), credentials, &args);
}

}  // namespace

PeerChannel::PeerChannel(const HostPort& address, grpc_channel_credentials* credentials)
    : address_(FormatHostPort(address.host, address.port)),
      channel_(NewChannel(address, credentials)),
      method_(grpc_channel_register_call(channel_, kGenericRpcMethod, nullptr, nullptr)) {}

PeerChannel::~PeerChannel() { grpc_channel_destroy(channel_); }

}  // namespace distbench
