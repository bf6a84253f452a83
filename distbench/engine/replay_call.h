// ReplayCall: one RPC of a replay trace.
//
//   Free --Send--> InFlight --OnCallDone (driver's thread)--> Ended --Run (shard's task)--> Free
//
// Belongs to a shard and is pooled there. Only OnCallDone runs elsewhere.
#ifndef DISTBENCH_ENGINE_REPLAY_CALL_H_
#define DISTBENCH_ENGINE_REPLAY_CALL_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"
#include "distbench/config/plan.h"
#include "distbench/driver/client_call.h"
#include "distbench/engine/call_outcome.h"
#include "distbench/payload/generic_message.h"
#include "distbench/results/replay_recorder.h"

namespace distbench {

class EngineShard;
class ReplayRun;

class ReplayCall final : public ClientCall, public SerialExecutor::Task {
 public:
  explicit ReplayCall(EngineShard* shard);

  struct Order {
    ReplayRun* run = nullptr;  // which hears of the end
    uint32_t step = 0;         // of its schedule
    const ReplayRecordPlan& record;
    ReplayedRpc rpc;  // but for what the end tells
  };
  void Send(const Order& order);

  uint32_t step() const { return step_; }
  const ReplayedRpc& rpc() const { return rpc_; }
  const CallOutcome& outcome() const { return outcome_; }

  size_t position = 0;  // the run's, while the call is in flight

  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override;
  void Run() override;

 private:
  EngineShard* const shard_;
  ReplayRun* run_ = nullptr;
  uint32_t step_ = 0;
  HeadBuffer head_;
  ReplayedRpc rpc_;
  CallOutcome outcome_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_REPLAY_CALL_H_
