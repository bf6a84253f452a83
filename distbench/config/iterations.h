// Iterations: how often an action runs, checked and in nanoseconds.
#ifndef DISTBENCH_CONFIG_ITERATIONS_H_
#define DISTBENCH_CONFIG_ITERATIONS_H_

#include <string>

#include "distbench/config/plan.h"

namespace distbench {

class Iterations;
class Reporter;

// Errors are fields below `path`; what is returned after one must not run. A test `may_run_on`
// where its time is bounded explicitly: only then may an action have no limit of its own.
IterationPlan CompileIterations(const Iterations& iterations, const std::string& path,
                                bool may_run_on, Reporter& report);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_ITERATIONS_H_
