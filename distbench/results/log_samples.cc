#include "distbench/results/log_samples.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/natural_order.h"
#include "distbench/results/rpc_totals.h"
#include "distbench/results/sample_columns.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

using SampleMessages = google::protobuf::RepeatedPtrField<RpcSample>;

constexpr size_t kPartBytes = size_t{1} << 20;

// Null if the log does not know such RPCs.
RpcPerformanceLog* Find(const SampleRun& run, ServicePerformanceLog& log) {
  const auto peer = log.mutable_peer_logs()->find(run.peer());
  if (peer == log.mutable_peer_logs()->end()) return nullptr;
  const auto rpc = peer->second.mutable_rpc_logs()->find(run.rpc_index());
  return rpc == peer->second.mutable_rpc_logs()->end() ? nullptr : &rpc->second;
}

absl::Status CheckBlock(const SampleBlock& block,
                        absl::FunctionRef<bool(const SampleRun&)> is_known) {
  for (int i = 0; i < block.runs_size(); ++i) {
    const SampleRun& run = block.runs(i);
    absl::Status sound = CheckRun(run);
    if (sound.ok() && !is_known(run)) {
      sound = absl::InvalidArgumentError(absl::StrCat("the log of ", block.instance(),
                                                      " has no RPC of index ", run.rpc_index(),
                                                      " to ", run.peer()));
    }
    if (!sound.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("samples.runs[", i, "]: ", sound.message()));
    }
  }
  const int64_t samples = SampleCount(block);
  if (samples <= kMaxBlockSamples) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("samples has ", samples, " of them; expected at most ", kMaxBlockSamples));
}

auto Key(const RpcSample& sample) {
  return std::tuple(sample.start_timestamp_ns(), sample.latency_ns(), sample.latency_weight(),
                    sample.request_size(), sample.response_size(), sample.warmup(),
                    sample.error_index());
}

// Of traced RPCs that are alike in all else, the way there decides.
bool IsBefore(const RpcSample& a, const RpcSample& b) {
  const auto key = Key(a);
  const auto other_key = Key(b);
  if (key != other_key) return key < other_key;
  if (!a.has_trace_context() && !b.has_trace_context()) return false;
  return a.trace_context().SerializeAsString() < b.trace_context().SerializeAsString();
}

void Sort(SampleMessages& samples) {
  std::stable_sort(samples.pointer_begin(), samples.pointer_end(),
                   [](const RpcSample* a, const RpcSample* b) { return IsBefore(*a, *b); });
}

int64_t FinishedRpcs(const RpcStatistics& statistics) {
  int64_t finished = 0;
  for (const OutcomeStatistics* outcome :
       {&statistics.measured_success(), &statistics.measured_failure(),
        &statistics.warmup_success(), &statistics.warmup_failure()}) {
    AddSaturating(std::max<int64_t>(outcome->count(), 0), finished);
  }
  return finished;
}

void SetLeftOut(int64_t samples, RpcStatistics& statistics) {
  if (samples > 0) {
    statistics.set_samples_left_out(samples);
  } else {
    statistics.clear_samples_left_out();
  }
}

// Of logs whose statistics cover all RPCs.
void CountLeftOut(ServicePerformanceLog& log) {
  std::map<int32_t, int64_t> left_out;  // by RPC
  for (auto& [peer, peer_log] : *log.mutable_peer_logs()) {
    for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) {
      if (!rpc_log.has_statistics()) continue;
      const int64_t samples =
          int64_t{rpc_log.successful_rpc_samples_size()} + rpc_log.failed_rpc_samples_size();
      const int64_t missing = FinishedRpcs(rpc_log.statistics()) - samples;
      SetLeftOut(missing, *rpc_log.mutable_statistics());
      AddSaturating(std::max<int64_t>(missing, 0), left_out[rpc]);
    }
  }
  for (auto& [rpc, statistics] : *log.mutable_rpc_statistics()) {
    SetLeftOut(left_out[rpc], statistics);
  }
}

