#include "distbench/node/opened_result.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "distbench/results/log_samples.h"
#include "distbench/results/sample_columns.h"
#include "glog/logging.h"

namespace distbench {

OpenedResult::OpenedResult(GetTrafficResultResponse statistics,
                           std::unique_ptr<HostedSamples> samples, bool clears_test)
    : samples_(std::move(samples)), clears_test_(clears_test) {
  for (auto& [instance, log] : *statistics.mutable_service_logs()->mutable_instance_logs()) {
    SplitLog(instance, std::move(log), [this](InstanceLogPart part) {
      *statistics_.emplace_back().mutable_instance_log() = std::move(part);
    });
  }
  statistics.clear_service_logs();
  *statistics_.emplace_back().mutable_node_result() = std::move(statistics);
}

absl::StatusOr<std::optional<ResultRecord>> OpenedResult::Next() {
  if (!statistics_.empty()) {
    std::optional<ResultRecord> record = std::move(statistics_.front());
    statistics_.pop_front();
    return record;
  }
  ResultRecord record;
  if (samples_ != nullptr && samples_->Next(record.mutable_samples())) return record;
  if (samples_ != nullptr && !samples_->status().ok()) return samples_->status();
  return std::nullopt;
}

void AddSamplesUpTo(int64_t max_samples, HostedSamples& samples, ServiceLogs* logs) {
  auto& by_instance = *logs->mutable_instance_logs();
  int64_t added = 0;
  SampleBlock block;
  while (added <= max_samples && samples.Next(&block)) {
    added += SampleCount(block);
    const absl::Status status = AddSamples(block, by_instance.at(block.instance()));
    CHECK(status.ok()) << status;  // of our own making
  }
  for (auto& [instance, log] : by_instance) {
    if (added > max_samples) {
      DropSamples(log);
    } else {
      CompleteSamples(log);
    }
  }
}

}  // namespace distbench
