#include "distbench/driver/double_barrel/double_barrel_driver.h"

#include <thread>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/double_barrel/barrel_call.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// The connects of several barrels, as one.
class JointConnect {
 public:
  JointConnect(size_t count, std::function<void(absl::Status)> done)
      : left_(count), done_(std::move(done)) {}

  void OnConnected(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mutex_) {
    absl::Status outcome;
    {
      absl::MutexLock lock(&mutex_);
      status_.Update(status);
      if (--left_ > 0) return;
      outcome = status_;
    }
    done_(outcome);
  }

 private:
  absl::Mutex mutex_;
  size_t left_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);  // the first error
  const std::function<void(absl::Status)> done_;
};

void AddTo(std::vector<DriverStatistic>& sums, DriverStatistic statistic) {
  for (DriverStatistic& sum : sums) {
    if (sum.name != statistic.name) continue;
    sum.value += statistic.value;
    return;
  }
  sums.push_back(std::move(statistic));
}

}  // namespace

std::string JoinBarrels(const PerBarrel<std::string>& infos) {
  DoubleBarrelInfo joined;
  for (const std::string& info : infos) joined.add_barrels(info);
  return joined.SerializeAsString();
}

absl::StatusOr<PerBarrel<std::string>> SplitBarrels(absl::string_view info) {
  DoubleBarrelInfo joined;
  const bool is_read = joined.ParseFromArray(info.data(), static_cast<int>(info.size()));
  if (!is_read || joined.barrels_size() != static_cast<int>(kBarrels)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the peer's connection info is no DoubleBarrelInfo of ", kBarrels,
                     " barrels: ", absl::CHexEscape(info.substr(0, 100))));
  }
  return PerBarrel<std::string>{joined.barrels(0), joined.barrels(1)};
}

DoubleBarrelDriver::DoubleBarrelDriver(DoubleBarrelOptions options)
    : barrels_(std::move(options.barrels)),
      turns_(std::make_unique<Turn[]>(options.shards)),
      peers_(options.peer_count),
      channels_(options.channel_count) {}

// --- Server side

absl::Status DoubleBarrelDriver::StartServer(RequestHandler* handler) {
  for (const auto& barrel : barrels_) RETURN_IF_ERROR(barrel->StartServer(handler));
  return absl::OkStatus();
}

absl::StatusOr<std::string> DoubleBarrelDriver::AcceptConnection(absl::string_view initiator_info) {
  ASSIGN_OR_RETURN(const PerBarrel<std::string> initiators, SplitBarrels(initiator_info));
  PerBarrel<std::string> responders;
  for (size_t i = 0; i < kBarrels; ++i) {
    ASSIGN_OR_RETURN(responders[i], barrels_[i]->AcceptConnection(initiators[i]));
  }
  return JoinBarrels(responders);
}

// --- Connecting

std::string DoubleBarrelDriver::InitiatorInfo() {
  return JoinBarrels({barrels_[0]->InitiatorInfo(), barrels_[1]->InitiatorInfo()});
}

void DoubleBarrelDriver::Connect(InstanceIndex peer, absl::string_view responder_info,
                                 absl::Time deadline, std::function<void(absl::Status)> done) {
  const absl::StatusOr<PerBarrel<std::string>> infos = SplitBarrels(responder_info);
  if (!infos.ok()) return done(infos.status());
  Connected* const connected = peer.value() < peers_.size() ? &peers_[peer] : nullptr;
  ConnectBarrels(connected, std::move(done), [&](size_t i, Done barrel_done) {
    barrels_[i]->Connect(peer, (*infos)[i], deadline, std::move(barrel_done));
  });
}

