// ReplaySchedule: what one instance does of a replay trace, and what waits for what.
//
// The instance runs the records that name it, or nobody, as sender, but for those to itself. The
// ends of other instances' RPCs are not seen here: where a record waits for one that another
// instance sends, the nearest record before that one which this instance sends stands in for it,
// or, if there is none, the start of the trace.
//
//   trace           0: a    1: b    2: a, after 1    3: a, after 2
//   steps of a      0                1, after 0       2, after 1
//
// Pure. Immutable once made.
#ifndef DISTBENCH_ENGINE_REPLAY_SCHEDULE_H_
#define DISTBENCH_ENGINE_REPLAY_SCHEDULE_H_

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/base/strong_index.h"
#include "distbench/config/plan.h"

namespace distbench {

struct ReplayStep {
  uint32_t record = 0;                // position in the trace
  uint32_t priors = 0;                // steps that it waits for; all are earlier ones
  bool counts_from_traffic = false;   // without priors: from the traffic's start, not the trace's
  std::vector<uint32_t> after_start;  // steps that wait for this one's start
  std::vector<uint32_t> after_end;    // likewise, for its end
};

struct ReplaySchedule {
  std::vector<ReplayStep> steps;  // in order of the trace
};

// Requires: `self` is an instance of the trace's client.
ReplaySchedule MakeReplaySchedule(const Plan& plan, TraceIndex trace, InstanceIndex self);

// By trace; null for those that another service replays.
using ReplaySchedules = IndexedVector<TraceIndex, std::unique_ptr<const ReplaySchedule>>;
ReplaySchedules MakeReplaySchedules(const Plan& plan, InstanceIndex self);

// Whom the record is sent to; where a channel picks that, the first member that is known.
InstanceIndex TargetOf(const Plan& plan, const ReplayTracePlan& trace,
                       const ReplayRecordPlan& record);

// Whom `self` sends records to, but for those that channels pick.
std::set<InstanceIndex> ReplayTargets(const Plan& plan, InstanceIndex self);

// Whether channels pick instances of `server` for records.
bool AnswersReplayOnChannels(const Plan& plan, ServiceIndex server);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_REPLAY_SCHEDULE_H_
