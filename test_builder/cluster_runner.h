// ClusterRunner: runs tests on the cluster of a test sequencer, as `distbench run_tests` does.
#ifndef TEST_BUILDER_CLUSTER_RUNNER_H_
#define TEST_BUILDER_CLUSTER_RUNNER_H_

#include <string>

#include "distbench/cli/termination_signal.h"
#include "distbench/net/socket_address.h"
#include "test_builder/sweep_runner.h"

namespace distbench {

class ClusterRunner final : public TestRunner {
 public:
  // A termination signal stops the test that runs; `termination` outlives this.
  ClusterRunner(HostPort sequencer, TerminationSignal& termination);

  Outcome Run(const TestSequence& sequence, const std::string& path) override;

 private:
  const HostPort sequencer_;
  TerminationSignal& termination_;
};

}  // namespace distbench

#endif  // TEST_BUILDER_CLUSTER_RUNNER_H_
