#include "distbench/sequencer/fake_cluster_run.h"

#include <utility>
#include <vector>

#include "distbench/sequencer/test_run.h"
#include "gtest/gtest.h"

namespace distbench {

TestResult RunOn(FakeCluster& cluster, const TestSequence& sequence, const StopSignal& stop,
                 OnTestProgress observer) {
  TestSequence canonical = sequence;
  Diagnostics diagnostics;
  const std::vector<CompiledTest> compiled =
      CompileSequence(&canonical, FakeDrivers(), &diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.ToStatus();
  const RunContext context = cluster.context();
  TestRun run(
      context,
      {.as_given = sequence.tests(0), .canonical = canonical.tests(0), .plan = compiled[0].plan},
      stop, std::move(observer));
  return run.Run();
}

}  // namespace distbench
