// PeerChannel: a client's channel to one peer, shared by all shards.
#ifndef DISTBENCH_DRIVER_GRPC_PEER_CHANNEL_H_
#define DISTBENCH_DRIVER_GRPC_PEER_CHANNEL_H_

#include <grpc/grpc.h>

#include <string>

#include "distbench/net/socket_address.h"

namespace distbench {

class PeerChannel {
 public:
  // Does not connect yet. `credentials` may be given back at once.
  PeerChannel(const HostPort& address, grpc_channel_credentials* credentials);
  // Calls that are under way keep what they need of the channel.
  ~PeerChannel();
  PeerChannel(const PeerChannel&) = delete;
  PeerChannel& operator=(const PeerChannel&) = delete;

  grpc_channel* get() const { return channel_; }

  // "10.0.0.7:12345", for messages.
  const std::string& address() const { return address_; }

  // A new GenericRpc call whose events go to `queue`.
  grpc_call* NewCall(grpc_completion_queue* queue, gpr_timespec deadline) const {
    return grpc_channel_create_registered_call(channel_, nullptr, GRPC_PROPAGATE_DEFAULTS, queue,
                                               method_, deadline, nullptr);
  }

 private:
  const std::string address_;
  grpc_channel* const channel_;
  void* const method_;  // owned by the channel
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_PEER_CHANNEL_H_
