#include "distbench/results/served_recorder.h"

#include <map>

#include "protos/distbench.pb.h"

namespace distbench {

ServedRecorder::ServedRecorder(size_t rpcs) : times_(rpcs) {}

void ServedRecorder::Record(const ServedRpc& served) {
  SpinLockHolder holder(&lock_);
  if (is_closed_) return;
  std::unique_ptr<ServedTimes>& times = times_[served.rpc];
  if (times == nullptr) [[unlikely]] {
    times = std::make_unique<ServedTimes>(slab_);
  }
  times->queue_time.Record(served.begin_ns - served.arrival_ns);
  times->handler_time.Record(served.end_ns - served.begin_ns);
}

void ServedRecorder::Close() {
  SpinLockHolder holder(&lock_);
  is_closed_ = true;
}

void WriteServedRpcs(const std::vector<const ServedRecorder*>& shards, ServicePerformanceLog& log) {
  HistogramPageSlab slab;
  std::map<size_t, ServedTimes> merged;  // by position of the RPC
  for (const ServedRecorder* shard : shards) {
    SpinLockHolder holder(&shard->lock_);
    for (size_t i = 0; i < shard->times_.size(); ++i) {
      const std::unique_ptr<ServedTimes>& times = shard->times_[RpcIndex(i)];
      if (times != nullptr) merged.try_emplace(i, slab).first->second.Merge(*times);
    }
  }
  for (const auto& [rpc, times] : merged) {
    WriteServedTimes(times, (*log.mutable_served_rpcs())[static_cast<int32_t>(rpc)]);
  }
}

}  // namespace distbench
