// What recording one RPC costs on the hot path.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "distbench/results/histogram.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"

namespace distbench {
namespace {

constexpr size_t kTraffic = 1 << 12;  // a power of two
constexpr int64_t kGapNs = 1000;

// Ends of a steady load: a microsecond apart, measured successes of sizes that the config fixes;
// servers and latencies differ.
std::vector<RpcRecord> SteadyTraffic(const Plan& plan, bool open_loop) {
  std::vector<RpcRecord> records;
  for (const MadeUpRpc& rpc : MadeUpTraffic(plan, kTraffic, /*seed=*/1)) {
    RpcRecord record = rpc.record;
    const int64_t latency_ns = 100'000 + (record.end_ns - record.start_ns) % 900'000;
    record.warmup = false;
    record.open_loop = open_loop;
    record.end_ns = 1'000'000'000 + static_cast<int64_t>(records.size()) * kGapNs;
    record.start_ns = record.end_ns - latency_ns;
    record.intended_start_ns = record.start_ns - latency_ns / 10;
    record.latency_weight_ns = open_loop ? 0 : latency_ns + kGapNs;
    record.request_bytes = 16;
    record.response_bytes = 32;
    records.push_back(record);
  }
  return records;
}

// Goes round and round in `records`, time going on.
class Cycle {
 public:
  explicit Cycle(std::vector<RpcRecord> records) : records_(std::move(records)) {}

  const RpcRecord& Next() {
    RpcRecord& record = records_[i_++ % kTraffic];
    constexpr int64_t kRoundNs = kTraffic * kGapNs;
    record.intended_start_ns += kRoundNs;
    record.start_ns += kRoundNs;
    record.end_ns += kRoundNs;
    return record;
  }

 private:
  std::vector<RpcRecord> records_;
  size_t i_ = 0;
};

void RecordSuccess(benchmark::State& state, int64_t max_samples, bool open_loop) {
  const std::shared_ptr<const Plan> plan =
      MadeUpPlan({.servers = static_cast<size_t>(state.range(0)), .rpcs = {"get", "put"}});
  Cycle records(SteadyTraffic(*plan, open_loop));
  Recorder recorder({.plan = plan, .self = InstanceIndex(0), .max_samples = max_samples});
  recorder.StartRows(0);
  for (auto _ : state) recorder.RecordSuccess(records.Next());
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
  Cycle records(SteadyTraffic(*plan, false));
  Recorder recorder({.plan = plan, .self = InstanceIndex(0), .max_samples = kSamples});
  for (auto _ : state) {
    recorder.RecordFailure(records.Next(), "UNAVAILABLE: connection reset by peer");
  }
}
BENCHMARK(RecordFailure)->Iterations(kSamples);

void HistogramRecord(benchmark::State& state) {
  Cycle records(SteadyTraffic(*MadeUpPlan({}), false));
  HistogramPageSlab slab;
  LogLinearHistogram histogram(slab);
  for (auto _ : state) {
    const RpcRecord& record = records.Next();
    histogram.Record(record.end_ns - record.start_ns);
  }
}
BENCHMARK(HistogramRecord);

}  // namespace
}  // namespace distbench
