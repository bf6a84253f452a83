// What an engine's activities did, in the result.
#ifndef DISTBENCH_ENGINE_ACTIVITY_WRITER_H_
#define DISTBENCH_ENGINE_ACTIVITY_WRITER_H_

namespace distbench {

struct EngineContext;
class ServicePerformanceLog;

// Adds those that ran and of which the number says something. Work that still runs is left out of
// the times.
void WriteActivities(const EngineContext& context, ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ACTIVITY_WRITER_H_
