// FakeDriver: a protocol driver without a protocol. Its drivers reach each other through a
// FakeNetwork in the same process.
//
// It keeps every promise of ProtocolDriver, deadlines, cancels and Stop included, and is short: to
// write a driver for a real protocol, start by reading this one, then let it pass the conformance
// suite (driver/conformance). What a real driver does besides is to move bytes, to keep its state
// in pools instead of allocating it for each call, and to count per shard.
#ifndef DISTBENCH_DRIVER_FAKE_FAKE_DRIVER_H_
#define DISTBENCH_DRIVER_FAKE_FAKE_DRIVER_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/channel_policy.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/driver/fake/fake_one_way.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class FakeDriver final : public ProtocolDriver {
 public:
  FakeDriver(FakeNetwork* network, const DriverEnvironment& environment);

  absl::Status StartServer(RequestHandler* handler) override;
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override;

  std::string InitiatorInfo() override { return ""; }
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override;
  void ConnectChannel(ChannelIndex channel, const ChannelTarget& target, absl::Time deadline,
                      std::function<void(absl::Status)> done) override;
  std::unique_ptr<DriverCallState> NewCallState() override;
  void StartCall(ClientCall* call) override;
  void CancelCall(ClientCall* call) override;
  void DrainOneWay(std::function<void()> done) override { one_way_->Drain(std::move(done)); }

  DriverCapabilities capabilities() const override {
    return {.deadlines = true, .cancel = true, .one_way = true, .multi_server_channels = true};
  }
  int64_t Stop(absl::Time deadline) override;

 private:
  // The servers behind a channel, of which those that listen are as good as connected.
  struct Channel {
    ChannelPolicy policy = ChannelPolicy::kRoundRobin;
    std::vector<std::string> addresses;  // empty: not connected
    size_t next = 0;                     // whose turn it is
  };

  absl::Status ConnectNow(InstanceIndex peer, const std::string& address);
  absl::Status ConnectChannelNow(ChannelIndex channel, const ChannelTarget& target);
  std::string AddressFor(const ClientCall& call);
  const std::string& Pick(Channel& channel) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  FakeNetwork* const network_;
  const Clock* const clock_;
  TimerService* const timers_;

  const std::shared_ptr<OpenFakeCalls> calls_ = std::make_shared<OpenFakeCalls>();
  const std::shared_ptr<FakeOneWay> one_way_ = std::make_shared<FakeOneWay>();
  const std::shared_ptr<FakeServer> server_ = std::make_shared<FakeServer>();

  mutable absl::Mutex mutex_;
  std::string address_ ABSL_GUARDED_BY(mutex_);             // empty until StartServer()
  std::vector<std::string> peers_ ABSL_GUARDED_BY(mutex_);  // empty: not connected
  std::vector<Channel> channels_ ABSL_GUARDED_BY(mutex_);
};

class FakeDriverFactory final : public DriverFactory {
 public:
  // `network` outlives the factory.
  explicit FakeDriverFactory(FakeNetwork* network) : network_(network) {}

  // A fake has no settings.
  absl::Status Check(const ProtocolDriverOptions& options) const override;
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const override;
  int64_t ListenersPerEngine(const ProtocolDriverOptions&) const override { return 0; }
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions&) const override { return 0; }
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override;

 private:
  FakeNetwork* const network_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_FAKE_FAKE_DRIVER_H_
