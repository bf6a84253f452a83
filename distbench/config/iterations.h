// Iterations: how often an action runs, checked and in nanoseconds.
#ifndef DISTBENCH_CONFIG_ITERATIONS_H_
#define DISTBENCH_CONFIG_ITERATIONS_H_

#include <string>

#include "distbench/config/plan.h"

namespace distbench {

class Iterations;
class Reporter;

// What becomes of iterations without a limit of their own.
enum class Endless {
  kAllowed,  // something else of the test ends them
  kWarned,   // only the test's default time does, but they are no load on anybody's server
  kRefused,  // likewise, and they are
};

// Errors are fields below `path`; what is returned after one must not run.
IterationPlan CompileIterations(const Iterations& iterations, const std::string& path,
                                Endless endless, Reporter& report);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_ITERATIONS_H_
