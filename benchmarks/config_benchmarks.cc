// Compiling a config and placing its instances, and how both grow.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/compile_config.h"
#include "benchmarks/cpu_time.h"
#include "benchmarks/groups.h"
#include "benchmarks/paired_run.h"
#include "benchmarks/statistics.h"
#include "distbench/base/status_macros.h"
#include "distbench/sequencer/placement.h"

namespace distbench {
namespace {

// n log n from 10 to 1000 things has an exponent of 1.24; a quarter more for noise.
constexpr double kGrowthLimit = 1.5;

// What a person who waits for a test does not notice.
constexpr double kConstrainedLimitMs = 1000;

// A chain of `services`: each sends an RPC to the next, with a list of three actions.
std::string ChainConfig(int services) {
  std::string text = "name: \"chain\" default_protocol: \"none\"\n";
  for (int i = 0; i < services; ++i) {
    absl::StrAppend(&text, "services { name: \"s", i, "\" count: 4 }\n");
  }
  for (int i = 0; i + 1 < services; ++i) {
    absl::StrAppend(&text, "rpc_descriptions { name: \"rpc", i, "\" client: \"s", i,
                    "\" server: \"s", i + 1, "\" }\n");
    absl::StrAppend(&text, "actions { name: \"call", i, "\" rpc_name: \"rpc", i, "\" }\n",
                    "actions { name: \"again", i, "\" rpc_name: \"rpc", i,
                    "\" dependencies: \"call", i, "\" }\n");
    const std::string list = i == 0 ? "s0" : absl::StrCat("rpc", i - 1);
    absl::StrAppend(&text, "action_lists { name: \"", list, "\" action_names: \"call", i,
                    "\" action_names: \"again", i, "\" }\n");
  }
  absl::StrAppend(&text, "action_lists { name: \"rpc", services - 2, "\" }\n");
  return text;
}

// CPU ms of `work`, which is repeated until it has taken a few milliseconds.
template <typename Work>
absl::StatusOr<double> CpuMs(Work work) {
  constexpr int64_t kEnoughNs = 20'000'000;
  const int64_t start_ns = ThreadCpuNs();
  int rounds = 0;
  do {
    RETURN_IF_ERROR(work());
    ++rounds;
  } while (ThreadCpuNs() - start_ns < kEnoughNs);
  return static_cast<double>(ThreadCpuNs() - start_ns) / 1e6 / rounds;
}

absl::StatusOr<double> ParseMs(const std::string& text) {
  return CpuMs([&] { return ParseConfig(text).status(); });
}

absl::StatusOr<double> CompileMs(const std::string& text) {
  ASSIGN_OR_RETURN(const DistributedSystemDescription config, ParseConfig(text));
  return CpuMs([&] { return CompileConfig(config).status(); });
}

Benchmark CompileBenchmark() {
  constexpr int kFew = 10;
  constexpr int kMany = 1000;
  return {.name = "config_compile",
          .summary =
              "compiling a chain of 1000 services with as many RPCs and lists; floor: parsing "
              "its text",
          .figures = {{.name = "CPU of 1000 services", .unit = "ms"},
                      {.name = "growth exponent, 10 to 1000 services",
                       .unit = "",
                       .comparison = Comparison::kValue,
                       .required = AtMost(kGrowthLimit)}},
          .run = [](const RunOptions& options) {
            const std::string few = ChainConfig(kFew);
            const std::string many = ChainConfig(kMany);
            return RunPairs(
                options.pairs,
                [&]() -> absl::StatusOr<SideValues> {
                  ASSIGN_OR_RETURN(const double ms, ParseMs(many));
                  return SideValues{ms, 0};
                },
                [&]() -> absl::StatusOr<SideValues> {
                  ASSIGN_OR_RETURN(const double few_ms, CompileMs(few));
                  ASSIGN_OR_RETURN(const double many_ms, CompileMs(many));
                  return SideValues{many_ms, GrowthExponent(kFew, few_ms, kMany, many_ms)};
                });
          }};
}

// Places `count` instances on as many nodes, half of them as bundles say.
absl::StatusOr<double> PlaceMs(int count) {
  std::string text = absl::StrCat(
      "name: \"place\" default_protocol: \"none\" services { name: \"s\" ", "count: ", count, " }");
  for (int i = 0; i < count; i += 2) {
    absl::StrAppend(&text, " node_service_bundles { key: \"node", i, "\" value { services: \"s/", i,
                    "\" } }");
  }
  absl::StrAppend(
      &text, " action_lists { name: \"s\" action_names: \"rest\" } actions { name: \"rest\" }");
  ASSIGN_OR_RETURN(const DistributedSystemDescription config, ParseConfig(text));
  ASSIGN_OR_RETURN(const std::shared_ptr<const Plan> plan, CompileConfig(config));
  PlacementNodes nodes;
  for (int i = 0; i < count; ++i) {
    nodes.usable.push_back({.alias = absl::StrCat("node", i), .attributes = {}});
  }
  return CpuMs([&] { return PlaceInstances(*plan, config, nodes).status(); });
}

// Places `count` instances on as many nodes, where instance i may take the first count - i nodes
// alone: half of the instances are in somebody's way at first, and who is where changes all over.
absl::StatusOr<double> PlaceConstrainedMs(int count) {
  std::string text = absl::StrCat(
      "name: \"place\" default_protocol: \"none\" services { name: \"s\" ", "count: ", count, " }");
  std::string names;
  PlacementNodes nodes;
  for (int i = 0; i < count; ++i) {
    const std::string alias = absl::StrCat("node", i);
    absl::StrAppend(&names, i == 0 ? "" : ", ", "\"", alias, "\"");
    absl::StrAppend(&text, " service_constraints { key: \"s/", count - 1 - i,
                    "\" value { constraint_sets { constraints { attribute_name: \"node_alias\" ",
                    "relation: EQUAL string_values: [", names, "] } } } }");
    PlacementNode node{.alias = alias, .attributes = {}};
    node.attributes.Set("node_alias", alias);
    nodes.usable.push_back(std::move(node));
  }
  absl::StrAppend(
      &text, " action_lists { name: \"s\" action_names: \"rest\" } actions { name: \"rest\" }");
  ASSIGN_OR_RETURN(const DistributedSystemDescription config, ParseConfig(text));
  ASSIGN_OR_RETURN(const std::shared_ptr<const Plan> plan, CompileConfig(config));
  return CpuMs([&] { return PlaceInstances(*plan, config, nodes).status(); });
}

Benchmark PlacementBenchmark() {
  return {
      .name = "placement",
      .summary =
          "placing 1000 instances on 1000 nodes, half of them where bundles say; and "
          "all by constraints that only one placement satisfies",
      .figures = {{.name = "CPU of 1000 instances", .unit = "ms", .comparison = Comparison::kValue},
                  {.name = "growth exponent, 10 to 1000 instances",
                   .unit = "",
                   .comparison = Comparison::kValue,
                   .required = AtMost(kGrowthLimit)},
                  {.name = "CPU of 1000 instances with constraints",
                   .unit = "ms",
                   .comparison = Comparison::kValue,
                   .required = AtMost(kConstrainedLimitMs)}},
      .run = [](const RunOptions& options) {
        return RunAlone(options.pairs, []() -> absl::StatusOr<SideValues> {
          ASSIGN_OR_RETURN(const double few_ms, PlaceMs(10));
          ASSIGN_OR_RETURN(const double many_ms, PlaceMs(1000));
          ASSIGN_OR_RETURN(const double constrained_ms, PlaceConstrainedMs(1000));
          return SideValues{many_ms, GrowthExponent(10, few_ms, 1000, many_ms), constrained_ms};
        });
      }};
}

}  // namespace

void AddConfigBenchmarks(Benchmarks* benchmarks) {
  benchmarks->push_back(CompileBenchmark());
  benchmarks->push_back(PlacementBenchmark());
}

}  // namespace distbench
