#include "distbench/truth/simulated_server_driver.h"

#include "distbench/base/timer.h"

namespace distbench {

// The alarm for the end of the call that a call object currently stands for.
class SimulatedServerDriver::CallState final : public DriverCallState, public Timer {
 public:
  explicit CallState(SimulatedServerDriver* driver) : driver_(driver) {}

  void Await(ClientCall* call, int64_t end_ns) {
    call_ = call;
    driver_->time_->Arm(this, end_ns);
  }
  void OnTimer() override { call_->OnCallDone(absl::OkStatus(), driver_->response_); }
  ClientCall* call() const { return call_; }

 private:
  SimulatedServerDriver* const driver_;
  ClientCall* call_ = nullptr;
};

SimulatedServerDriver::SimulatedServerDriver(SimulatedTime* time, SimulatedServer* server)
    : time_(time), server_(server), origin_ns_(time->MonotonicNs()) {
  fragments_[0] = head_.EncodeResponse({}, 0).head;
  response_ = {.fragments = fragments_, .size = static_cast<int64_t>(fragments_[0].size())};
}

absl::StatusOr<std::string> SimulatedServerDriver::AcceptConnection(
    absl::string_view initiator_info) {
  return std::string();
}

void SimulatedServerDriver::Connect(InstanceIndex peer, absl::string_view responder_info,
                                    absl::Time deadline, std::function<void(absl::Status)> done) {
  done(absl::OkStatus());
}

std::unique_ptr<DriverCallState> SimulatedServerDriver::NewCallState() {
  auto state = std::make_unique<CallState>(this);
  states_.push_back(state.get());
  return state;
}

void SimulatedServerDriver::StartCall(ClientCall* call) {
  const int64_t end_ns = origin_ns_ + server_->EndNs(time_->MonotonicNs() - origin_ns_);
  static_cast<CallState&>(*call->driver_state).Await(call, end_ns);
}

void SimulatedServerDriver::CancelCall(ClientCall* call) {
  Cancel(static_cast<CallState*>(call->driver_state.get()));
}

void SimulatedServerDriver::Cancel(CallState* state) {
  if (!time_->Disarm(state)) return;
  state->call()->OnCallDone(absl::CancelledError("cancelled by the caller"), ReceivedMessage{});
}

int64_t SimulatedServerDriver::Stop(absl::Time deadline) {
  for (CallState* state : states_) Cancel(state);
  return 0;
}

}  // namespace distbench
