// draw: a picture of each test of a config, who sends what to whom. Runs nothing.
#include <iostream>

#include "distbench/base/status_macros.h"
#include "distbench/cli/checked_sequence.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/cli/flag_set.h"
#include "distbench/cli/modes.h"
#include "distbench/cli/sequence_input.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/export/traffic_graph.h"
#include "distbench/node/node_environment.h"

namespace distbench {

namespace {

class DrawMode final : public Mode {
 public:
  std::string name() const override { return "draw"; }
  std::string summary() const override { return "Draw who sends what to whom in a test."; }
  std::string details() const override {
    return "Prints a picture of each test in the DOT language of Graphviz; for example\n\n"
           "  distbench draw --infile=FILE | dot -Tsvg > FILE.svg\n\n"
           "Boxes are services with their instances, arrows RPCs with the sizes of request and\n"
           "response, their targets and how often they are sent.\n";
  }
  void DeclareFlags(FlagSet* flags) override { input_.DeclareFlags(flags); }
  absl::Status Run(const std::vector<std::string>&) override;

 private:
  SequenceInput input_;
};

absl::Status DrawMode::Run(const std::vector<std::string>&) {
  const std::unique_ptr<DriverRegistry> drivers = MakeDriverRegistry({.shards = 1});
  ASSIGN_OR_RETURN(const CheckedSequence checked,
                   ReadCheckedSequence(input_, KnownDriversOf(*drivers), std::cerr));
  for (size_t i = 0; i < checked.tests.size(); ++i) {
    std::cout << DrawTraffic(checked.canonical.tests(static_cast<int>(i)), *checked.tests[i].plan);
  }
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<Mode> NewDrawMode() { return std::make_unique<DrawMode>(); }

}  // namespace distbench
