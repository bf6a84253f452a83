#include "distbench/cli/sequence_run.h"

#include <random>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/progress.h"
#include "distbench/cli/result_destination.h"
#include "distbench/cli/sequencer_client.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/cli/test_deadline.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

constexpr absl::Duration kConnectTimeout = absl::Seconds(10);

// Unlike that of any other sequence, whoever its caller is.
std::string DrawSequenceId() {
  std::random_device device;
  return absl::StrFormat("%08x%08x%08x%08x", device(), device(), device(), device());
}

// Requires: `client` is connected.
absl::Status RunConnected(const TestSequence& sequence, absl::Duration deadline,
                          SequencerClient* client, TerminationSignal* termination,
                          ResultDestination* destination, const SequenceRunTexts& texts) {
  TestSequence named = sequence;
  named.set_sequence_id(DrawSequenceId());
  Progress progress(sequence);
  termination->OnSignal(
      [client, &progress, &texts] {
        progress.EndWith(texts.on_stop);
        client->Stop();
      },
      [client] { client->Cancel(); });
  const auto forget_progress = absl::MakeCleanup([termination] { termination->OnSignal(nullptr); });
  return client->Run(named, deadline,
                     {.on_progress = [&progress](const TestProgress& told) { progress.Tell(told); },
                      .on_record =
                          [&progress, destination](const ResultRecord& record) {
                            if (record.has_test()) progress.MakeWay();
                            destination->Add(record);
                          }});
}

}  // namespace

absl::Status RunSequence(const HostPort& sequencer, const TestSequence& sequence,
                         TerminationSignal* termination, ResultDestination* destination,
                         const SequenceRunTexts& texts) {
  ASSIGN_OR_RETURN(const absl::Duration deadline, SequenceDeadline(sequence));
  SequencerClient client(sequencer);
  termination->OnSignal([&client] { client.Cancel(); });
  const auto forget_client = absl::MakeCleanup([termination] { termination->OnSignal(nullptr); });
  const absl::Status connected = client.Connect(kConnectTimeout);
  if (absl::IsUnavailable(connected)) {
    return absl::UnavailableError(absl::StrCat(
        connected.message(), "\nStart one with `distbench test_sequencer`, or correct ",
        texts.sequencer_flag, "."));
  }
  RETURN_IF_ERROR(connected);
  return RunConnected(sequence, deadline, &client, termination, destination, texts);
}

}  // namespace distbench
