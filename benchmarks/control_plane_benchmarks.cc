// What it takes to place, configure, introduce, start and collect a test on a thousand nodes.
//
// All nodes are in this process, so that its CPU time is the work of everybody; a wall time
// includes the second or more by which the agreed start lies ahead.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/cpu_time.h"
#include "benchmarks/descriptor_peak.h"
#include "benchmarks/groups.h"
#include "benchmarks/local_nodes.h"
#include "benchmarks/paired_run.h"
#include "benchmarks/sequence_client.h"
#include "benchmarks/statistics.h"
#include "distbench/base/status_macros.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr size_t kMaxTests = 5;  // of a benchmark, however many pairs are asked for

// n log n has the exponent 1.30 from 10 to 100 and 1.18 from 100 to 1000.
constexpr double kGrowthLimit = 1.3;

struct TestShape {
  std::string protocol;
  int clique = 0;  // instances that send one RPC to each other
  int idle = 0;    // instances with nothing to do
};

std::string ConfigText(const TestShape& shape) {
  std::string text = absl::StrCat("name: \"nodes\" default_protocol: \"", shape.protocol,
                                  "\" attributes { key: \"test_timeout\" value: \"300\" }\n");
  if (shape.clique > 0) {
    absl::StrAppend(&text, "services { name: \"clique\" count: ", shape.clique, " }\n", R"(
        rpc_descriptions { name: "query" client: "clique" server: "clique" }
        action_lists { name: "clique" action_names: "ask" }
        action_lists { name: "query" }
        actions { name: "ask" rpc_name: "query" })");
  }
  if (shape.idle > 0) {
    absl::StrAppend(&text, "services { name: \"idle\" count: ", shape.idle, " }\n", R"(
        action_lists { name: "idle" action_names: "rest" }
        actions { name: "rest" })");
  }
  return text;
}

struct TestCost {
  double wall_s = 0;
  double cpu_s = 0;
};

absl::Status CheckRpcs(const TestShape& shape, const TestResult& result) {
  int64_t rpcs = 0;
  for (const auto& [name, log] : result.service_logs().instance_logs()) {
    for (const auto& [rpc, statistics] : log.rpc_statistics()) {
      rpcs += statistics.measured_success().count();
    }
  }
  const int64_t expected = int64_t{shape.clique} * (shape.clique - 1);
  if (shape.clique == 0 || rpcs == expected) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(rpcs, " RPCs instead of ", expected));
}

absl::StatusOr<TestCost> RunTest(const LocalNodes& nodes, const TestShape& shape) {
  const SequenceClient client(nodes.address());
  const absl::Time start = absl::Now();
  const int64_t cpu_start_ns = ProcessCpuNs();
  ASSIGN_OR_RETURN(const TestResult result, client.Run(ConfigText(shape)));
  const TestCost cost = {.wall_s = absl::ToDoubleSeconds(absl::Now() - start),
                         .cpu_s = static_cast<double>(ProcessCpuNs() - cpu_start_ns) / 1e9};
  RETURN_IF_ERROR(CheckRpcs(shape, result));
  return cost;
}

struct TestCase {
  std::string name;
  std::string summary;
  size_t nodes = 0;
  TestShape shape;
};

Benchmark OneTest(const TestCase& test) {
  return {
      .name = test.name,
      .summary = test.summary,
      .figures = {{.name = "from request to answer",
                   .unit = "s",
                   .comparison = Comparison::kValue,
                   .required = AtMost(10)},
                  {.name = "CPU of everybody", .unit = "s", .comparison = Comparison::kValue},
                  {.name = "open descriptors, at most",
                   .unit = "",
                   .comparison = Comparison::kValue}},
      .run = [test](const RunOptions& options) -> absl::StatusOr<Measurements> {
        ASSIGN_OR_RETURN(const auto nodes, LocalNodes::Start(test.nodes));
        return RunAlone(std::min(options.pairs, kMaxTests), [&]() -> absl::StatusOr<SideValues> {
          const DescriptorPeak descriptors;
          ASSIGN_OR_RETURN(const TestCost cost, RunTest(*nodes, test.shape));
          return SideValues{cost.wall_s, cost.cpu_s, static_cast<double>(descriptors.peak())};
        });
      }};
}

// The growth of CPU time with the number of nodes, each with one instance.
Benchmark Growth() {
  const std::vector<int> sizes = {10, 100, 1000};
  return {.name = "control_plane_growth",
          .summary = "CPU of a whole test on 10, 100 and 1000 nodes, one idle instance each",
          .figures = {{.name = "growth exponent, 10 to 100 nodes",
                       .unit = "",
                       .comparison = Comparison::kValue,
                       .required = AtMost(kGrowthLimit)},
                      {.name = "growth exponent, 100 to 1000 nodes",
                       .unit = "",
                       .comparison = Comparison::kValue,
                       .required = AtMost(kGrowthLimit)},
                      {.name = "CPU on 1000 nodes", .unit = "s", .comparison = Comparison::kValue},
                      {.name = "from request to answer on 1000 nodes",
                       .unit = "s",
                       .comparison = Comparison::kValue}},
          .run = [sizes](const RunOptions& options) -> absl::StatusOr<Measurements> {
            std::map<int, std::unique_ptr<LocalNodes>> clusters;
            for (const int size : sizes) {
              ASSIGN_OR_RETURN(clusters[size], LocalNodes::Start(static_cast<size_t>(size)));
            }
            return RunAlone(
                std::min(options.pairs, kMaxTests), [&]() -> absl::StatusOr<SideValues> {
                  std::vector<TestCost> costs;
                  for (const int size : sizes) {
                    ASSIGN_OR_RETURN(costs.emplace_back(),
                                     RunTest(*clusters[size], {.protocol = "fake", .idle = size}));
                  }
                  return SideValues{GrowthExponent(10, costs[0].cpu_s, 100, costs[1].cpu_s),
                                    GrowthExponent(100, costs[1].cpu_s, 1000, costs[2].cpu_s),
                                    costs[2].cpu_s, costs[2].wall_s};
                });
          }};
}

}  // namespace

void AddControlPlaneBenchmarks(Benchmarks* benchmarks) {
  benchmarks->push_back(OneTest(
      {.name = "control_plane_1000",
       .summary = "a test on 1000 nodes, one instance each; 100 of them send one RPC to each "
                  "other over the fake driver",
       .nodes = 1000,
       .shape = {.protocol = "fake", .clique = 100, .idle = 900}}));
  benchmarks->push_back(
      OneTest({.name = "control_plane_grpc_clique_50",
               .summary = "a test on 50 nodes, which send one RPC to each other over gRPC",
               .nodes = 50,
               .shape = {.protocol = "grpc", .clique = 50}}));
  benchmarks->push_back(Growth());
}

}  // namespace distbench
