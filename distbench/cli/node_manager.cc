// node_manager: the daemon of one node. It registers with a test sequencer and hosts the service
// instances that it is given.
#include <iostream>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "distbench/base/status_macros.h"
#include "distbench/cli/address_flags.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/grpc_polling.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/node_host.h"
#include "distbench/cli/sample_flags.h"
#include "distbench/cli/termination_signal.h"
#include "distbench/config/diagnostics.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/net/grpc_target.h"

namespace distbench {

namespace {

class NodeManagerMode final : public Mode {
 public:
  std::string name() const override { return "node_manager"; }
  std::string summary() const override {
    return "Be a node of a cluster: host what a test puts here.";
  }
  std::string words_help() const override { return "[nodeN] [NAME=VALUE ...]"; }
  std::string details() const override {
    return "nodeN asks the sequencer for that name; without it nodes are numbered as they come.\n"
           "NAME=VALUE gives the node an attribute. The process ends on Ctrl-C, or when a test\n"
           "sequence says so.\n";
  }
  void DeclareFlags(FlagSet* flags) override;
  absl::Status Accept(const std::vector<std::string>& words) override;
  absl::Status Run(const std::vector<std::string>& command_line) override;

 private:
  absl::Status AcceptWord(const std::string& word);

  std::string test_sequencer_;
  HostPort sequencer_address_;
  AddressFlags addresses_;
  CpuFlags cpus_;
  SampleFlags samples_;
  NodeIdentity identity_;
};

void NodeManagerMode::DeclareFlags(FlagSet* flags) {
  flags->Add("test_sequencer", &test_sequencer_, "HOST:PORT", "The sequencer to register with.");
  addresses_.DeclareControlPlane(flags);
  flags->Add("service_address", &identity_.service_address, "TARGET",
             "The gRPC target that the sequencer is told, as it stands, for example "
             "dns:///host:10000; before what --control_advertise says.");
  addresses_.DeclareDataPlane(flags);
  cpus_.Declare(flags);
  samples_.Declare(flags);
}

absl::Status NodeManagerMode::Accept(const std::vector<std::string>& words) {
  if (test_sequencer_.empty()) {
    return absl::InvalidArgumentError("--test_sequencer=HOST:PORT is required");
  }
  ASSIGN_OR_RETURN(sequencer_address_, ParseHostPortOrTarget(test_sequencer_));
  for (const std::string& word : words) RETURN_IF_ERROR(AcceptWord(word));
  RETURN_IF_ERROR(cpus_.Check());
  RETURN_IF_ERROR(samples_.Check());
  return addresses_.Check();
}

absl::Status NodeManagerMode::AcceptWord(const std::string& word) {
  if (const size_t equals = word.find('='); equals != std::string::npos && equals > 0) {
    identity_.attributes.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    return absl::OkStatus();
  }
  int id = 0;
  if (!absl::StartsWith(word, "node") || !absl::SimpleAtoi(word.substr(4), &id) || id < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected word ", Quoted(word), "; expected nodeN or NAME=VALUE"));
  }
  if (identity_.preassigned_id.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a second name, ", Quoted(word), ", after node", *identity_.preassigned_id));
  }
  identity_.preassigned_id = id;
  return absl::OkStatus();
}

absl::Status NodeManagerMode::Run(const std::vector<std::string>& command_line) {
  ASSIGN_OR_RETURN(const EventLoops loops, cpus_.Apply());  // first: threads inherit it
  ChooseGrpcPolling(GrpcPollingFor(1));
  TerminationSignal termination;
  const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry(loops);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<NodeHost> host,
      NodeHost::Create({.drivers = drivers.get(),
                        .loops = loops,
                        .test_sequencer = test_sequencer_,
                        .control_plane = addresses_.ControlPlane(sequencer_address_.host),
                        .data_plane = addresses_.DataPlane(sequencer_address_.host),
                        .samples = samples_.options(),
                        .command_line = command_line}));
  termination.OnSignal([&host] { host->Shutdown(); });
  const auto forget_host = absl::MakeCleanup([&termination] { termination.OnSignal(nullptr); });
  const absl::StatusOr<std::string> node = host->AddNode(std::move(identity_));
  if (termination.requested()) return absl::OkStatus();
  RETURN_IF_ERROR(node.status());
  std::cout << "node_manager: ready as " << *node << std::endl;
  host->Wait();
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<Mode> NewNodeManagerMode() { return std::make_unique<NodeManagerMode>(); }

}  // namespace distbench
