#include "distbench/config/compiler.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/canonical.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/reporter.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// What says which test a diagnostic is of: its name, or its position where the name does not.
struct TestLabel {
  std::string name;
  std::string path_prefix;
};

std::shared_ptr<const Plan> CompileCanonical(const DistributedSystemDescription& config,
                                             const KnownDrivers& drivers, Reporter& report) {
  auto plan = std::make_shared<Plan>();
  plan->test_name = config.name();
  CompileContext context(config, drivers, report, *plan);
  CompileSettings(context);
  CompileVerdictLimits(context);
  CompileServices(context);
  CheckServiceBundles(context);
  CompileConstraints(context);
  CompileChannels(context);
  CompileDriverOptions(context);
  CompileDistributions(context);
  CompileActivities(context);
  CompileRpcs(context);
  CompileReplayTraces(context);
  CompileActionLists(context);
  CompileRpcForms(context);
  CheckListRecursion(context);
  CompileSenders(context);
  CheckChannelDrivers(context);
  WarnOfUnused(context);
  return plan;
}

// In place, with diagnostics of its own, as earlier tests' errors must not make this one fail.
std::shared_ptr<const Plan> CompileInPlace(DistributedSystemDescription& config,
                                           const KnownDrivers& drivers, const TestLabel& label,
                                           Diagnostics& diagnostics) {
  Diagnostics own;
  Reporter report(label.name, label.path_prefix, own);
  CanonicalizeTest(config, report);
  std::shared_ptr<const Plan> plan = CompileCanonical(config, drivers, report);
  diagnostics.Append(own);
  return own.has_errors() ? nullptr : plan;
}

absl::flat_hash_map<std::string, int> CountNames(const TestSequence& sequence) {
  absl::flat_hash_map<std::string, int> counts;
  for (const auto& test : sequence.tests()) ++counts[test.name()];
  return counts;
}

}  // namespace

std::shared_ptr<const Plan> CompileTest(const DistributedSystemDescription& config,
                                        const KnownDrivers& drivers, Diagnostics* diagnostics) {
  DistributedSystemDescription canonical = config;
  return CompileInPlace(canonical, drivers, {.name = config.name(), .path_prefix = ""},
                        *diagnostics);
}

std::vector<CompiledTest> CompileSequence(TestSequence* sequence, const KnownDrivers& drivers,
                                          Diagnostics* diagnostics) {
  const absl::flat_hash_map<std::string, int> name_counts = CountNames(*sequence);
  std::vector<CompiledTest> tests;
  for (int i = 0; i < sequence->tests_size(); ++i) {
    DistributedSystemDescription& test = *sequence->mutable_tests(i);
    const bool is_unique = !test.name().empty() && name_counts.at(test.name()) == 1;
    const TestLabel label = {.name = test.name(),
                             .path_prefix = is_unique ? "" : ElementPath("tests", i, "")};
    if (!is_unique && !test.name().empty()) {
      diagnostics->Warning(test.name(), absl::StrCat(label.path_prefix, "name"),
                           "several tests have this name; reports will not tell them apart");
    }
    tests.push_back({.plan = CompileInPlace(test, drivers, label, *diagnostics)});
  }
  return tests;
}

}  // namespace distbench
