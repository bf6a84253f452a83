// EngineHost: one instance on this node: its engine, the driver below it, the port where peers ask
// how to reach that driver, and the connections to the peers that it calls.
//
// Life: Start, ConnectTo and ConnectChannel for all that it calls (peers_to_introduce.h), the
// engine's own life (engine/engine.h), Stop, destruction. Thread-safe.
#ifndef DISTBENCH_NODE_ENGINE_HOST_H_
#define DISTBENCH_NODE_ENGINE_HOST_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "distbench/activity/work_calibration.h"
#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/engine/engine.h"
#include "distbench/node/peers_to_introduce.h"

namespace distbench {

class ConnectionSetupClient;
class ConnectionSetupService;
class DriverHello;
class GrpcListener;
class NodeEnvironment;

struct EngineHostOptions {
  NodeEnvironment* environment = nullptr;  // outlives the host
  std::shared_ptr<const Plan> plan;
  InstanceIndex self;
  uint64_t seed = 0;
  CalibratedWorkKinds calibrated_work;  // has the kinds of the plan's
};

class EngineHost {
 public:
  // Makes driver and engine and listens for both. An error names the instance. May block a little.
  static absl::StatusOr<std::unique_ptr<EngineHost>> Start(const EngineHostOptions& options);
  // Stops without grace if that was not done before.
  ~EngineHost();

  Engine& engine() { return *engine_; }
  const std::string& name() const { return plan_->instances[self_].name; }

  // Where peers ask: numeric "10.0.0.7:4711".
  const std::string& endpoint_address() const { return endpoint_address_; }

  InstanceIndex self() const { return self_; }
  const ServicePlan& service() const { return plan_->services[plan_->instances[self_].service]; }

  using Done = std::function<void(absl::Status)>;

  // Asks the peer's engine how to reach its driver, and connects to that. `done` is called once, on
  // any thread; at most once if Stop() comes before.
  void ConnectTo(const PeerEndpoint& peer, absl::Time deadline, Done done);

  // The same for the members of a channel, who are asked one after another.
  void ConnectChannel(ChannelIndex channel, std::vector<PeerEndpoint> members, absl::Time deadline,
                      Done done);

  // Ends connecting and traffic. Nothing is called back after it returns. Returns how many calls
  // had to be abandoned.
  int64_t Stop(absl::Time deadline);

 private:
  explicit EngineHost(const EngineHostOptions& options);
  absl::Status StartEngine(const EngineHostOptions& options);
  absl::Status StartSetupServer(const NodeEnvironment& environment);
  DriverHello Hello() const;
  // What a peer's engine says of itself and its driver.
  struct SetupAnswer;
  void Ask(const PeerEndpoint& peer, absl::Time deadline,
           std::function<void(absl::StatusOr<SetupAnswer>)> done);
  absl::Status CannotConnect(const std::string& whom, const absl::Status& reason) const;

  struct ChannelSetup;
  void AskNextMember(const std::shared_ptr<ChannelSetup>& setup);
  void OnMembersAsked(const std::shared_ptr<ChannelSetup>& setup);

  const std::shared_ptr<const Plan> plan_;
  const InstanceIndex self_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<ConnectionSetupService> setup_service_;
  std::unique_ptr<GrpcListener> setup_listener_;
  std::unique_ptr<ConnectionSetupClient> setup_client_;
  std::string endpoint_address_;
  bool is_stopped_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_ENGINE_HOST_H_
