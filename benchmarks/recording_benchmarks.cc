// What recording an RPC costs, alone, and that what is recorded does not grow without end.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/allocation_counter.h"
#include "benchmarks/calibration.h"
#include "benchmarks/compile_config.h"
#include "benchmarks/cpu_time.h"
#include "benchmarks/groups.h"
#include "benchmarks/paired_run.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/histogram.h"
#include "distbench/results/recorder.h"
#include "distbench/results/sample_store.h"

namespace distbench {
namespace {

constexpr size_t kRecords = 1 << 14;  // a power of two

struct Traffic {
  std::shared_ptr<const Plan> plan;
  std::vector<RpcRecord> records;
};

// RPCs of a steady load: latencies from 100 us to 1.1 ms, all servers alike.
absl::StatusOr<Traffic> SteadyTraffic(size_t servers, bool open_loop) {
  ASSIGN_OR_RETURN(const auto config, ParseConfig(absl::StrCat(R"(
      name: "recording" default_protocol: "none"
      services { name: "client" count: 1 } services { name: "server" count: )",
                                                               servers, R"( }
      rpc_descriptions { name: "query" client: "client" server: "server" }
      action_lists { name: "client" action_names: "run" } action_lists { name: "query" }
      actions { name: "run" rpc_name: "query" })")));
  Traffic traffic;
  ASSIGN_OR_RETURN(traffic.plan, CompileConfig(config));
  uint64_t state = 1;
  for (size_t i = 0; i < kRecords; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto start_ns = static_cast<int64_t>(1'000'000'000 + i * 1000);
    traffic.records.push_back(
        {.rpc = RpcIndex(0),
         .server = InstanceIndex(1 + (state >> 40) % servers),
         .open_loop = open_loop,
         .intended_start_ns = start_ns - static_cast<int64_t>((state >> 20) % 50'000),
         .start_ns = start_ns,
         .end_ns = start_ns + 100'000 + static_cast<int64_t>((state >> 30) % 1'000'000),
         .request_bytes = 16,
         .response_bytes = 32,
         .latency_weight_ns = open_loop ? 0 : 1000});
  }
  return traffic;
}

// As in a test.
constexpr int64_t kSamples = 16 << 20;

// CPU ns per recorded RPC, with the memory that the test before has left.
double RecordingNs(const Traffic& traffic, double seconds, int64_t max_samples,
                   SampleStore* store) {
  Recorder recorder({.plan = traffic.plan,
                     .self = InstanceIndex(0),
                     .max_samples = max_samples,
                     .sample_store = store});
  for (const RpcRecord& record : traffic.records) recorder.RecordSuccess(record);
  const int64_t start_ns = ThreadCpuNs();
  int64_t spent_ns = 0;
  int64_t rounds = 0;
  // The log of samples is full after 1000 rounds; what is recorded then costs less.
  do {
    for (const RpcRecord& record : traffic.records) recorder.RecordSuccess(record);
    ++rounds;
    spent_ns = ThreadCpuNs() - start_ns;
  } while (static_cast<double>(spent_ns) < seconds * 1e9 && rounds < 1000);
  return static_cast<double>(spent_ns) / (static_cast<double>(rounds) * kRecords);
}

struct RecordingCase {
  std::string name;
  size_t servers = 1;
  bool open_loop = false;
};

Benchmark RecordingCost() {
  const std::vector<RecordingCase> cases = {
      {.name = "closed loop, 1 server", .servers = 1, .open_loop = false},
      {.name = "open loop, 1 server", .servers = 1, .open_loop = true},
      {.name = "closed loop, 100 servers", .servers = 100, .open_loop = false}};
  Benchmark benchmark = {.name = "recording",
                         .summary =
                             "the recorder alone: counters, histograms and samples; CPU per "
                             "RPC; floor: the calibration loop"};
  for (const RecordingCase& one : cases) {
    benchmark.figures.push_back(
        {.name = one.name, .unit = "ns", .comparison = Comparison::kValue, .required = AtMost(25)});
  }
  benchmark.figures.push_back({.name = "closed loop without samples, in calibration units",
                               .unit = "ns",
                               .comparison = Comparison::kRatio,
                               .smoke = AtMost(0.3)});
  benchmark.run = [cases](const RunOptions& options) -> absl::StatusOr<Measurements> {
    std::vector<Traffic> traffic;
    for (const RecordingCase& one : cases) {
      ASSIGN_OR_RETURN(traffic.emplace_back(), SteadyTraffic(one.servers, one.open_loop));
    }
    SampleStore store;
    for (const Traffic& one : traffic) {
      RecordingNs(one, options.seconds / 4, kSamples, &store);  // touches it
    }
    const auto ours = [&]() -> absl::StatusOr<SideValues> {
      SideValues values;
      for (const Traffic& one : traffic) {
        values.push_back(RecordingNs(one, options.seconds / 4, kSamples, &store));
      }
      values.push_back(
          RecordingNs(traffic.front(), options.seconds / 4, /*max_samples=*/0, &store));
      return values;
    };
    const auto floor = [&]() -> absl::StatusOr<SideValues> {
      return SideValues(cases.size() + 1, CalibrationUnitNs(options.seconds / 4));
    };
    return RunPairs(options.pairs, floor, ours);
  };
  return benchmark;
}

// Bytes by which a histogram has grown between its millionth and its billionth value, and CPU ns
// per value.
SideValues FillHistogram() {
  constexpr int64_t kBefore = 1'000'000;
  constexpr int64_t kAll = 1'000'000'000;
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  uint64_t state = 1;
  const auto record = [&](int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      histogram.Record(static_cast<int64_t>(100'000 + (state >> 33) % 100'000'000));
    }
  };
  record(kBefore);
  const int64_t bytes_before = BytesInUse();
  const int64_t start_ns = ThreadCpuNs();
  record(kAll - kBefore);
  const int64_t spent_ns = ThreadCpuNs() - start_ns;
  return {static_cast<double>(BytesInUse() - bytes_before),
          static_cast<double>(spent_ns) / static_cast<double>(kAll - kBefore)};
}

Benchmark BillionValues() {
  return {.name = "histogram_billion",
          .summary = "10^9 values of 100 us to 100 ms in one histogram",
          .figures = {{.name = "growth after the first 10^6",
                       .unit = "bytes",
                       .comparison = Comparison::kValue,
                       .required = AtMost(0)},
                      {.name = "CPU per value", .unit = "ns", .comparison = Comparison::kValue}},
          .run = [](const RunOptions&) {
            // Memory is the same each time.
            return RunAlone(1, []() -> absl::StatusOr<SideValues> { return FillHistogram(); });
          }};
}

}  // namespace

void AddRecordingBenchmarks(Benchmarks* benchmarks) {
  benchmarks->push_back(RecordingCost());
  benchmarks->push_back(BillionValues());
}

}  // namespace distbench
