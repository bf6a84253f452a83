// LivenessWatch: notices nodes that die while nothing else is asked of them.
//
// A node without a main list answers RunTraffic at once and serves on; if it then dies, no call of
// ours breaks. So while traffic runs every node is asked something small from time to time. A node
// that is gone shows at once; one that is frozen when the probe's timeout has passed.
//
// Belongs to the runner's thread.
#ifndef DISTBENCH_SEQUENCER_LIVENESS_WATCH_H_
#define DISTBENCH_SEQUENCER_LIVENESS_WATCH_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "distbench/sequencer/alarm.h"
#include "distbench/sequencer/control_calls.h"
#include "distbench/sequencer/node_calls.h"
#include "distbench/sequencer/participant.h"
#include "protos/distbench.pb.h"

namespace distbench {

class LivenessWatch {
 public:
  // All borrowed. The first probes go out an interval from now.
  LivenessWatch(const CallContext& context, ControlCalls& control, Participants& participants);

  // Does what is due. To be called after each of the mailbox's tasks. Returns an error that names
  // the nodes that were found dead, and marks them as lost.
  absl::Status Check();

 private:
  void ScheduleProbes();
  void BeginProbes();
  absl::Status EndProbes();

  const CallContext context_;
  ControlCalls& control_;
  Participants& participants_;
  const int64_t interval_ns_;
  // One of these at a time.
  std::optional<Alarm> next_probes_;
  std::optional<NodeCalls<ClockReading>> probes_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_LIVENESS_WATCH_H_
