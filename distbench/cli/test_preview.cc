// test_preview: runs tests on a cluster inside this process, all instances on one node. For trying
// a config, not for figures: everything shares this machine.
#include <iostream>
#include <memory>

#include "distbench/base/status_macros.h"
#include "distbench/cli/address_flags.h"
#include "distbench/cli/checked_sequence.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/grpc_polling.h"
#include "distbench/cli/local_cluster.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/result_destination.h"
#include "distbench/cli/result_output.h"
#include "distbench/cli/sample_flags.h"
#include "distbench/cli/sequence_input.h"
#include "distbench/cli/sequence_run.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/cli/test_outcome.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/net/grpc_target.h"
#include "distbench/node/node_environment.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

constexpr char kLoopback[] = "127.0.0.1";
constexpr char kOnlyNode[] = "node0";

class TestPreviewMode final : public Mode {
 public:
  std::string name() const override { return "test_preview"; }
  std::string summary() const override { return "Run tests on a cluster inside this process."; }
  std::string details() const override {
    return "All instances share one node of this machine, whatever the tests say of placement.\n";
  }
  void DeclareFlags(FlagSet* flags) override;
  absl::Status Accept(const std::vector<std::string>& words) override;
  absl::Status Run(const std::vector<std::string>& command_line) override;

 private:
  absl::StatusOr<TestSequence> ReadSequence() const;
  absl::Status RunHere(const TestSequence& sequence, const std::vector<std::string>& command_line,
                       ResultDestination* destination);

  SequenceInput input_;
  ResultOutput output_;
  AddressFlags addresses_;
  SampleFlags samples_;
};

void TestPreviewMode::DeclareFlags(FlagSet* flags) {
  input_.DeclareFlags(flags);
  output_.DeclareFlags(flags);
  addresses_.DeclareDataPlane(flags);
  samples_.Declare(flags);
}

absl::Status TestPreviewMode::Accept(const std::vector<std::string>& words) {
  RETURN_IF_ERROR(Mode::Accept(words));
  RETURN_IF_ERROR(addresses_.Check());
  RETURN_IF_ERROR(samples_.Check());
  return output_.Check();
}

// Puts every instance of every test on the only node.
TestSequence OnOnlyNode(const CheckedSequence& checked) {
  TestSequence sequence = checked.given;
  for (int i = 0; i < sequence.tests_size(); ++i) {
    auto& bundles = *sequence.mutable_tests(i)->mutable_node_service_bundles();
    bundles.clear();
    for (const InstancePlan& instance : checked.tests[i].plan->instances) {
      bundles[kOnlyNode].add_services(instance.name);
    }
    sequence.mutable_tests(i)->clear_service_constraints();
  }
  return sequence;
}

absl::StatusOr<TestSequence> TestPreviewMode::ReadSequence() const {
  const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry({.shards = 1});
  ASSIGN_OR_RETURN(const CheckedSequence checked,
                   ReadCheckedSequence(input_, KnownDriversOf(*drivers), std::cerr));
  return OnOnlyNode(checked);
}

absl::Status TestPreviewMode::RunHere(const TestSequence& sequence,
                                      const std::vector<std::string>& command_line,
                                      ResultDestination* destination) {
  TerminationSignal termination;
  DataPlaneOptions data_plane = addresses_.DataPlane("");
  if (data_plane.device.empty() && data_plane.bind.empty()) data_plane.bind = kLoopback;
  ASSIGN_OR_RETURN(const std::unique_ptr<LocalCluster> cluster,
                   LocalCluster::Start({.control_plane = {.bind = kLoopback, .port = 0},
                                        .data_plane = data_plane,
                                        .loops = DefaultEventLoops(),
                                        .samples = samples_.options(),
                                        .command_line = command_line}));
  RETURN_IF_ERROR(cluster->AddNodes(1));
  ASSIGN_OR_RETURN(const HostPort address, ParseHostPortOrTarget(cluster->address()));
  return RunSequence(address, sequence, &termination, destination);
}

absl::Status TestPreviewMode::Run(const std::vector<std::string>& command_line) {
  ChooseGrpcPolling(GrpcPollingFor(1));
  ASSIGN_OR_RETURN(const TestSequence sequence, ReadSequence());
  ASSIGN_OR_RETURN(const std::unique_ptr<ResultDestination> destination, output_.Open());
  const absl::Status run = RunHere(sequence, command_line, destination.get());
  const absl::Status finished = destination->Finish();
  RETURN_IF_ERROR(run);
  RETURN_IF_ERROR(finished);
  return OutcomeOf(sequence, destination->tests());
}

}  // namespace

std::unique_ptr<Mode> NewTestPreviewMode() { return std::make_unique<TestPreviewMode>(); }

}  // namespace distbench
