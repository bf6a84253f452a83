#include "distbench/driver/fake/fake_driver.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/base/clock.h"
#include "distbench/base/status_macros.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// What a driver keeps with a pooled call object: here the RPC that the object currently stands for.
struct FakeCallState final : DriverCallState {
  std::shared_ptr<FakeCall> current;
};

FakeCallState& StateOf(ClientCall* call) {
  return static_cast<FakeCallState&>(*call->driver_state);
}

absl::Status CheckAddress(const std::string& address) {
  if (absl::StartsWith(address, "fake:")) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("\"", address, "\" is no address of the driver fake, which begin with fake:"));
}

absl::Status Stopped() { return absl::CancelledError("the driver has stopped"); }

}  // namespace

FakeDriver::FakeDriver(FakeNetwork* network, const DriverEnvironment& environment)
    : network_(network),
      clock_(environment.clock),
      timers_(environment.timers),
      peers_(environment.peer_count),
      channels_(environment.channel_count) {}

absl::Status FakeDriver::StartServer(RequestHandler* handler) {
  server_->clock = clock_;
  server_->handler = handler;
  absl::MutexLock lock(&mutex_);
  address_ = network_->Listen(server_);
  return absl::OkStatus();
}

absl::StatusOr<std::string> FakeDriver::AcceptConnection(absl::string_view initiator_info) {
  absl::MutexLock lock(&mutex_);
  return address_;
}

// A driver that has to wait for its peer calls `done` later, from a thread of its own.
void FakeDriver::Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
                         std::function<void(absl::Status)> done) {
  done(ConnectNow(peer, std::string(responder_info)));
}

absl::Status FakeDriver::ConnectNow(InstanceIndex peer, const std::string& address) {
  RETURN_IF_ERROR(CheckAddress(address));
  if (!network_->HasServer(address)) {
    return absl::UnavailableError(absl::StrCat("nobody listens at ", address));
  }
  absl::MutexLock lock(&mutex_);
  if (peer.value() >= peers_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("peer ", peer.value(), " of a test with ", peers_.size(), " instances"));
  }
  peers_[peer.value()] = address;
  return absl::OkStatus();
}

void FakeDriver::ConnectChannel(ChannelIndex channel, const ChannelTarget& target, absl::Time,
                                std::function<void(absl::Status)> done) {
  done(ConnectChannelNow(channel, target));
}

absl::Status FakeDriver::ConnectChannelNow(ChannelIndex channel, const ChannelTarget& target) {
  Channel connected;
  ASSIGN_OR_RETURN(connected.policy, ParseChannelSettings(*target.config));
  bool has_server = false;
  for (const ChannelTarget::Member& member : target.members) {
    RETURN_IF_ERROR(CheckAddress(member.responder_info));
    connected.addresses.push_back(member.responder_info);
    has_server = has_server || network_->HasServer(member.responder_info);
  }
  if (!has_server) {
    return absl::UnavailableError(
        absl::StrCat("nobody listens at ", absl::StrJoin(connected.addresses, ", ")));
  }
  absl::MutexLock lock(&mutex_);
  if (channel.value() >= channels_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("channel ", channel.value(), " of a test with ", channels_.size()));
  }
  channels_[channel.value()] = std::move(connected);
  return absl::OkStatus();
}

std::string FakeDriver::AddressFor(const ClientCall& call) {
  absl::MutexLock lock(&mutex_);
  return call.channel ? Pick(channels_[call.channel->value()]) : peers_[call.peer.value()];
}

const std::string& FakeDriver::Pick(Channel& channel) const {
  const size_t count = channel.addresses.size();
  if (channel.policy == ChannelPolicy::kPickFirst) channel.next = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::string& address = channel.addresses[channel.next];
    channel.next = (channel.next + 1) % count;
    if (network_->HasServer(address)) return address;
  }
  return channel.addresses[channel.next];  // the network tells what is wrong
}

std::unique_ptr<DriverCallState> FakeDriver::NewCallState() {
  return std::make_unique<FakeCallState>();
}

void FakeDriver::StartCall(ClientCall* call) {
  if (!calls_->gate().Enter(OpenFakeCalls::kShard)) {
    call->OnCallDone(Stopped(), ReceivedMessage{});
    return;
  }
  const std::string address = AddressFor(*call);
  // From Send() on the call may be over, and its object in use for the next one.
  auto fake_call = std::make_shared<FakeCall>(call, calls_, timers_);
  StateOf(call).current = fake_call;
  fake_call->Begin();
  // A Stop that began meanwhile may have missed this call.
  if (calls_->gate().closed()) fake_call->End(Stopped());
  if (!fake_call->is_one_way()) {
    return network_->Send(address, clock_->MonotonicNs(), std::move(fake_call));
  }
  one_way_->Send(fake_call, [network = network_, clock = clock_, address, fake_call] {
    network->Send(address, clock->MonotonicNs(), fake_call);
  });
}

void FakeDriver::CancelCall(ClientCall* call) {
  const std::shared_ptr<FakeCall> fake_call = StateOf(call).current;
  if (fake_call == nullptr) return;  // the driver had stopped and refused to start the call
  fake_call->EndForClient(absl::CancelledError("cancelled by the caller"));
}

int64_t FakeDriver::Stop(absl::Time deadline) {
  {
    absl::MutexLock lock(&mutex_);
    network_->StopListening(address_);
  }
  server_->calls->gate().Close();
  calls_->gate().Close();
  one_way_->Close();
  calls_->EndAll(Stopped());
  const int64_t abandoned = calls_->gate().EndBy(deadline) + server_->calls->gate().EndBy(deadline);
  server_->calls->EndAll(absl::UnavailableError("the server stopped before it answered"));
  return abandoned;
}

absl::Status FakeDriverFactory::Check(const ProtocolDriverOptions& options) const {
  for (const auto* settings : {&options.server_settings(), &options.client_settings()}) {
    for (const NamedSetting& setting : *settings) {
      return absl::InvalidArgumentError(
          absl::StrCat("setting ", setting.name(), ": the driver fake has no settings; remove it"));
    }
  }
  return absl::OkStatus();
}

absl::Status FakeDriverFactory::CheckChannel(const ProtocolDriverOptions&,
                                             const MultiServerChannel& channel) const {
  return ParseChannelSettings(channel).status();
}

absl::StatusOr<std::unique_ptr<ProtocolDriver>> FakeDriverFactory::Create(
    const ProtocolDriverOptions& options, const DriverEnvironment& environment) {
  RETURN_IF_ERROR(Check(options));
  return std::make_unique<FakeDriver>(network_, environment);
}

}  // namespace distbench
