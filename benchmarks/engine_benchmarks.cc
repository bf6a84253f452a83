// What the engine itself costs an RPC, on a driver that costs nothing.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/allocation_counter.h"
#include "benchmarks/calibration.h"
#include "benchmarks/cpu_time.h"
#include "benchmarks/engine_alone.h"
#include "benchmarks/groups.h"
#include "benchmarks/paired_run.h"
#include "benchmarks/quantiles.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

constexpr int64_t kOpenLoopStartsPerSecond = 200'000;

// Of a run, the first part is warmup.
constexpr double kWarmupShare = 0.2;

// A closed loop of 100 RPCs in flight that goes on for `seconds` after its warmup.
std::string ClosedLoop(double seconds) {
  return OneClientOneServer(
      absl::StrCat("max_parallel_iterations: 100 max_duration_us_64: ",
                   static_cast<int64_t>(seconds * (1 + kWarmupShare) * 1e6),
                   " warmup_ns: ", static_cast<int64_t>(seconds * kWarmupShare * 1e9)));
}

int64_t Window(const OutcomeStatistics& outcome) {
  return outcome.last_end_timestamp_ns() - outcome.first_start_timestamp_ns();
}

double PerSecond(const OutcomeStatistics& outcome) {
  return static_cast<double>(outcome.count()) * 1e9 / static_cast<double>(Window(outcome));
}

// CPU ns per RPC, RPCs per second, CPU ns per RPC.
absl::StatusOr<SideValues> MeasureCost(const std::string& config_text) {
  ASSIGN_OR_RETURN(auto engine, EngineAlone::Make({.config_text = config_text}));
  const int64_t cpu_start_ns = ProcessCpuNs();
  engine->Start();
  RETURN_IF_ERROR(engine->AwaitEnd());
  const double cpu_ns = static_cast<double>(ProcessCpuNs() - cpu_start_ns);
  const RpcStatistics statistics = engine->Statistics();
  const int64_t rpcs = statistics.measured_success().count() + statistics.warmup_success().count();
  if (statistics.measured_success().count() == 0) return absl::InternalError("no RPC succeeded");
  const double cpu_ns_per_rpc = cpu_ns / static_cast<double>(rpcs);
  return SideValues{cpu_ns_per_rpc, PerSecond(statistics.measured_success()), cpu_ns_per_rpc};
}

Benchmark EngineCost() {
  return {.name = "engine",
          .summary =
              "the engine, recording, on a driver that completes at once; one shard, 100 in "
              "flight; floor: the calibration loop",
          .figures = {{.name = "CPU per RPC",
                       .unit = "ns",
                       .comparison = Comparison::kValue,
                       .required = AtMost(300)},
                      {.name = "RPCs on one shard",
                       .unit = "1/s",
                       .comparison = Comparison::kValue,
                       .required = AtLeast(3e6)},
                      {.name = "CPU per RPC, in calibration units",
                       .unit = "ns",
                       .comparison = Comparison::kRatio,
                       .smoke = AtMost(3)}},
          .run = [](const RunOptions& options) {
            return RunPairs(
                options.pairs,
                [&]() -> absl::StatusOr<SideValues> {
                  const double unit_ns = CalibrationUnitNs(options.seconds / 4);
                  return SideValues{unit_ns, unit_ns, unit_ns};
                },
                [&] { return MeasureCost(ClosedLoop(options.seconds)); });
          }};
}

// The same loop in a test that has much of what a config can say, in lists that never run.
std::string ClosedLoopInRichTest(double seconds) {
  std::string text = ClosedLoop(seconds);
  absl::StrAppend(&text, R"(
      services { name: "grid" count: 8 x_size: 4 y_size: 2 }
      rpc_descriptions { name: "spread" client: "client" server: "grid" tracing_interval: 2
                         fanout_filter: "stochastic{0.5:1,0.5:3}" }
      rpc_descriptions { name: "drawn" client: "client" server: "server"
                         distribution_config_name: "pairs" }
      action_lists { name: "spread" }
      action_lists { name: "drawn" }
      action_lists { name: "all" action_names: "spread" action_names: "drawn" action_names: "work"
                     action_names: "replay" predicate_probabilities { key: "p" value: 0.5 }
                     max_rpc_samples: 5 }
      action_lists { name: "never" action_names: "run_all" }
      actions { name: "run_all" action_list_name: "all" }
      actions { name: "spread" rpc_name: "spread" predicates: "p" }
      actions { name: "drawn" rpc_name: "drawn" predicates: "!p" delay_distribution_name: "pause" }
      actions { name: "work" activity_config_name: "work" }
      actions { name: "replay" rpc_replay_trace_name: "trace" }
      activity_configs { name: "work"
        activity_settings { name: "activity_func" string_value: "ConsumeCpu" } }
      delay_distribution_configs { name: "pause" field_names: "action_delay_ns"
                                   cdf_points { cdf: 0 value: 1 } cdf_points { cdf: 1 value: 9 } }
      distribution_config { name: "pairs" field_names: "request_payload_size"
        field_names: "response_payload_size"
        pmf_points { pmf: 1 data_points { exact: 10 } data_points { exact: 20 } } }
      rpc_replay_traces { name: "trace" client: "client" server: "server"
        records { server_instance: 0 request_size: 9 response_size: 9 } })");
  return text;
}

