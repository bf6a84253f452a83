// test_sequencer: the daemon that knows the nodes of a cluster and runs tests on them.
#include <iostream>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/address_flags.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/grpc_polling.h"
#include "distbench/cli/local_cluster.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/sample_flags.h"
#include "distbench/cli/termination_signal.h"

namespace distbench {

namespace {

class TestSequencerMode final : public Mode {
 public:
  std::string name() const override { return "test_sequencer"; }
  std::string summary() const override {
    return "Know the nodes of a cluster and run tests on it.";
  }
  std::string details() const override {
    return "The process ends on Ctrl-C, or when a test sequence says so.\n";
  }
  void DeclareFlags(FlagSet* flags) override;
  absl::Status Accept(const std::vector<std::string>& words) override;
  absl::Status Run(const std::vector<std::string>& command_line) override;

 private:
  int local_nodes_ = 0;
  AddressFlags addresses_;
  CpuFlags cpus_;
  SampleFlags samples_;
};

void TestSequencerMode::DeclareFlags(FlagSet* flags) {
  flags->Add("local_nodes", &local_nodes_, "N", "Host N node managers in this process too.");
  addresses_.DeclareControlPlane(flags);
  addresses_.DeclareDataPlane(flags);
  cpus_.Declare(flags);
  samples_.Declare(flags);
}

absl::Status TestSequencerMode::Accept(const std::vector<std::string>& words) {
  RETURN_IF_ERROR(Mode::Accept(words));
  if (local_nodes_ < 0 || local_nodes_ > kMaxLocalNodes) {
    return absl::InvalidArgumentError(
        absl::StrCat("--local_nodes=", local_nodes_, ": expected 0 to ", kMaxLocalNodes));
  }
  RETURN_IF_ERROR(cpus_.Check());
  RETURN_IF_ERROR(samples_.Check());
  return addresses_.Check();
}

absl::Status TestSequencerMode::Run(const std::vector<std::string>& command_line) {
  ASSIGN_OR_RETURN(const EventLoops loops, cpus_.Apply());  // first: threads inherit it
  ChooseGrpcPolling(GrpcPollingFor(local_nodes_));
  TerminationSignal termination;
  ASSIGN_OR_RETURN(const std::unique_ptr<LocalCluster> cluster,
                   LocalCluster::Start({.control_plane = addresses_.ControlPlane(""),
                                        .data_plane = addresses_.DataPlane(""),
                                        .loops = loops,
                                        .samples = samples_.options(),
                                        .command_line = command_line}));
  termination.OnSignal([&cluster] { cluster->RequestShutdown(); });
  const auto forget_cluster = absl::MakeCleanup([&termination] { termination.OnSignal(nullptr); });
  const absl::Status added = cluster->AddNodes(local_nodes_);
  if (termination.requested()) return absl::OkStatus();
  RETURN_IF_ERROR(added);
  std::cout << "test_sequencer: ready with " << local_nodes_ << " local nodes at "
            << cluster->address() << std::endl;
  cluster->Wait();
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<Mode> NewTestSequencerMode() { return std::make_unique<TestSequencerMode>(); }

}  // namespace distbench
