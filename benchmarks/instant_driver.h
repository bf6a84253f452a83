// InstantDriver: a protocol driver in which no time passes. Each call is over, with an OK response,
// when StartCall() returns, and nothing is sent anywhere.
//
// What an engine costs on it is the engine's own cost. Thread-safe, as every driver.
#ifndef BENCHMARKS_INSTANT_DRIVER_H_
#define BENCHMARKS_INSTANT_DRIVER_H_

#include <array>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/payload/generic_message.h"

namespace distbench {

class InstantDriver final : public ProtocolDriver {
 public:
  // `response_bytes`: of every response.
  explicit InstantDriver(int64_t response_bytes = 32);

  absl::Status StartServer(RequestHandler* handler) override { return absl::OkStatus(); }
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override;
  std::string InitiatorInfo() override { return ""; }
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override;

  void StartCall(ClientCall* call) override { call->OnCallDone(ok_, response_); }
  // A call is over before anybody could cancel it.
  void CancelCall(ClientCall* call) override {}

  DriverCapabilities capabilities() const override { return {}; }
  int64_t Stop(absl::Time deadline) override { return 0; }

 private:
  const absl::Status ok_;
  HeadBuffer head_;
  std::array<absl::string_view, 2> fragments_;
  ReceivedMessage response_;
};

}  // namespace distbench

#endif  // BENCHMARKS_INSTANT_DRIVER_H_
