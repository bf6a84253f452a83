// SimulatedServerDriver: a protocol driver whose calls end when a SimulatedServer is done with
// them, on simulated time. There are no messages, and nobody to connect to.
//
// Not thread-safe: for a test that moves the clock from one thread.
#ifndef DISTBENCH_TRUTH_SIMULATED_SERVER_DRIVER_H_
#define DISTBENCH_TRUTH_SIMULATED_SERVER_DRIVER_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distbench/driver/protocol_driver.h"
#include "distbench/payload/generic_message.h"
#include "distbench/testing/simulated_time.h"
#include "distbench/truth/simulated_server.h"

namespace distbench {

class SimulatedServerDriver final : public ProtocolDriver {
 public:
  // The server's times count from now. Both outlive the driver.
  SimulatedServerDriver(SimulatedTime* time, SimulatedServer* server);

  absl::Status StartServer(RequestHandler* handler) override { return absl::OkStatus(); }
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override;
  std::string InitiatorInfo() override { return ""; }
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override;
  std::unique_ptr<DriverCallState> NewCallState() override;
  void StartCall(ClientCall* call) override;
  void CancelCall(ClientCall* call) override;
  DriverCapabilities capabilities() const override { return {}; }
  int64_t Stop(absl::Time deadline) override;

 private:
  class CallState;

  void Cancel(CallState* state);

  SimulatedTime* const time_;
  SimulatedServer* const server_;
  const int64_t origin_ns_;
  HeadBuffer head_;
  std::array<absl::string_view, 1> fragments_;
  ReceivedMessage response_;
  std::vector<CallState*> states_;  // of all calls; theirs
};

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_SIMULATED_SERVER_DRIVER_H_
