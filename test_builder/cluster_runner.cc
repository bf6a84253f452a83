#include "test_builder/cluster_runner.h"

#include <memory>
#include <sstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/cli/result_destination.h"
#include "distbench/cli/sequence_run.h"
#include "distbench/cli/test_outcome.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// Why a test has no result that is whole: what happened in the course of it comes first.
absl::Status Reason(const absl::Status& test, const absl::Status& written) {
  if (test.ok() || written.ok()) return test.ok() ? written : test;
  return absl::Status(test.code(), absl::StrCat(test.message(), "; ", written.message()));
}

}  // namespace

ClusterRunner::ClusterRunner(HostPort sequencer, TerminationSignal& termination)
    : sequencer_(std::move(sequencer)), termination_(termination) {}

TestRunner::Outcome ClusterRunner::Run(const TestSequence& sequence, const std::string& path) {
  std::ostringstream summary;
  const absl::StatusOr<std::unique_ptr<ResultDestination>> destination =
      ResultDestination::Open(path, ResultDestination::Format::kBinary, summary);
  if (!destination.ok()) return {.status = destination.status(), .ends_sweep = true};
  const absl::Status run =
      RunSequence(sequencer_, sequence, &termination_, destination->get(),
                  {.on_stop = "stopping this test, whose result is not kept; again to quit at once",
                   .sequencer_flag = "-s"});
  absl::Status written = (*destination)->Finish();
  // A node that was lost is a matter of this test: those that do without it go on.
  const bool is_sequencer_lost = absl::IsUnavailable(run);
  // So is a result that is too large; one that finds no space on the disk is a matter of all tests.
  const bool is_too_large = absl::IsResourceExhausted(written);
  const absl::Status test = run.ok() ? OutcomeOfOnlyTest((*destination)->tests()) : run;
  const std::string records_path = (*destination)->kept_records();
  if (!records_path.empty()) {
    written = absl::ResourceExhaustedError(
        "a result of more than 2 GiB does not fit a .pb.gz file; keep fewer samples with "
        "max_rpc_samples=NUMBER, or measure for a shorter time with -t");
  }
  return {
      .status = Reason(test, written),
      .ends_sweep = is_sequencer_lost || absl::IsCancelled(test) || !(written.ok() || is_too_large),
      .summary = summary.str(),
      .records_path = records_path};
}

}  // namespace distbench
