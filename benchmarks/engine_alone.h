// EngineAlone: one engine with a driver of the benchmark's choice, without nodes, network or
// server: the engine's own cost.
//
//   ASSIGN_OR_RETURN(auto engine, EngineAlone::Make({.config_text = ClosedLoop(...)}));
//   engine->Start();
//   engine->AwaitEnd();
//   ... engine->Statistics() ...
//
// Not thread-safe.
#ifndef BENCHMARKS_ENGINE_ALONE_H_
#define BENCHMARKS_ENGINE_ALONE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/config/plan.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/engine/engine.h"
#include "distbench/engine/pacers.h"
#include "distbench/engine/shard_threads.h"
#include "protos/statistics.pb.h"

namespace distbench {

struct EngineAloneOptions {
  std::string config_text;                 // a DistributedSystemDescription; protocol "none"
  std::string instance = "client/0";       // whose engine is made
  std::unique_ptr<ProtocolDriver> driver;  // null: an InstantDriver
  size_t shards = 1;
  int64_t max_samples = 16 << 20;  // as in a test
};

class EngineAlone {
 public:
  // An error of the config says what is wrong with it.
  static absl::StatusOr<std::unique_ptr<EngineAlone>> Make(EngineAloneOptions options);
  ~EngineAlone();

  // Starts the main list now.
  void Start();
  // Returns when all traffic has ended, with how it ended.
  absl::Status AwaitEnd();

  Engine& engine() { return *engine_; }

  // Of the first RPC of the config. Requires: AwaitEnd() has returned.
  RpcStatistics Statistics();

 private:
  EngineAlone(std::shared_ptr<const Plan> plan, EngineAloneOptions options);

  const SystemClock clock_;
  ThreadTimerService timers_{clock_};
  ShardThreads shards_;
  Pacers pacers_;
  const WallAnchor anchor_;
  std::unique_ptr<Engine> engine_;
  absl::Status outcome_;
  absl::Notification ended_;
};

// A client that sends "query" to one server, with these `iterations` ("max_iteration_count: 10").
std::string OneClientOneServer(const std::string& iterations);

}  // namespace distbench

#endif  // BENCHMARKS_ENGINE_ALONE_H_
