// What recording one RPC costs on the hot path.

#include <cstdint>
#include <memory>
#include <vector>

#include "benchmark/benchmark.h"
#include "distbench/results/histogram.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"

namespace distbench {
namespace {

constexpr size_t kTraffic = 1 << 16;  // a power of two

// All of one kind, as a steady load is; servers, times and sizes differ.
std::vector<RpcRecord> SteadyTraffic(const Plan& plan, bool open_loop) {
  std::vector<RpcRecord> records;
  for (const MadeUpRpc& rpc : MadeUpTraffic(plan, kTraffic, /*seed=*/1)) {
    RpcRecord record = rpc.record;
    record.warmup = false;
    record.open_loop = open_loop;
    record.end_ns = record.start_ns + 100'000 + (record.end_ns - record.start_ns) % 900'000;
    records.push_back(record);
  }
  return records;
}

void RecordSuccess(benchmark::State& state, int64_t max_samples, bool open_loop) {
  const std::shared_ptr<const Plan> plan =
      MadeUpPlan({.servers = static_cast<size_t>(state.range(0)), .rpcs = {"get", "put"}});
  const std::vector<RpcRecord> records = SteadyTraffic(*plan, open_loop);
  Recorder recorder({.plan = plan, .self = InstanceIndex(0), .max_samples = max_samples});
  size_t i = 0;
  for (auto _ : state) recorder.RecordSuccess(records[i++ % kTraffic]);
}

// The log takes as many samples as there are iterations.
constexpr int64_t kSamples = 8 << 20;
BENCHMARK_CAPTURE(RecordSuccess, closed_loop, kSamples, false)
    ->Arg(1)
    ->Arg(1000)
    ->Iterations(kSamples);
BENCHMARK_CAPTURE(RecordSuccess, open_loop, kSamples, true)
    ->Arg(1)
    ->Arg(1000)
    ->Iterations(kSamples);
BENCHMARK_CAPTURE(RecordSuccess, without_samples, 0, false)->Arg(1)->Arg(1000);

void RecordFailure(benchmark::State& state) {
  const std::shared_ptr<const Plan> plan = MadeUpPlan({});
  const std::vector<RpcRecord> records = SteadyTraffic(*plan, false);
  Recorder recorder({.plan = plan, .self = InstanceIndex(0), .max_samples = kSamples});
  size_t i = 0;
  for (auto _ : state) {
    RpcRecord record = records[i++ % kTraffic];
    record.rpc = RpcIndex(0);
    recorder.RecordFailure(record, "UNAVAILABLE: connection reset by peer");
  }
}
BENCHMARK(RecordFailure)->Iterations(kSamples);

void HistogramRecord(benchmark::State& state) {
  const std::vector<RpcRecord> records = SteadyTraffic(*MadeUpPlan({}), false);
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  size_t i = 0;
  for (auto _ : state) {
    const RpcRecord& record = records[i++ % kTraffic];
    histogram.Record(record.end_ns - record.start_ns);
  }
}
BENCHMARK(HistogramRecord);

}  // namespace
}  // namespace distbench
