// FakeNode: a node manager in memory, on simulated time, that can be told to misbehave.
//
// It keeps the order of a test's calls as a real one does, takes time to be reached, has a clock of
// its own, and runs "traffic" that lasts a given time from its start. Not thread-safe.
#ifndef DISTBENCH_SEQUENCER_FAKE_NODE_H_
#define DISTBENCH_SEQUENCER_FAKE_NODE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "distbench/sequencer/node_stub.h"
#include "distbench/sequencer/sample_stream.h"
#include "distbench/sequencer/simulated_events.h"
#include "distbench/testing/simulated_time.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"

namespace distbench {

struct FakeNodeOptions {
  int64_t clock_offset_ns = 0;
  int64_t one_way_ns = 50'000;
  int64_t traffic_ns = 10'000'000'000;
  int64_t start_lateness_ns = 0;
  bool other_program = false;  // knows the public format only
  bool streams = true;         // false: an earlier version, which does not know how to
  std::vector<std::pair<std::string, std::string>> attributes = {};  // that it registers with
  std::string overload = {};                                         // that it reports at the end
};

class FakeNode final : public NodeStub {
 public:
  // `journal` gets "NAME METHOD" for each request that arrives.
  FakeNode(std::string name, const FakeNodeOptions& options, SimulatedTime& time,
           SimulatedEvents& events, std::vector<std::string>& journal);

  // --- What a test does to it. Methods are named as in services.proto.
  void Fail(const std::string& method, absl::Status error) { failures_[method] = error; }
  void Freeze(const std::string& method) { frozen_.insert(method); }
  void Heal();
  // Fails all calls under way and all later ones with UNAVAILABLE.
  void Die();
  // Ends the traffic under way with this report.
  void EndTraffic(const absl::Status& reason);
  // Runs once, when a request of the method arrives.
  void When(const std::string& method, std::function<void()> then) { hooks_[method] = then; }
  // Has the samples that it streams claim to be of this instance.
  void LieAboutSamples(std::string instance) { claimed_instance_ = std::move(instance); }

  // --- What a test looks at.
  bool has_engines() const { return config_.has_value(); }
  bool is_shut_down() const { return is_shut_down_; }
  const NodeServiceConfig& last_config() const { return last_config_; }
  const ServiceEndpointMap& last_peers() const { return last_peers_; }
  const RunTrafficRequest& last_run() const { return last_run_; }
  const CancelTrafficRequest& last_cancel() const { return last_cancel_; }
  // Simulated time, not the node's own.
  int64_t traffic_start_ns() const { return traffic_start_ns_; }
  int64_t traffic_end_ns() const { return traffic_end_ns_; }

  NodeCallHandle ConfigureNode(NodeServiceConfig request, int64_t timeout_ns,
                               NodeDone<ServiceEndpointMap> done) override;
  NodeCallHandle IntroducePeers(ServiceEndpointMap request, int64_t timeout_ns,
                                NodeDone<IntroducePeersResult> done) override;
  NodeCallHandle RunTraffic(RunTrafficRequest request, int64_t timeout_ns,
                            NodeDone<RunTrafficResponse> done) override;
  NodeCallHandle GetTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                  NodeDone<GetTrafficResultResponse> done) override;
  NodeCallHandle StreamTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                     NodeDone<NodeResult> done) override;
  // An RPC of kind 0 has ended for each millisecond of traffic.
  NodeCallHandle GetTrafficProgress(GetTrafficProgressRequest request, int64_t timeout_ns,
                                    NodeDone<TrafficProgress> done) override;
  NodeCallHandle CancelTraffic(CancelTrafficRequest request, int64_t timeout_ns,
                               NodeDone<CancelTrafficResult> done) override;
  NodeCallHandle ShutdownNode(ShutdownNodeRequest request, int64_t timeout_ns,
                              NodeDone<ShutdownNodeResult> done) override;
  NodeCallHandle ProbeClock(ClockProbe request, int64_t timeout_ns,
                            NodeDone<ClockReading> done) override;

 private:
  template <typename Response>
  using Reply = std::function<void(absl::StatusOr<Response>)>;

  // Carries a request to `handle`, on this node, and its reply back.
  template <typename Response>
  NodeCallHandle Carry(const std::string& method, int64_t timeout_ns, NodeDone<Response> done,
                       std::function<void(Reply<Response>)> handle);

  int64_t WallNs() const { return time_.WallNs() + options_.clock_offset_ns; }
  void BeginTraffic(Reply<RunTrafficResponse> reply);
  GetTrafficResultResponse MakeResult() const;
  NodeResult MakeStreamedResult(bool without_samples);

  const std::string name_;
  const FakeNodeOptions options_;
  SimulatedTime& time_;
  SimulatedEvents& events_;
  std::vector<std::string>& journal_;

  std::map<std::string, absl::Status> failures_;
  std::string claimed_instance_;  // empty: the truth
  std::set<std::string> frozen_;
  std::map<std::string, std::function<void()>> hooks_;
  bool dead_ = false;
  bool is_shut_down_ = false;
  std::vector<std::function<void()>> break_connections_;  // of calls under way, and of ended ones

  std::optional<NodeServiceConfig> config_;  // of the engines that exist
  NodeServiceConfig last_config_;
  ServiceEndpointMap last_peers_;
  RunTrafficRequest last_run_;
  CancelTrafficRequest last_cancel_;
  int64_t traffic_start_ns_ = 0;
  int64_t traffic_end_ns_ = 0;
  Reply<RunTrafficResponse> traffic_;  // empty while there is none
  int64_t traffics_ = 0;               // begun so far
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_FAKE_NODE_H_
