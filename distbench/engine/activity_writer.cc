#include "distbench/engine/activity_writer.h"

#include <cstddef>
#include <cstdint>
#include <variant>

#include "distbench/activity/cpu_work.h"
#include "distbench/activity/work_calibration.h"
#include "distbench/engine/engine_context.h"
#include "distbench/results/histogram_proto.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

void WriteCalibratedWork(const CalibratedWork& work, const CpuJobPool& jobs, ActivityIndex activity,
                         CalibratedWorkStatistics& message) {
  const WorkCalibration& calibration =
      jobs.calibrated()[static_cast<size_t>(work.kind)]->calibration;
  message.set_kind(WorkKindName(work.kind));
  message.set_nominal_ns(work.duration_ns);
  message.set_units_per_us(calibration.units_per_us);
  message.set_measurements(calibration.measurements);
  message.set_disagreement(calibration.disagreement);
  JobTimes times;
  jobs.AddTimes(activity, &times);
  WriteHistogram(times.cpu_time, *message.mutable_cpu_time_ns());
  WriteHistogram(times.wall_time, *message.mutable_wall_time_ns());
}

}  // namespace

void WriteActivities(const EngineContext& context, ServicePerformanceLog& log) {
  for (size_t i = 0; i < context.activity_iterations.size(); ++i) {
    const ActivityIndex index(i);
    const ActivityPlan& activity = context.plan->activities[index];
    const int64_t iterations = context.activity_iterations[i].load(std::memory_order_relaxed);
    if (iterations == 0 || !CountsIterations(activity.work)) continue;
    ActivityLog& activity_log = (*log.mutable_activity_logs())[activity.name];
    ActivityMetric& metric = *activity_log.add_activity_metrics();
    metric.set_name("iteration_count");
    metric.set_value_int(iterations);
    if (const auto* work = std::get_if<CalibratedWork>(&activity.work)) {
      WriteCalibratedWork(*work, *context.cpu_jobs, index, *activity_log.mutable_calibrated_work());
    }
  }
}

}  // namespace distbench
