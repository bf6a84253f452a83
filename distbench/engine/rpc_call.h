// RpcCall: one RPC that an engine sends, from the picking of its target to the recording of its
// end.
//
//   Free --Send--> InFlight --OnCallDone (driver's thread)--> Ended --Run (shard's task)--> Free
//
// Belongs to a shard and is pooled there. Only OnCallDone runs elsewhere: it takes the time, notes
// how the call ended and posts the rest to the shard.
#ifndef DISTBENCH_ENGINE_RPC_CALL_H_
#define DISTBENCH_ENGINE_RPC_CALL_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"
#include "distbench/driver/client_call.h"
#include "distbench/engine/call_extras.h"
#include "distbench/engine/call_outcome.h"
#include "distbench/engine/iteration.h"
#include "distbench/payload/generic_message.h"
#include "distbench/results/recorder.h"

namespace distbench {

class EngineShard;

// An RPC to be sent.
struct RpcOrder {
  RpcIndex rpc;
  InstanceIndex target;
  Iteration* iteration = nullptr;  // of which the RPC is a part, and which hears of its end
  int64_t start_ns = 0;            // the present time
  uint32_t fanout_position = 0;    // among the iteration's targets, in the order of sending
};

class RpcCall final : public ClientCall, public SerialExecutor::Task {
 public:
  explicit RpcCall(EngineShard* shard);

  void Send(const RpcOrder& order);
  // With more in the request than the plan says.
  void SendWithExtras(const RpcOrder& order, CallExtras extras);

  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override;
  void Run() override;

  RpcIndex rpc() const { return record_.rpc; }
  const Iteration* iteration() const { return iteration_; }

  // The shard's list of calls in flight; `head` is its first element.
  void LinkBefore(RpcCall** head);
  void Unlink(RpcCall** head);
  RpcCall* next_in_flight() const { return next_; }

 private:
  void Start(const RpcOrder& order);
  void OnFailure();
  void RecordFailure(Recorder& recorder);

  EngineShard* const shard_;
  RpcCall* next_ = nullptr;
  RpcCall* previous_ = nullptr;
  Iteration* iteration_ = nullptr;
  std::unique_ptr<HeadBuffer> head_;  // of requests that are no ready ones; made for the first
  RpcRecord record_;
  std::unique_ptr<const TracePath> trace_;  // null: not traced
  bool expects_echo_ = false;
  CallOutcome outcome_;  // clear when the call is sent
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_RPC_CALL_H_
