#include "distbench/results/recorded_samples.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "distbench/results/limited_samples.h"
#include "distbench/results/log_samples.h"
#include "distbench/results/recorder.h"
#include "distbench/results/sample_columns.h"
#include "distbench/results/shard_log.h"
#include "distbench/results/trace_path_proto.h"
#include "glog/logging.h"
#include "protos/result_record.pb.h"

namespace distbench {

class RecordedSamples::Reader {
 public:
  Reader(const std::vector<const Recorder*>& shards, const WallAnchor& anchor);

  bool Next(SampleBlock* block);
  const absl::Status& status() const { return status_; }

 private:
  // One run of the block that is being made: samples of a pair that failed or did not.
  struct Run {
    std::vector<SampleRow> rows;
    std::vector<RpcSample> traced;

    bool is_empty() const { return rows.empty() && traced.empty(); }
  };
  static size_t RunOf(const Sample& sample) {
    return size_t{sample.pair} * 2 + (sample.error == 0 ? 0 : 1);
  }

  void OpenShard();
  bool NextSample(Sample* sample, const TracePath** trace);
  SampleRow RowOf(const Sample& sample) const;
  size_t TakeRows();
  void WriteRun(size_t position, SampleBlock* block);

  const WallAnchor anchor_;
  std::vector<const ShardLog*> shards_;
  std::map<std::string, int32_t> error_indices_;  // as NumberErrors
  std::vector<KeptSample> kept_;                  // of lists with a limit, by shard
  size_t next_shard_ = 0;
  // Of the shard that is being read; it is the one before the next.
  std::unique_ptr<SampleLog::Reader> log_;
  std::vector<int32_t> shard_errors_;  // by number in its table
  size_t next_kept_ = 0;               // in kept_
  std::vector<Run> runs_;
  std::vector<size_t> filled_runs_;
  absl::Status status_;
};

RecordedSamples::Reader::Reader(const std::vector<const Recorder*>& shards,
                                const WallAnchor& anchor)
    : anchor_(anchor) {
  for (const Recorder* shard : shards) shards_.push_back(&shard->log());
  error_indices_ = NumberErrors(shards_);
  kept_ = KeptSamples(shards_);
  std::stable_sort(kept_.begin(), kept_.end(),
                   [](const KeptSample& a, const KeptSample& b) { return a.shard < b.shard; });
}

void RecordedSamples::Reader::OpenShard() {
  const ShardLog& shard = *shards_[next_shard_++];
  log_ = std::make_unique<SampleLog::Reader>(shard.samples);
  shard_errors_.clear();
  for (const std::string& text : shard.errors.texts()) {
    shard_errors_.push_back(error_indices_.at(text));
  }
  runs_.resize(std::max(runs_.size(), shard.pairs.size() * 2));
}

// `*trace` is null unless the RPC was traced.
bool RecordedSamples::Reader::NextSample(Sample* sample, const TracePath** trace) {
  if (log_->Next(sample)) {
    *trace = log_->trace().empty() ? nullptr : &log_->trace();
    return true;
  }
  if (next_kept_ == kept_.size() || kept_[next_kept_].shard != next_shard_ - 1) return false;
  *sample = kept_[next_kept_].sample;
  *trace = kept_[next_kept_].trace;
  ++next_kept_;
  return true;
}

SampleRow RecordedSamples::Reader::RowOf(const Sample& sample) const {
  return {.start_timestamp_ns = anchor_.ToWallNs(sample.start_ns),
          .latency_ns = sample.latency_ns,
          .latency_weight = sample.latency_weight_ns,
          .request_size = sample.request_bytes,
          .response_size = sample.response_bytes,
          .error_index = shard_errors_[sample.error],
          .warmup = sample.warmup};
}

// Returns how many, where a hop counts like a sample, as it takes about as many bytes; 0: the shard
// has no more.
size_t RecordedSamples::Reader::TakeRows() {
  size_t taken = 0;
  Sample sample;
  const TracePath* trace = nullptr;
  while (taken < kMaxBlockSamples && NextSample(&sample, &trace)) {
    ++taken;
    const size_t position = RunOf(sample);
    Run& run = runs_[position];
    if (run.is_empty()) filled_runs_.push_back(position);
    if (trace == nullptr) {
      run.rows.push_back(RowOf(sample));
      continue;
    }
    RpcSample& traced = run.traced.emplace_back();
    WriteSample(RowOf(sample), traced);
    WriteTracePath(*trace, *traced.mutable_trace_context());
    taken += trace->size();
  }
  status_.Update(log_->status());
  return taken;
}

bool RecordedSamples::Reader::Next(SampleBlock* block) {
  block->Clear();
  do {
    if (log_ == nullptr) {
      if (next_shard_ == shards_.size()) return false;
      OpenShard();
    }
    if (TakeRows() == 0) log_.reset();
  } while (filled_runs_.empty());
  const ShardLog& shard = *shards_[next_shard_ - 1];
  block->set_instance(shard.plan->instances[shard.self].name);
  std::sort(filled_runs_.begin(), filled_runs_.end());
  for (const size_t run : filled_runs_) WriteRun(run, block);
  filled_runs_.clear();
  return true;
}

void RecordedSamples::Reader::WriteRun(size_t position, SampleBlock* block) {
  const ShardLog& shard = *shards_[next_shard_ - 1];
  const PairLog& pair = shard.pairs[position / 2];
  Run& run = runs_[position];
  std::vector<SampleRow>& rows = run.rows;
  std::sort(rows.begin(), rows.end(), [](const SampleRow& a, const SampleRow& b) {
    return a.start_timestamp_ns < b.start_timestamp_ns;
  });
  SampleRun& message = *block->add_runs();
  message.set_peer(shard.plan->instances[pair.server].name);
  message.set_rpc_index(static_cast<int32_t>(pair.rpc.value()));
  if (position % 2 == 1) message.set_failed(true);
  if (shard.plan->rpcs[pair.rpc].channel) {
    const auto rank = static_cast<int32_t>(shard.plan->instances[pair.server].rank);
    message.set_server_instance(rank);
    for (RpcSample& traced : run.traced) traced.set_server_instance(rank);
  }
  WriteColumns(rows, message);
  rows.clear();
  for (RpcSample& traced : run.traced) message.add_whole_samples()->Swap(&traced);
  run.traced.clear();
}

RecordedSamples::RecordedSamples(const std::vector<const Recorder*>& shards,
                                 const WallAnchor& anchor)
    : reader_(std::make_unique<Reader>(shards, anchor)) {}

RecordedSamples::~RecordedSamples() = default;

bool RecordedSamples::Next(SampleBlock* block) { return reader_->Next(block); }

const absl::Status& RecordedSamples::status() const { return reader_->status(); }

void AddAllSamples(RecordedSamples& samples, ServicePerformanceLog& log) {
  SampleBlock block;
  while (samples.Next(&block)) {
    const absl::Status added = AddSamples(block, log);
    CHECK(added.ok()) << added;  // of our own making
  }
  CompleteSamples(log);
}

}  // namespace distbench
