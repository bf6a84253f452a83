// TrafficPhase: the traffic of one test, from its start to the answer of the last node.
//
//   RunTraffic to all nodes, with one start that each is told in its own clock
//        |
//        |-- all nodes have answered ----------------------------> ended as planned
//        |
//        |-- a node failed or died, or ended early -------.
//        |-- the test's timeout has passed --------------+------> CancelTraffic to all,
//        '-- somebody requested a stop ------------------'        wait for their answers
//
// The start is agreed on only if every node with instances knows how; else traffic starts wherever
// the request arrives. Belongs to the runner's thread.
#ifndef DISTBENCH_SEQUENCER_TRAFFIC_PHASE_H_
#define DISTBENCH_SEQUENCER_TRAFFIC_PHASE_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "distbench/sequencer/control_calls.h"
#include "distbench/sequencer/node_calls.h"
#include "distbench/sequencer/participant.h"
#include "distbench/sequencer/progress_watch.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"

namespace distbench {

struct TrafficPhaseOptions {
  WallAnchor anchor;            // of the sequencer's wall time, for the whole test
  int64_t broadcast_ns = 0;     // time that it takes to reach all nodes
  int64_t test_timeout_ns = 0;  // counts from the start of traffic
  // Told how much traffic there has been, from the start on. Null: nobody listens.
  std::function<void(int64_t elapsed_ns, const TrafficProgress& progress)> on_progress = nullptr;
};

class TrafficPhase {
 public:
  // All borrowed.
  TrafficPhase(const CallContext& context, const TrafficPhaseOptions& options,
               const StopSignal& stop, ControlCalls& control, Participants& participants);

  // Returns when traffic has ended everywhere that can be reached: OK if as planned, else why not.
  // Notes in the participants how they started and which were lost.
  absl::Status Run();

 private:
  using Calls = NodeCalls<RunTrafficResponse>;

  void AgreeOnStart();
  NodeCallHandle StartNode(NodeIndex node, int64_t timeout_ns, NodeDone<RunTrafficResponse> done);
  absl::Status FirstProblem(Calls& calls) const;
  OnTrafficProgress ProgressListener() const;
  absl::Status AwaitEnd(Calls& calls);
  void CancelEverywhere(const absl::Status& reason, Calls& calls);
  void NoteAnswers(Calls& calls);

  const CallContext context_;
  const TrafficPhaseOptions options_;
  const StopSignal& stop_;
  ControlCalls& control_;
  Participants& participants_;
  int64_t lead_ns_ = 0;                   // from now to the start
  int64_t start_ns_ = 0;                  // of the traffic, by the sequencer's monotonic clock
  std::optional<int64_t> start_wall_ns_;  // by the sequencer's clock; none: on receipt
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_TRAFFIC_PHASE_H_