// Where the samples of replayed RPCs are all there will be.
void CountReplaysLeftOut(ServicePerformanceLog& log) {
  std::map<std::string, int64_t> samples;  // by trace
  for (const RpcReplayTraceLog& run : log.replay_trace_logs()) {
    samples[run.rpc_replay_trace_name()] += run.rpc_samples_size();
  }
  for (ReplayStatistics& replay : *log.mutable_replays()) {
    RpcStatistics& statistics = *replay.mutable_statistics();
    SetLeftOut(FinishedRpcs(statistics) - samples[replay.rpc_replay_trace_name()], statistics);
  }
}

// Collects runs into blocks of kMaxBlockSamples at most.
class BlockMaker {
 public:
  BlockMaker(const std::string& instance, absl::FunctionRef<void(SampleBlock)> visit)
      : instance_(instance), visit_(visit) {}
  ~BlockMaker() { Flush(); }

  void Add(const std::string& peer, int32_t rpc, bool failed, SampleMessages& samples) {
    int first = 0;
    while (first < samples.size()) {
      const int count = static_cast<int>(
          std::min<int64_t>(samples.size() - first, kMaxBlockSamples - block_samples_));
      std::vector<const RpcSample*> taken(samples.pointer_begin() + first,
                                          samples.pointer_begin() + first + count);
      SampleRun& run = *block_.add_runs();
      run.set_peer(peer);
      run.set_rpc_index(rpc);
      if (failed) run.set_failed(true);
      WriteSamples(taken, run);
      first += count;
      block_samples_ += count;
      if (block_samples_ == kMaxBlockSamples) Flush();
    }
    samples.Clear();
  }

 private:
  void Flush() {
    if (block_samples_ == 0) return;
    block_.set_instance(instance_);
    visit_(std::exchange(block_, SampleBlock()));
    block_samples_ = 0;
  }

  const std::string& instance_;
  const absl::FunctionRef<void(SampleBlock)> visit_;
  SampleBlock block_;
  int64_t block_samples_ = 0;
};

// Hands out a log in parts of about kPartBytes, the first with what it begins with.
class PartMaker {
 public:
  PartMaker(const std::string& instance, ServicePerformanceLog first,
            absl::FunctionRef<void(InstanceLogPart)> visit)
      : instance_(instance), visit_(visit) {
    part_.set_instance(instance);
    *part_.mutable_log() = std::move(first);
    bytes_ = part_.ByteSizeLong();
  }
  ~PartMaker() { visit_(std::move(part_)); }

  // The part that so many bytes are to be added to.
  ServicePerformanceLog& MakeRoom(size_t bytes) {
    if (has_more_ && bytes_ + bytes > kPartBytes) {
      visit_(std::exchange(part_, InstanceLogPart()));
      part_.set_instance(instance_);
      bytes_ = 0;
    }
    has_more_ = true;
    bytes_ += bytes;
    return *part_.mutable_log();
  }

 private:
  const std::string& instance_;
  const absl::FunctionRef<void(InstanceLogPart)> visit_;
  InstanceLogPart part_;
  size_t bytes_ = 0;
  bool has_more_ = false;  // than it begins with
};

std::vector<std::string> PeersInOrder(const ServicePerformanceLog& log) {
  std::vector<std::string> peers;
  for (const auto& [peer, peer_log] : log.peer_logs()) peers.push_back(peer);
  std::sort(peers.begin(), peers.end(), NaturalLess);
  return peers;
}

}  // namespace

