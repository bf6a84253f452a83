// ReadyMessages: the requests and responses of an instance that are the same each time, encoded
// once. Immutable, hence thread-safe.
#ifndef DISTBENCH_ENGINE_READY_MESSAGES_H_
#define DISTBENCH_ENGINE_READY_MESSAGES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/payload/generic_message.h"

namespace distbench {

// What answers to the RPC tell of who answers it: its rank, where the caller's channel chose it.
std::optional<int32_t> InstanceToldBy(const Plan& plan, RpcIndex rpc, InstanceIndex self);

class ReadyMessages {
 public:
  // Of the RPCs that `self` sends and answers.
  ReadyMessages(const Plan& plan, InstanceIndex self);
  ReadyMessages(const ReadyMessages&) = delete;
  ReadyMessages& operator=(const ReadyMessages&) = delete;

  // Of the plan's size, and with nothing in it but which RPC it is. Requires: `self` sends the RPC.
  const OutgoingMessage& Request(RpcIndex rpc, bool warmup) const {
    return requests_[rpc.value()].messages[warmup ? 1 : 0];
  }
  // Of a success, of the plan's size. Requires: `self` answers the RPC.
  const OutgoingMessage& Response(RpcIndex rpc, bool warmup) const {
    return responses_[rpc.value()].messages[warmup ? 1 : 0];
  }

 private:
  // Without and with the mark of warmup.
  struct Pair {
    std::array<HeadBuffer, 2> heads;
    std::array<OutgoingMessage, 2> messages;  // point into `heads`
  };

  // By RPC. Never grow: they would leave their heads behind.
  std::vector<Pair> requests_;
  std::vector<Pair> responses_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_READY_MESSAGES_H_
