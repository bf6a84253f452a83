// Configs that benchmarks make up, compiled.
#ifndef BENCHMARKS_COMPILE_CONFIG_H_
#define BENCHMARKS_COMPILE_CONFIG_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "distbench/config/plan.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

absl::StatusOr<DistributedSystemDescription> ParseConfig(const std::string& config_text);

// Accepts the protocols "none", "fake", "grpc" and "tcp". The error has all that is wrong.
absl::StatusOr<std::shared_ptr<const Plan>> CompileConfig(
    const DistributedSystemDescription& config);

}  // namespace distbench

#endif  // BENCHMARKS_COMPILE_CONFIG_H_