absl::Status AddSamples(const SampleBlock& block, ServicePerformanceLog& log) {
  RETURN_IF_ERROR(
      CheckBlock(block, [&](const SampleRun& run) { return Find(run, log) != nullptr; }));
  for (const SampleRun& run : block.runs()) {
    RpcPerformanceLog& rpc_log = *Find(run, log);
    SampleMessages& samples = run.failed() ? *rpc_log.mutable_failed_rpc_samples()
                                           : *rpc_log.mutable_successful_rpc_samples();
    RETURN_IF_ERROR(ForEachSample(run, [&](const RpcSample& sample) { *samples.Add() = sample; }));
  }
  return absl::OkStatus();
}

void CompleteSamples(ServicePerformanceLog& log) {
  for (auto& [peer, peer_log] : *log.mutable_peer_logs()) {
    for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) {
      Sort(*rpc_log.mutable_successful_rpc_samples());
      Sort(*rpc_log.mutable_failed_rpc_samples());
    }
  }
  CountLeftOut(log);
  CountReplaysLeftOut(log);
}

void TakeSamples(const std::string& instance, ServicePerformanceLog& log,
                 absl::FunctionRef<void(SampleBlock)> visit) {
  BlockMaker blocks(instance, visit);
  for (const std::string& peer : PeersInOrder(log)) {
    auto& rpc_logs = *log.mutable_peer_logs()->at(peer).mutable_rpc_logs();
    const std::map<int32_t, RpcPerformanceLog*> in_order = [&] {
      std::map<int32_t, RpcPerformanceLog*> sorted;
      for (auto& [rpc, rpc_log] : rpc_logs) sorted.emplace(rpc, &rpc_log);
      return sorted;
    }();
    for (const auto& [rpc, rpc_log] : in_order) {
      blocks.Add(peer, rpc, /*failed=*/false, *rpc_log->mutable_successful_rpc_samples());
      blocks.Add(peer, rpc, /*failed=*/true, *rpc_log->mutable_failed_rpc_samples());
    }
  }
}

void DropSamples(ServicePerformanceLog& log) {
  for (auto& [peer, peer_log] : *log.mutable_peer_logs()) {
    for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) {
      rpc_log.clear_successful_rpc_samples();
      rpc_log.clear_failed_rpc_samples();
    }
  }
  log.clear_replay_trace_logs();
  CountLeftOut(log);
  CountReplaysLeftOut(log);
}

void SplitLog(const std::string& instance, ServicePerformanceLog log,
              absl::FunctionRef<void(InstanceLogPart)> visit) {
  google::protobuf::Map<std::string, PeerPerformanceLog> peers;
  peers.swap(*log.mutable_peer_logs());
  google::protobuf::RepeatedPtrField<RpcReplayTraceLog> replays;
  replays.Swap(log.mutable_replay_trace_logs());
  PartMaker parts(instance, std::move(log), visit);
  std::vector<std::string> names;
  for (const auto& [peer, peer_log] : peers) names.push_back(peer);
  std::sort(names.begin(), names.end(), NaturalLess);
  for (const std::string& name : names) {
    PeerPerformanceLog& peer = peers[name];
    ServicePerformanceLog& part = parts.MakeRoom(name.size() + peer.ByteSizeLong());
    (*part.mutable_peer_logs())[name] = std::move(peer);
  }
  for (RpcReplayTraceLog& replay : replays) {
    parts.MakeRoom(replay.ByteSizeLong()).add_replay_trace_logs()->Swap(&replay);
  }
}

KnownRpcs::KnownRpcs(const ServiceLogs& logs) {
  for (const auto& [instance, log] : logs.instance_logs()) {
    for (const auto& [peer, peer_log] : log.peer_logs()) {
      for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) known_.emplace(instance, peer, rpc);
    }
  }
}

absl::Status KnownRpcs::Check(const SampleBlock& block) const {
  return CheckBlock(block, [&](const SampleRun& run) {
    return known_.contains({block.instance(), run.peer(), run.rpc_index()});
  });
}

void AddPart(InstanceLogPart part, ServicePerformanceLog& log) { log.MergeFrom(part.log()); }

}  // namespace distbench
