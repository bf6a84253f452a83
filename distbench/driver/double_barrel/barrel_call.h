// BarrelCall: a call as the driver of one barrel sees it, on behalf of the engine's call.
//
// Both live as long as each other: the engine's call object owns a DoubleBarrelCall, which has one
// of these for each barrel. Threads: as ClientCall says.
#ifndef DISTBENCH_DRIVER_DOUBLE_BARREL_BARREL_CALL_H_
#define DISTBENCH_DRIVER_DOUBLE_BARREL_BARREL_CALL_H_

#include <cstddef>

#include "distbench/driver/client_call.h"
#include "distbench/driver/double_barrel/double_barrel_driver.h"

namespace distbench {

class BarrelCall final : public ClientCall {
 public:
  // Starts an RPC with the inputs of `call`, which is told of its end.
  void Start(ClientCall* call, ProtocolDriver& barrel) {
    call_ = call;
    peer = call->peer;
    channel = call->channel;
    shard = call->shard;
    request = call->request;
    deadline_ns = call->deadline_ns;
    one_way = call->one_way;
    barrel.StartCall(this);
  }

  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {
    call_->OnCallDone(status, response);
  }

 private:
  ClientCall* call_ = nullptr;
};

// What a double_barrel driver keeps with a pooled call object.
class DoubleBarrelCall final : public DriverCallState {
 public:
  // Requires: `call` was given its state by a double_barrel driver.
  static DoubleBarrelCall& Of(ClientCall* call) {
    return *static_cast<DoubleBarrelCall*>(call->driver_state.get());
  }

  BarrelCall& current() { return calls[barrel]; }

  PerBarrel<BarrelCall> calls;
  size_t barrel = 0;  // of the current RPC
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_DOUBLE_BARREL_BARREL_CALL_H_
