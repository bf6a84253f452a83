#include "distbench/driver/grpc/peer_channel.h"

#include "absl/algorithm/container.h"
#include "distbench/driver/grpc/callback_stub.h"
#include "distbench/driver/grpc/device_mutator.h"
#include "distbench/driver/grpc/generic_rpc_method.h"
#include "distbench/net/grpc_target.h"

namespace distbench {
namespace {

// Calls say their authority (HTTP's Host) with their method, which is cheaper than the filter that
// else finds it out for each of them, unless a config wants another one than the address.
bool CallsSayAuthority(const PeerChannelOptions& options) {
  return !options.for_callbacks &&
         absl::c_none_of(options.arguments, [](const ChannelArgument& argument) {
           return argument.name == GRPC_ARG_DEFAULT_AUTHORITY ||
                  argument.name == GRPC_SSL_TARGET_NAME_OVERRIDE_ARG;
         });
}

grpc_channel* NewChannel(const PeerChannelOptions& options) {
  std::vector<ChannelArgument> overrides = options.arguments;
  if (CallsSayAuthority(options)) {
    overrides.push_back({.name = GRPC_ARG_DISABLE_CLIENT_AUTHORITY_FILTER, .value = 1});
  }
  std::vector<grpc_arg> arguments = Override(ClientChannelArguments(), overrides);
  std::optional<DeviceMutator> mutator;
  if (options.device) {
    const bool is_ipv4 = FamilyOf(options.address.host) == IpFamily::kV4;
    mutator.emplace(*options.device, is_ipv4 ? IpFamily::kV4 : IpFamily::kV6);
    arguments.push_back(mutator->argument());
  }
  const grpc_channel_args args = AsChannelArgs(arguments);
  return grpc_channel_create(GrpcTarget(options.address).c_str(), options.credentials, &args);
}

}  // namespace

PeerChannel::PeerChannel(const PeerChannelOptions& options)
    : address_(FormatHostPort(options.address.host, options.address.port)),
      channel_(NewChannel(options)),
      method_(grpc_channel_register_call(channel_, kGenericRpcMethod,
                                         CallsSayAuthority(options) ? address_.c_str() : nullptr,
                                         nullptr)),
      stub_(options.for_callbacks ? std::make_unique<CallbackStub>(channel_) : nullptr) {}

PeerChannel::~PeerChannel() {
  if (stub_ == nullptr) grpc_channel_destroy(channel_);
}

}  // namespace distbench
