// ClientCall: one outgoing RPC, shared between the engine that owns it and the driver that runs it.
//
// Life of a call (the engine's events on the left, the driver's on the right):
//
//   engine                                    driver
//   fill in the inputs
//   ProtocolDriver::StartCall(call)  ------->  sends
//   ProtocolDriver::CancelCall(call) ------->  makes it end soon          (any number of times)
//                       call->OnCallDone(...)  <-------  exactly once, on any thread,
//                                                        possibly inside StartCall or CancelCall
//   ProtocolDriver::ReleaseCall(call) ------>  may free what it kept for the call
//   reuse for the next RPC
//
// Calls are pooled: the driver keeps its own state in `driver_state`, which it makes once per call
// object (ProtocolDriver::NewCallState) and which lives as long as that. From StartCall to
// OnCallDone the call object must stay where it is, unless the driver's Stop has returned: then it
// may be destroyed, and so may calls that Stop gave up.
#ifndef DISTBENCH_DRIVER_CLIENT_CALL_H_
#define DISTBENCH_DRIVER_CLIENT_CALL_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/payload/message.h"

namespace distbench {

// A driver's part of a call; see ProtocolDriver::NewCallState().
class DriverCallState {
 public:
  virtual ~DriverCallState() = default;
};

class ClientCall {
 public:
  static constexpr int64_t kNoDeadline = std::numeric_limits<int64_t>::max();

  // Called by the driver exactly once for each StartCall. `status` is OK if a response arrived;
  // its error field is the business of the caller. The response's bytes live until this returns.
  // Must be short and must not block. The driver holds no lock.
  virtual void OnCallDone(const absl::Status& status, const ReceivedMessage& response) = 0;

  InstanceIndex peer;                   // whom to call, unless there is a channel; connected before
  std::optional<ChannelIndex> channel;  // picks whom to call; connected before
  ShardIndex shard;                     // the event loop that should handle the completion
  OutgoingMessage request;              // the head lives until OnCallDone
  int64_t deadline_ns = kNoDeadline;    // monotonic; passed: done with DEADLINE_EXCEEDED
  // Nobody waits for the server's work. A driver with the capability ends the call, with OK and an
  // empty response, when it has handed the message over; others send it like any other call.
  bool one_way = false;
  std::unique_ptr<DriverCallState> driver_state;

 protected:
  ~ClientCall() = default;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_CLIENT_CALL_H_