void DoubleBarrelDriver::ConnectChannel(ChannelIndex channel, const ChannelTarget& target,
                                        absl::Time deadline,
                                        std::function<void(absl::Status)> done) {
  PerBarrel<ChannelTarget> targets;
  for (ChannelTarget& of_barrel : targets) of_barrel.config = target.config;
  for (const ChannelTarget::Member& member : target.members) {
    absl::StatusOr<PerBarrel<std::string>> infos = SplitBarrels(member.responder_info);
    if (!infos.ok()) return done(infos.status());
    for (size_t i = 0; i < kBarrels; ++i) {
      targets[i].members.push_back({.peer = member.peer, .responder_info = std::move((*infos)[i])});
    }
  }
  Connected* const connected = channel.value() < channels_.size() ? &channels_[channel] : nullptr;
  ConnectBarrels(connected, std::move(done), [&](size_t i, Done barrel_done) {
    barrels_[i]->ConnectChannel(channel, targets[i], deadline, std::move(barrel_done));
  });
}

void DoubleBarrelDriver::ConnectBarrels(
    Connected* connected, Done done, const std::function<void(size_t barrel, Done done)>& connect) {
  Connected before{};
  if (connected != nullptr) {
    absl::MutexLock lock(&mutex_);
    before = *connected;
  }
  // If both are connected the barrels themselves say that this is one time too many.
  const bool connects_all = before[0] == before[1];
  auto joint = std::make_shared<JointConnect>(connects_all ? kBarrels : 1, std::move(done));
  for (size_t i = 0; i < kBarrels; ++i) {
    if (before[i] && !connects_all) continue;
    connect(i, [this, i, connected, joint](absl::Status status) {
      if (status.ok()) {
        absl::MutexLock lock(&mutex_);
        (*connected)[i] = true;
      }
      joint->OnConnected(status);
    });
  }
}

// --- Calls

std::unique_ptr<DriverCallState> DoubleBarrelDriver::NewCallState() {
  auto call = std::make_unique<DoubleBarrelCall>();
  for (size_t i = 0; i < kBarrels; ++i) call->calls[i].driver_state = barrels_[i]->NewCallState();
  return call;
}

// One thread at a time has a shard.
size_t DoubleBarrelDriver::NextBarrel(ShardIndex shard) {
  std::atomic<uint32_t>& calls = turns_[shard.value()].calls;
  const uint32_t now = calls.load(std::memory_order_relaxed);
  calls.store(now + 1, std::memory_order_relaxed);
  return now % kBarrels;
}

void DoubleBarrelDriver::StartCall(ClientCall* call) {
  DoubleBarrelCall& state = DoubleBarrelCall::Of(call);
  state.barrel = NextBarrel(call->shard);
  state.current().Start(call, *barrels_[state.barrel]);
}

void DoubleBarrelDriver::CancelCall(ClientCall* call) {
  DoubleBarrelCall& state = DoubleBarrelCall::Of(call);
  barrels_[state.barrel]->CancelCall(&state.current());
}

void DoubleBarrelDriver::ReleaseCall(ClientCall* call) {
  DoubleBarrelCall& state = DoubleBarrelCall::Of(call);
  barrels_[state.barrel]->ReleaseCall(&state.current());
}

void DoubleBarrelDriver::DrainOneWay(std::function<void()> done) {
  // One barrel after the other: what the second has sent meanwhile is waited for too.
  barrels_[0]->DrainOneWay([this, done = std::move(done)] { barrels_[1]->DrainOneWay(done); });
}

void DoubleBarrelDriver::Flush(ShardIndex shard) {
  for (const auto& barrel : barrels_) barrel->Flush(shard);
}

// --- Both

std::vector<DriverStatistic> DoubleBarrelDriver::Statistics() const {
  std::vector<DriverStatistic> sums;
  for (const auto& barrel : barrels_) {
    for (DriverStatistic& statistic : barrel->Statistics()) AddTo(sums, std::move(statistic));
  }
  return sums;
}

int64_t DoubleBarrelDriver::Stop(absl::Time deadline) {
  int64_t abandoned_by_other = 0;
  std::thread other([&] { abandoned_by_other = barrels_[1]->Stop(deadline); });
  const int64_t abandoned = barrels_[0]->Stop(deadline);
  other.join();
  return abandoned + abandoned_by_other;
}

}  // namespace distbench