Benchmark EngineInRichTest() {
  return {.name = "engine_rich_test",
          .summary =
              "the same closed loop, alone and in a test with grids, drawn fanouts, sizes and "
              "delays, predicates, tracing, activities and replay in other lists",
          .figures = {{.name = "CPU per RPC", .unit = "ns", .required = AtMost(1.02)}},
          .run = [](const RunOptions& options) {
            return RunPairs(
                options.pairs,
                [&]() -> absl::StatusOr<SideValues> {
                  ASSIGN_OR_RETURN(const SideValues alone,
                                   MeasureCost(ClosedLoop(options.seconds)));
                  return SideValues{alone[0]};
                },
                [&]() -> absl::StatusOr<SideValues> {
                  ASSIGN_OR_RETURN(const SideValues rich,
                                   MeasureCost(ClosedLoopInRichTest(options.seconds)));
                  return SideValues{rich[0]};
                });
          }};
}

// Allocations per RPC between the warmup and the last tenth of a run.
absl::StatusOr<double> AllocationsPerRpc(double seconds, int64_t max_samples) {
  ASSIGN_OR_RETURN(auto engine, EngineAlone::Make({.config_text = ClosedLoop(seconds),
                                                   .max_samples = max_samples}));
  engine->Start();
  absl::SleepFor(absl::Seconds(seconds * kWarmupShare));
  int64_t allocations = 0;
  {
    const AllocationCount counter;
    absl::SleepFor(absl::Seconds(seconds * 0.9));
    allocations = counter.count();
  }
  RETURN_IF_ERROR(engine->AwaitEnd());
  const RpcStatistics statistics = engine->Statistics();
  const double rpcs = 0.9 * static_cast<double>(statistics.measured_success().count());
  if (rpcs == 0) return absl::InternalError("no RPC succeeded");
  return static_cast<double>(allocations) / rpcs;
}

Benchmark EngineAllocations() {
  // So few samples that the log is full before the warmup is over.
  constexpr int64_t kFewSamples = 1000;
  constexpr int64_t kAllSamples = int64_t{1} << 30;
  return {.name = "engine_allocations",
          .summary =
              "allocations of the whole process in steady state, on a driver that completes "
              "at once",
          .figures = {{.name = "allocations per RPC",
                       .unit = "",
                       .comparison = Comparison::kValue,
                       // A histogram takes a page when it first sees a magnitude, however late.
                       .required = AtMost(1e-5),
                       .smoke = AtMost(1e-5)},
                      {.name = "allocations per RPC, a sample of each kept",
                       .unit = "",
                       .comparison = Comparison::kValue,
                       .required = AtMost(0.001),
                       .smoke = AtMost(0.001)}},
          .run = [](const RunOptions& options) {
            return RunAlone(options.pairs, [&]() -> absl::StatusOr<SideValues> {
              ASSIGN_OR_RETURN(const double without,
                               AllocationsPerRpc(options.seconds, kFewSamples));
              ASSIGN_OR_RETURN(const double with, AllocationsPerRpc(options.seconds, kAllSamples));
              return SideValues{without, with};
            });
          }};
}

// Starts achieved per second, lateness p50 and p99 in us.
absl::StatusOr<SideValues> MeasureOpenLoop(double seconds) {
  ASSIGN_OR_RETURN(
      auto engine,
      EngineAlone::Make({.config_text = OneClientOneServer(absl::StrCat(
                             "open_loop_interval_ns: ", 1'000'000'000 / kOpenLoopStartsPerSecond,
                             " max_duration_us_64: ", static_cast<int64_t>(seconds * 1e6)))}));
  engine->Start();
  RETURN_IF_ERROR(engine->AwaitEnd());
  const OutcomeStatistics outcome = engine->Statistics().measured_success();
  ASSIGN_OR_RETURN(const std::vector<double> lateness_ns,
                   Quantiles(outcome.lateness_ns(), {kMedianPpm, kP99Ppm}));
  return SideValues{PerSecond(outcome), lateness_ns[0] / 1000, lateness_ns[1] / 1000};
}

Benchmark OpenLoopRate() {
  return {.name = "open_loop_200k",
          .summary =
              "an open loop of 200 000 starts a second on a driver that completes at once; "
              "floor: what was offered",
          .figures = {{.name = "starts", .unit = "1/s", .required = AtLeast(0.999)},
                      {.name = "lateness p50", .unit = "us", .comparison = Comparison::kValue},
                      {.name = "lateness p99", .unit = "us", .comparison = Comparison::kValue}},
          .run = [](const RunOptions& options) {
            return RunPairs(
                options.pairs,
                [&]() -> absl::StatusOr<SideValues> {
                  return SideValues{static_cast<double>(kOpenLoopStartsPerSecond), 0, 0};
                },
                [&] { return MeasureOpenLoop(options.seconds); });
          }};
}

}  // namespace

void AddEngineBenchmarks(Benchmarks* benchmarks) {
  benchmarks->push_back(EngineCost());
  benchmarks->push_back(EngineInRichTest());
  benchmarks->push_back(EngineAllocations());
  benchmarks->push_back(OpenLoopRate());
}

}  // namespace distbench
