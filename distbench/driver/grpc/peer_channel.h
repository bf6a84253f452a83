// PeerChannel: one of a client's channels to one peer: a connection, shared by all shards. Or to
// several, among which gRPC balances calls: a connection to each.
#ifndef DISTBENCH_DRIVER_GRPC_PEER_CHANNEL_H_
#define DISTBENCH_DRIVER_GRPC_PEER_CHANNEL_H_

#include <grpc/grpc.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distbench/driver/channel_policy.h"
#include "distbench/driver/grpc/channel_arguments.h"
#include "distbench/net/device_binding.h"
#include "distbench/net/socket_address.h"

namespace distbench {

class CallbackStub;

struct PeerChannelOptions {
  std::vector<HostPort> addresses;                   // at least one; numeric, of one family
  ChannelPolicy policy = ChannelPolicy::kPickFirst;  // of several
  grpc_channel_credentials* credentials = nullptr;   // may be given back at once
  std::vector<ChannelArgument> arguments = {};       // beyond ClientChannelArguments()
  std::optional<DeviceBinding> device = {};          // that sockets are bound to; none: to none
  bool for_callbacks = false;                        // makes a stub of gRPC's callback interface
};

class PeerChannel {
 public:
  // Does not connect yet.
  explicit PeerChannel(const PeerChannelOptions& options);
  // Calls that are under way keep what they need of the channel.
  ~PeerChannel();
  PeerChannel(const PeerChannel&) = delete;
  PeerChannel& operator=(const PeerChannel&) = delete;

  grpc_channel* get() const { return channel_; }

  // "10.0.0.7:12345", several with commas between; for messages.
  const std::string& address() const { return address_; }

  // A new GenericRpc call whose events go to `queue`.
  grpc_call* NewCall(grpc_completion_queue* queue, gpr_timespec deadline) const {
    return grpc_channel_create_registered_call(channel_, nullptr, GRPC_PROPAGATE_DEFAULTS, queue,
                                               method_, deadline, nullptr);
  }

  // Requires: made for callbacks.
  CallbackStub& stub() const { return *stub_; }

 private:
  const std::string address_;
  const std::string authority_;  // of calls that say theirs
  grpc_channel* const channel_;  // owned by stub_ if there is one, else by this
  void* const method_;           // owned by the channel
  const std::unique_ptr<CallbackStub> stub_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_PEER_CHANNEL_H_
