#include "benchmarks/suspended_over_grpc.h"

#include <atomic>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "benchmarks/allocation_counter.h"
#include "benchmarks/engine_alone.h"
#include "distbench/base/status_macros.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/driver/grpc/grpc_driver_factory.h"
#include "distbench/net/data_plane_address.h"
#include "distbench/payload/generic_message.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr InstanceIndex kRoot{1};
constexpr InstanceIndex kLeaf{2};
constexpr size_t kInstances = 3;
constexpr size_t kShards = 2;
constexpr absl::Duration kWaitLimit = absl::Seconds(120);

// Keeps the responders of all requests.
class KeepingServer final : public RequestHandler {
 public:
  explicit KeepingServer(size_t capacity) : capacity_(capacity) {
    absl::MutexLock lock(&mutex_);
    responders_.reserve(capacity);
  }

  void OnRequest(ShardIndex, const ReceivedMessage&, Responder responder) override {
    absl::MutexLock lock(&mutex_);
    responders_.push_back(std::move(responder));
  }

  // Whether as many requests as there is room for are kept by `deadline`.
  bool AwaitFull(absl::Time deadline) {
    absl::MutexLock lock(&mutex_);
    return mutex_.AwaitWithDeadline(absl::Condition(this, &KeepingServer::IsFull), deadline);
  }

  void AnswerAll() {
    absl::MutexLock lock(&mutex_);
    responders_.clear();
  }

 private:
  bool IsFull() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return responders_.size() >= capacity_; }

  const size_t capacity_;
  absl::Mutex mutex_;
  std::vector<Responder> responders_ ABSL_GUARDED_BY(mutex_);
};

// The caller's part of one query. Ended by the driver's Stop.
class Query final : public ClientCall {
 public:
  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {}
  HeadBuffer head;
};

absl::Status Connect(ProtocolDriver* from, ProtocolDriver* to, InstanceIndex peer) {
  ASSIGN_OR_RETURN(const std::string info, to->AcceptConnection(from->InitiatorInfo()));
  absl::Notification connected;
  absl::Status status;
  from->Connect(peer, info, absl::Now() + kWaitLimit, [&](absl::Status outcome) {
    status = std::move(outcome);
    connected.Notify();
  });
  connected.WaitForNotification();
  return status;
}

}  // namespace

absl::StatusOr<double> BytesPerListOverGrpc(const SuspendedOverGrpcOptions& options) {
  const SystemClock clock;
  ThreadTimerService timers(clock);
  const DataPlaneAddress address = {.bind_ip = "127.0.0.1", .advertise_ip = "127.0.0.1"};
  const DriverEnvironment environment = {
      .clock = &clock, .timers = &timers, .address = &address, .peer_count = kInstances};
  GrpcDriverFactory factory({.shards = kShards});
  const auto new_driver = [&] { return factory.Create(ProtocolDriverOptions(), environment); };
  ASSIGN_OR_RETURN(const std::unique_ptr<ProtocolDriver> caller, new_driver());
  ASSIGN_OR_RETURN(const std::unique_ptr<ProtocolDriver> leaf, new_driver());
  ASSIGN_OR_RETURN(std::unique_ptr<ProtocolDriver> owned_root, new_driver());
  ProtocolDriver* root = owned_root.get();

  KeepingServer caller_server(0);
  KeepingServer leaf_server(options.lists);
  RETURN_IF_ERROR(caller->StartServer(&caller_server));
  RETURN_IF_ERROR(leaf->StartServer(&leaf_server));
  ASSIGN_OR_RETURN(auto engine, EngineAlone::Make({.config_text = options.config_text,
                                                   .instance = "root/0",
                                                   .driver = std::move(owned_root),
                                                   .shards = kShards}));
  engine->Start();
  absl::Status connected = Connect(caller.get(), root, kRoot);
  connected.Update(Connect(root, leaf.get(), kLeaf));

  const int64_t bytes_before = BytesInUse();
  std::deque<Query> queries;
  bool all_wait = false;
  if (connected.ok()) {
    for (size_t i = 0; i < options.lists; ++i) {
      Query& query = queries.emplace_back();
      query.peer = kRoot;
      query.shard = ShardIndex(i % kShards);
      query.driver_state = caller->NewCallState();
      query.request = query.head.EncodeRequest({.rpc_index = 0}, 16);
      caller->StartCall(&query);
    }
    for (size_t shard = 0; shard < kShards; ++shard) caller->Flush(ShardIndex(shard));
    all_wait = leaf_server.AwaitFull(absl::Now() + kWaitLimit);
  }
  const double bytes =
      static_cast<double>(BytesInUse() - bytes_before) / static_cast<double>(options.lists);
  if (all_wait) options.look();

  leaf_server.AnswerAll();
  caller->Stop(absl::Now() + kWaitLimit);
  engine.reset();
  leaf->Stop(absl::Now() + kWaitLimit);
  RETURN_IF_ERROR(connected);
  if (!all_wait) return absl::DeadlineExceededError("the lists did not all come to wait");
  return bytes;
}

}  // namespace distbench
