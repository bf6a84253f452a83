// CallOutcome: how an RPC ended, as its caller sees it: by the driver's status and by the error
// that a response may carry. Not thread-safe.
#ifndef DISTBENCH_ENGINE_CALL_OUTCOME_H_
#define DISTBENCH_ENGINE_CALL_OUTCOME_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/payload/message.h"

namespace distbench {

class CallOutcome {
 public:
  // Forgets the last call.
  void Clear() {
    status_ = absl::OkStatus();
    error_message_.clear();
    server_instance_.reset();
  }

  // What ClientCall::OnCallDone was told.
  void Read(const absl::Status& status, const ReceivedMessage& response);

  bool is_success() const { return status_.ok() && error_message_.empty(); }

  // Of a call whose response shall echo the request: one that does not is a failure.
  void CheckEcho(const OutgoingMessage& request, const ReceivedMessage& response);

  // Whether the end of the traffic ended the RPC; caller and server may hear of that in any order.
  bool is_cancellation() const;

  // The server's traffic was cancelled because of overload, which ends the caller's too.
  bool is_overload() const { return !error_message_.empty() && SaysOverload(); }
  // Requires: is_overload().
  absl::Status OverloadReason() const;

  // Of a call on a channel: sets `*server` to the member that has answered, if somebody has. An
  // answer that does not tell which is a failure.
  void FindServer(const Plan& plan, ChannelIndex channel, InstanceIndex* server);
  // That the answer told.
  std::optional<int32_t> server_instance() const { return server_instance_; }

  // Of a failure.
  std::string ErrorText() const { return status_.ok() ? error_message_ : status_.ToString(); }

 private:
  bool SaysOverload() const;

  absl::Status status_;        // of the driver, or of decoding the response
  std::string error_message_;  // of the server; not empty: the RPC failed
  std::optional<int32_t> server_instance_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_CALL_OUTCOME_H_
