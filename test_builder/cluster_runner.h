// ClusterRunner: runs tests on the cluster of a test sequencer, as `distbench run_tests` does.
#ifndef TEST_BUILDER_CLUSTER_RUNNER_H_
#define TEST_BUILDER_CLUSTER_RUNNER_H_

#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/net/socket_address.h"
#include "test_builder/sequence_runner.h"

namespace distbench {

class ClusterRunner final : public TestRunner {
 public:
  // The summaries of the tests go to `summaries`. A termination signal stops the test that runs.
  // Both outlive this.
  ClusterRunner(HostPort sequencer, TerminationSignal& termination, std::ostream& summaries);

  absl::Status Run(const TestSequence& sequence, const std::string& path) override;

 private:
  const HostPort sequencer_;
  TerminationSignal& termination_;
  std::ostream& summaries_;
};

}  // namespace distbench

#endif  // TEST_BUILDER_CLUSTER_RUNNER_H_
