#include "distbench/results/iteration_times.h"

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/histogram_proto.h"
#include "protos/distbench.pb.h"

namespace distbench {

void IterationTimes::Merge(const IterationTimes& other) {
  service_time.Merge(other.service_time);
  response_time.Merge(other.response_time);
}

void WriteIterationTimes(const IterationTimesByAction& times, const Plan& plan,
                         ServicePerformanceLog& log) {
  for (const auto& [place, from] : times) {
    const ActionListPlan& list = plan.lists[place.first];
    IterationStatistics& to = *log.add_iterations();
    to.set_action_list(list.name);
    to.set_action(list.actions[place.second].name);
    WriteHistogram(from.service_time, *to.mutable_service_time_ns());
    if (from.response_time.totals().count == 0) continue;
    WriteHistogram(from.response_time, *to.mutable_response_time_ns());
  }
}

absl::Status CheckIterationTimes(const IterationStatistics& message) {
  RETURN_IF_ERROR(CheckHistogram("service_time_ns", message.service_time_ns()));
  RETURN_IF_ERROR(CheckHistogram("response_time_ns", message.response_time_ns()));
  if (message.response_time_ns().count() <= message.service_time_ns().count()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("response_time_ns.count is ", message.response_time_ns().count(),
                   "; it must be 0 to ", message.service_time_ns().count(), ", the iterations"));
}

absl::Status MergeIterationTimes(const IterationStatistics& message, IterationTimes& times) {
  RETURN_IF_ERROR(CheckIterationTimes(message));
  RETURN_IF_ERROR(MergeHistogram(message.service_time_ns(), times.service_time));
  return MergeHistogram(message.response_time_ns(), times.response_time);
}

}  // namespace distbench
