#include "test_builder/cluster_runner.h"

#include <memory>
#include <utility>

#include "distbench/base/status_macros.h"
#include "distbench/cli/result_destination.h"
#include "distbench/cli/sequence_run.h"
#include "distbench/cli/test_outcome.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

ClusterRunner::ClusterRunner(HostPort sequencer, TerminationSignal& termination,
                             std::ostream& summaries)
    : sequencer_(std::move(sequencer)), termination_(termination), summaries_(summaries) {}

absl::Status ClusterRunner::Run(const TestSequence& sequence, const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ResultDestination> destination,
                   ResultDestination::Open(path, ResultDestination::Format::kBinary, summaries_));
  const absl::Status run = RunSequence(sequencer_, sequence, &termination_, destination.get());
  const absl::Status finished = destination->Finish();
  summaries_.flush();
  RETURN_IF_ERROR(run);
  RETURN_IF_ERROR(finished);
  return OutcomeOf(sequence, destination->tests());
}

}  // namespace distbench
