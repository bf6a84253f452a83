// check_test: reads a config and says everything that is wrong with it. Runs nothing.
#include <iostream>

#include "distbench/base/status_macros.h"
#include "distbench/cli/checked_sequence.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/sequence_input.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/node/node_environment.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"

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

absl::Status CheckTestMode::Run(const std::vector<std::string>&) {
  const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry({.shards = 1});
  ASSIGN_OR_RETURN(const CheckedSequence checked,
                   ReadCheckedSequence(input_, KnownDriversOf(*drivers), std::cerr));
  if (!google::protobuf::util::MessageDifferencer::Equals(checked.given, checked.canonical)) {
    std::string text;
    google::protobuf::TextFormat::PrintToString(checked.canonical, &text);
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
