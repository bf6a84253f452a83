#include "distbench/driver/grpc/peer_channel.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
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

// HTTP's Host, the first address of several.
std::string AuthorityOf(const PeerChannelOptions& options) {
  return FormatHostPort(options.addresses.front().host, options.addresses.front().port);
}

std::string Describe(const std::vector<HostPort>& addresses) {
  return absl::StrJoin(addresses, ", ", [](std::string* out, const HostPort& address) {
    out->append(FormatHostPort(address.host, address.port));
  });
}

// Those that go before what the config gives.
std::vector<ChannelArgument> OwnArguments(const PeerChannelOptions& options) {
  std::vector<ChannelArgument> arguments;
  if (options.addresses.size() == 1) return arguments;
  const bool is_round_robin = options.policy == ChannelPolicy::kRoundRobin;
  arguments.push_back(
      {.name = GRPC_ARG_LB_POLICY_NAME, .value = is_round_robin ? "round_robin" : "pick_first"});
  arguments.push_back({.name = GRPC_ARG_DEFAULT_AUTHORITY, .value = AuthorityOf(options)});
  return arguments;
}

grpc_channel* NewChannel(const PeerChannelOptions& options) {
  std::vector<ChannelArgument> overrides = OwnArguments(options);
  overrides.insert(overrides.end(), options.arguments.begin(), options.arguments.end());
  if (CallsSayAuthority(options)) {
    overrides.push_back({.name = GRPC_ARG_DISABLE_CLIENT_AUTHORITY_FILTER, .value = 1});
  }
  std::vector<grpc_arg> arguments = Override(ClientChannelArguments(), overrides);
  std::optional<DeviceMutator> mutator;
  if (options.device) {
    const auto family = FamilyOf(options.addresses.front().host);
    mutator.emplace(*options.device, family.value_or(IpFamily::kV4));
    arguments.push_back(mutator->argument());
  }
  const grpc_channel_args args = AsChannelArgs(arguments);
  // Whoever asks for the channel has looked at the addresses.
  const std::string target = *GrpcTargetOfAll(options.addresses);
  return grpc_channel_create(target.c_str(), options.credentials, &args);
}

}  // namespace

PeerChannel::PeerChannel(const PeerChannelOptions& options)
    : address_(Describe(options.addresses)),
      authority_(AuthorityOf(options)),
      channel_(NewChannel(options)),
      method_(grpc_channel_register_call(channel_, kGenericRpcMethod,
                                         CallsSayAuthority(options) ? authority_.c_str() : nullptr,
                                         nullptr)),
      stub_(options.for_callbacks ? std::make_unique<CallbackStub>(channel_) : nullptr) {}

PeerChannel::~PeerChannel() {
  if (stub_ == nullptr) grpc_channel_destroy(channel_);
}

}  // namespace distbench
