// What an engine's one-way RPCs ended with, in the result.
#ifndef DISTBENCH_ENGINE_ONE_WAY_WRITER_H_
#define DISTBENCH_ENGINE_ONE_WAY_WRITER_H_

namespace distbench {

struct EngineContext;
class ServicePerformanceLog;

// Adds those that `log` has statistics of.
void WriteOneWayRpcs(const EngineContext& context, ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ONE_WAY_WRITER_H_
