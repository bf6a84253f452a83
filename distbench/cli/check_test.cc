// check_test: reads a config and says everything that is wrong with it. Runs nothing.
#include <iostream>

#include "distbench/base/status_macros.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/sequence_input.h"
#include "distbench/config/compiler.h"
#include "distbench/config/diagnostics.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/node/node_environment.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

namespace {

class CheckTestMode final : public Mode {
 public:
  std::string name() const override { return "check_test"; }
  std::string summary() const override { return "Check tests without running them."; }
  std::string details() const override {
    return "Prints the canonical form where it differs from what was given, warnings, and at the\n"
           "end \"Result: FILE parsed successfully.\" for each file.\n";
  }
  void DeclareFlags(FlagSet* flags) override { input_.DeclareFlags(flags); }
  absl::Status Run(const std::vector<std::string>&) override;

 private:
  SequenceInput input_;
};

void PrintWarnings(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == Diagnostic::Severity::kWarning) {
      std::cerr << "warning: " << diagnostic.ToString() << "\n";
    }
  }
}

absl::Status CheckTestMode::Run(const std::vector<std::string>&) {
  ASSIGN_OR_RETURN(const TestSequence given, input_.Read());
  const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry(/*shard_count=*/1);
  TestSequence canonical = given;
  Diagnostics diagnostics;
  CompileSequence(&canonical, KnownDriversOf(*drivers), &diagnostics);
  PrintWarnings(diagnostics);
  RETURN_IF_ERROR(diagnostics.ToStatus());
  if (!google::protobuf::util::MessageDifferencer::Equals(given, canonical)) {
    std::string text;
    google::protobuf::TextFormat::PrintToString(canonical, &text);
    std::cout << "# Canonical form:\n" << text;
  }
  for (const std::string& name : input_.file_names()) {
    std::cout << "Result: " << name << " parsed successfully.\n";
  }
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<Mode> NewCheckTestMode() { return std::make_unique<CheckTestMode>(); }

}  // namespace distbench
