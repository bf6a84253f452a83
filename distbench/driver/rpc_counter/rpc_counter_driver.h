// RpcCounterDriver: another driver, with its RPCs counted: those that were started, and the
// requests that came.
//
// It stands between the engine and the driver inside on both sides, and adds an addition to each
// RPC: call objects and server calls are the inner driver's own. Shards count in cache lines of
// their own. Threads: as ProtocolDriver says.
#ifndef DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_H_
#define DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "distbench/driver/protocol_driver.h"

namespace distbench {

// Counts by shard. Thread-safe.
class ShardCounter {
 public:
  explicit ShardCounter(size_t shards)
      : shards_(shards), counts_(std::make_unique<Count[]>(shards)) {}

  void Add(ShardIndex shard) {
    counts_[shard.value()].value.fetch_add(1, std::memory_order_relaxed);
  }
  int64_t Sum() const;

 private:
  struct alignas(64) Count {
    std::atomic<int64_t> value{0};
  };
  const size_t shards_;
  const std::unique_ptr<Count[]> counts_;
};

class RpcCounterDriver final : public ProtocolDriver, private RequestHandler {
 public:
  RpcCounterDriver(std::unique_ptr<ProtocolDriver> inner, size_t shards)
      : started_(shards), served_(shards), inner_(std::move(inner)) {}

  absl::Status StartServer(RequestHandler* handler) override {
    handler_ = handler;
    return inner_->StartServer(this);
  }
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override {
    return inner_->AcceptConnection(initiator_info);
  }

  std::string InitiatorInfo() override { return inner_->InitiatorInfo(); }
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override {
    inner_->Connect(peer, responder_info, deadline, std::move(done));
  }
  void ConnectChannel(ChannelIndex channel, const ChannelTarget& target, absl::Time deadline,
                      std::function<void(absl::Status)> done) override {
    inner_->ConnectChannel(channel, target, deadline, std::move(done));
  }
  std::unique_ptr<DriverCallState> NewCallState() override { return inner_->NewCallState(); }
  void StartCall(ClientCall* call) override {
    started_.Add(call->shard);
    inner_->StartCall(call);
  }
  void CancelCall(ClientCall* call) override { inner_->CancelCall(call); }
  void ReleaseCall(ClientCall* call) override { inner_->ReleaseCall(call); }
  void DrainOneWay(std::function<void()> done) override { inner_->DrainOneWay(std::move(done)); }
  void Flush(ShardIndex shard) override { inner_->Flush(shard); }

  DriverCapabilities capabilities() const override { return inner_->capabilities(); }
  // `client_rpc_cnt` and `server_rpc_cnt`, then those of the driver inside.
  std::vector<DriverStatistic> Statistics() const override;
  int64_t Stop(absl::Time deadline) override { return inner_->Stop(deadline); }

 private:
  void OnRequest(ShardIndex shard, const ReceivedMessage& request, Responder responder) override {
    served_.Add(shard);
    handler_->OnRequest(shard, request, std::move(responder));
  }

  RequestHandler* handler_ = nullptr;  // written before the server starts
  ShardCounter started_;
  ShardCounter served_;
  const std::unique_ptr<ProtocolDriver> inner_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_RPC_COUNTER_RPC_COUNTER_DRIVER_H_
