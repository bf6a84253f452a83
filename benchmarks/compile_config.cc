#include "benchmarks/compile_config.h"

#include "distbench/base/status_macros.h"
#include "distbench/config/compiler.h"
#include "distbench/config/parser.h"

namespace distbench {

absl::StatusOr<DistributedSystemDescription> ParseConfig(const std::string& config_text) {
  ASSIGN_OR_RETURN(TestSequence sequence, ParseTestSequence("benchmark", config_text));
  if (sequence.tests_size() != 1) return absl::InvalidArgumentError("expected one test");
  return std::move(*sequence.mutable_tests(0));
}

absl::StatusOr<std::shared_ptr<const Plan>> CompileConfig(
    const DistributedSystemDescription& config) {
  Diagnostics diagnostics;
  std::shared_ptr<const Plan> plan =
      CompileTest(config, {.names = {"none", "fake", "grpc", "tcp"}}, &diagnostics);
  if (plan == nullptr) return diagnostics.ToStatus();
  return plan;
}

}  // namespace distbench
