#include "distbench/engine/replay_schedule.h"

#include <optional>

namespace distbench {
namespace {

using Origin = ReplayRecordPlan::Origin;

bool Runs(const Plan& plan, const ReplayTracePlan& trace, const ReplayRecordPlan& record,
          InstanceIndex self) {
  if (record.client && *record.client != plan.instances[self].rank) return false;
  return record.channel || TargetOf(plan, trace, record) != self;
}

}  // namespace

InstanceIndex TargetOf(const Plan& plan, const ReplayTracePlan& trace,
                       const ReplayRecordPlan& record) {
  const size_t first = plan.services[trace.server].first.value();
  if (!record.channel) return InstanceIndex(first + record.server);
  const std::vector<size_t>& members = plan.channels[*record.channel].members;
  return InstanceIndex(first + (members.empty() ? 0 : members.front()));
}

std::set<InstanceIndex> ReplayTargets(const Plan& plan, InstanceIndex self) {
  std::set<InstanceIndex> targets;
  for (const ReplayTracePlan& trace : plan.traces) {
    if (trace.client != plan.instances[self].service) continue;
    for (const ReplayRecordPlan& record : trace.records) {
      if (record.channel || !Runs(plan, trace, record, self)) continue;
      targets.insert(TargetOf(plan, trace, record));
    }
  }
  return targets;
}

bool AnswersReplayOnChannels(const Plan& plan, ServiceIndex server) {
  for (const ReplayTracePlan& trace : plan.traces) {
    if (trace.server != server) continue;
    for (const ReplayRecordPlan& record : trace.records) {
      if (record.channel) return true;
    }
  }
  return false;
}

ReplaySchedule MakeReplaySchedule(const Plan& plan, TraceIndex trace_index, InstanceIndex self) {
  const ReplayTracePlan& trace = plan.traces[trace_index];
  ReplaySchedule schedule;
  std::vector<ReplayStep>& steps = schedule.steps;
  // By record: the last step at or before it.
  std::vector<std::optional<uint32_t>> last_steps;
  last_steps.reserve(trace.records.size());
  for (uint32_t i = 0; i < trace.records.size(); ++i) {
    const ReplayRecordPlan& record = trace.records[i];
    std::optional<uint32_t> last = i == 0 ? std::nullopt : last_steps[i - 1];
    if (Runs(plan, trace, record, self)) {
      const auto step = static_cast<uint32_t>(steps.size());
      steps.push_back({.record = i,
                       .counts_from_traffic = record.origin == Origin::kTrafficStart,
                       .after_start = {},
                       .after_end = {}});
      // Priors are sorted, so those that one step stands in for are neighbours.
      std::optional<uint32_t> previous;
      for (const uint32_t prior : record.priors) {
        const std::optional<uint32_t> awaited = last_steps[prior];
        if (!awaited || awaited == previous) continue;
        previous = awaited;
        ++steps[step].priors;
        (record.origin == Origin::kPriorStart ? steps[*awaited].after_start
                                              : steps[*awaited].after_end)
            .push_back(step);
      }
      last = step;
    }
    last_steps.push_back(last);
  }
  return schedule;
}

ReplaySchedules MakeReplaySchedules(const Plan& plan, InstanceIndex self) {
  ReplaySchedules schedules;
  for (size_t i = 0; i < plan.traces.size(); ++i) {
    const TraceIndex trace(i);
    const bool is_client = plan.traces[trace].client == plan.instances[self].service;
    schedules.push_back(
        is_client ? std::make_unique<const ReplaySchedule>(MakeReplaySchedule(plan, trace, self))
                  : nullptr);
  }
  return schedules;
}

}  // namespace distbench
