// EngineCluster: all instances of one test, as engines on a fake network.
//
// Usually on simulated time, run by the test's own thread: the same course every time. Given
// threads and a timer service it runs on those, in real time, to show that the engine's parts
// exclude each other.
//
//   EngineCluster cluster(R"(services { name: "client" count: 1 } ...)");
//   cluster.network().SetTransit({.mode = FakeTransit::Mode::kDelayed, .delay_ns = 1000});
//   cluster.Start();
//   cluster.RunUntilDone();
//   EXPECT_EQ(cluster.Counts("client/0", "query").successes, 10);
//
// Not thread-safe.
#ifndef DISTBENCH_TESTING_ENGINE_CLUSTER_H_
#define DISTBENCH_TESTING_ENGINE_CLUSTER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/config/plan.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/engine/engine.h"
#include "distbench/net/data_plane_address.h"
#include "distbench/testing/simulated_time.h"
#include "protos/distbench.pb.h"

namespace distbench {

class Pacers;
class ShardThreads;
class Workers;

class EngineCluster {
 public:
  // Fails the test if the config does not compile.
  explicit EngineCluster(const std::string& config_text);

  // In real time. All arguments outlive the cluster.
  struct Threads {
    const Clock* clock = nullptr;
    TimerService* timers = nullptr;
    ShardThreads* shards = nullptr;
    Pacers* pacers = nullptr;    // null: `timers` pace too
    Workers* workers = nullptr;  // null: CPU work is done on the spot
  };
  EngineCluster(const std::string& config_text, Threads threads);
  ~EngineCluster();

  SimulatedTime& time() { return time_; }
  FakeNetwork& network() { return network_; }
  const Plan& plan() const { return *plan_; }
  Engine& engine(const std::string& instance);

  // Starts the servers, connects to peers and listed members of channels and, unless told
  // otherwise, begins to serve.
  void Connect(bool serve = true);
  void BeginServing();

  // Starts the traffic of every instance now. Connects first if that was not done.
  void Start();
  int64_t start_ns() const { return start_ns_; }

  // Moves the clock from timer to timer until every instance's traffic has ended or no timer is
  // left, and returns whether it has ended.
  bool RunUntilDone();

  // Waits until every instance's traffic has ended or the deadline has come, and returns whether it
  // has ended. In real time only.
  bool WaitUntilDone(absl::Time deadline = absl::InfiniteFuture());

  // How an instance's traffic ended; none: it has not.
  std::optional<absl::Status> outcome(const std::string& instance) const;

  // What one instance recorded of one RPC, over all its peers.
  struct RpcCounts {
    int64_t successes = 0;
    int64_t failures = 0;
    int64_t warmups = 0;  // successes and failures
    int64_t cancelled = 0;
    int64_t abandoned = 0;
    std::vector<RpcSample> samples;             // successful ones, warmup too, by start
    std::map<std::string, int64_t> per_server;  // measured successes
  };
  RpcCounts Counts(const std::string& instance, const std::string& rpc);
  ServicePerformanceLog Log(const std::string& instance);

  // For Engine::BuildStatistics: on simulated time nothing ends while one waits.
  absl::Time tail_deadline() const {
    return threads_.shards == nullptr ? absl::InfinitePast() : absl::InfiniteFuture();
  }

 private:
  InstanceIndex index(const std::string& instance) const;
  void ConnectChannels();
  bool AllDone() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  SimulatedTime time_;
  const Threads threads_;
  FakeNetwork network_;
  DataPlaneAddress address_;
  std::shared_ptr<const Plan> plan_;
  std::vector<std::unique_ptr<Engine>> engines_;
  mutable absl::Mutex mutex_;
  std::vector<std::optional<absl::Status>> outcomes_ ABSL_GUARDED_BY(mutex_);
  WallAnchor anchor_;
  int64_t start_ns_ = 0;
  bool connected_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_TESTING_ENGINE_CLUSTER_H_
