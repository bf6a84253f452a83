#include "distbench/cli/sequence_run.h"

#include "absl/cleanup/cleanup.h"
#include "absl/time/time.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/progress.h"
#include "distbench/cli/sequencer_client.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/cli/test_deadline.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

constexpr absl::Duration kConnectTimeout = absl::Seconds(10);

}  // namespace

absl::StatusOr<TestSequenceResults> RunSequence(const HostPort& sequencer,
                                                const TestSequence& sequence,
                                                TerminationSignal* termination) {
  ASSIGN_OR_RETURN(const absl::Duration deadline, SequenceDeadline(sequence));
  SequencerClient client(sequencer);
  termination->OnSignal([&client] { client.Cancel(); });
  const auto forget_client = absl::MakeCleanup([termination] { termination->OnSignal(nullptr); });
  RETURN_IF_ERROR(client.Connect(kConnectTimeout));
  const Progress progress(sequence);
  return client.Run(sequence, deadline);
}

}  // namespace distbench
