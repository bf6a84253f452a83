// NodeEnvironment: what all nodes of a process share: the clock, the timers, the pacers, the
// threads of shards and of CPU work, the drivers, the addresses, the budget of the process and its
// watch.
//
// One object, made in cli/ (or by a test) before the nodes and destroyed after them. How many
// threads it has does not depend on how many nodes there are. Thread-safe.
#ifndef DISTBENCH_NODE_NODE_ENVIRONMENT_H_
#define DISTBENCH_NODE_NODE_ENVIRONMENT_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distbench/activity/work_calibration.h"
#include "distbench/base/clock.h"
#include "distbench/base/cpu_list.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/config/compiler.h"
#include "distbench/engine/pacers.h"
#include "distbench/engine/shard_threads.h"
#include "distbench/engine/workers.h"
#include "distbench/net/data_plane_address.h"
#include "distbench/node/resource_budget.h"
#include "distbench/node/thread_watch.h"
#include "distbench/node/work_pool.h"
#include "distbench/results/sample_store.h"

namespace distbench {

class DriverRegistry;
class Provenance;

struct NodeEnvironmentOptions {
  const DriverRegistry* drivers = nullptr;  // outlives the environment
  DataPlaneAddress data_plane;
  size_t shard_count = 0;                 // 0: DefaultLoopCount of the usable CPUs
  LoopPlacement placement;                // of the shards' threads; that of the drivers' loops
  SampleStoreOptions samples;             // where they are kept until they are fetched
  std::vector<std::string> command_line;  // told in results
  std::function<int64_t()> count_threads = ThreadsInProcess;
};

class NodeEnvironment {
 public:
  // Raises the process's limit of descriptors as far as it may be.
  explicit NodeEnvironment(NodeEnvironmentOptions options);
  ~NodeEnvironment();

  const Clock& clock() const { return clock_; }
  TimerService* timers() { return &timers_; }
  Pacers* pacers() { return &pacers_; }
  ShardThreads* shards() { return &shards_; }
  Workers* workers() { return &workers_; }
  WorkCalibrator* work_calibrator() { return &work_calibrator_; }
  WorkPool* work_pool() { return &work_pool_; }
  ResourceBudget* budget() { return &budget_; }
  ThreadWatch* thread_watch() { return &thread_watch_; }
  SampleStore* sample_store() { return &sample_store_; }
  const DriverRegistry& drivers() const { return *options_.drivers; }
  const KnownDrivers& known_drivers() const { return known_drivers_; }
  const DataPlaneAddress& data_plane() const { return options_.data_plane; }
  const Provenance& provenance() const { return *provenance_; }

 private:
  const NodeEnvironmentOptions options_;
  const std::unique_ptr<const Provenance> provenance_;
  const KnownDrivers known_drivers_;
  ResourceBudget budget_;
  const SystemClock clock_;
  SampleStore sample_store_;
  ThreadTimerService timers_;
  ThreadWatch thread_watch_;
  Pacers pacers_;
  ShardThreads shards_;
  Workers workers_;
  WorkCalibrator work_calibrator_;
  WorkPool work_pool_;
};

// What the config compiler must know of the drivers. `drivers` outlives the result.
KnownDrivers KnownDriversOf(const DriverRegistry& drivers);

}  // namespace distbench

#endif  // DISTBENCH_NODE_NODE_ENVIRONMENT_H_
