#include "distbench/results/log_samples.h"

#include <algorithm>
#include <vector>

#include "distbench/results/sample_columns.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

RpcPerformanceLog& RpcLog(ServicePerformanceLog& log, const std::string& peer) {
  return (*(*log.mutable_peer_logs())[peer].mutable_rpc_logs())[0];
}

// `samples` finished RPCs to each of `peers` peers, with a sample of each.
ServicePerformanceLog LogOf(int peers, int samples) {
  ServicePerformanceLog log;
  for (int p = 0; p < peers; ++p) {
    RpcPerformanceLog& rpc_log = RpcLog(log, "server/" + std::to_string(p));
    for (int i = 0; i < samples; ++i) {
      RpcSample& sample = *rpc_log.add_successful_rpc_samples();
      sample.set_request_size(16);
      sample.set_response_size(32);
      sample.set_start_timestamp_ns(1000 * i + p);
      sample.set_latency_ns(7 * i % 100);
    }
    rpc_log.mutable_statistics()->mutable_measured_success()->set_count(samples);
    (*log.mutable_rpc_statistics())[0].mutable_measured_success()->set_count(peers * samples);
  }
  return log;
}

std::vector<SampleBlock> Take(ServicePerformanceLog& log) {
  std::vector<SampleBlock> blocks;
  TakeSamples("client/0", log, [&](SampleBlock block) { blocks.push_back(std::move(block)); });
  return blocks;
}

std::string Canonical(const ServicePerformanceLog& log) { return log.DebugString(); }

TEST(LogSamplesTest, WhatIsTakenOutCanBeAddedInAnyOrder) {
  const ServicePerformanceLog whole = LogOf(3, 50'000);
  ServicePerformanceLog log = whole;
  const std::vector<SampleBlock> blocks = Take(log);
  EXPECT_EQ(RpcLog(log, "server/0").successful_rpc_samples_size(), 0);
  ASSERT_EQ(blocks.size(), 3u);  // 150 000 samples, 65 536 a block
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    ASSERT_TRUE(AddSamples(*block, log).ok());
  }
  CompleteSamples(log);
  EXPECT_EQ(Canonical(log), Canonical(whole));
}

TEST(LogSamplesTest, TracedSamplesThatAreAlikeAreInOneOrderWhateverThatOfTheBlocks) {
  ServicePerformanceLog whole = LogOf(1, 0);
  for (int i = 0; i < 5; ++i) {
    RpcSample& sample = *RpcLog(whole, "server/0").add_successful_rpc_samples();
    sample.set_start_timestamp_ns(1000);
    sample.set_latency_ns(10);
    sample.set_request_size(16);
    sample.set_response_size(32);
    if (i > 0) sample.mutable_trace_context()->add_fanout_index(i);
  }
  ServicePerformanceLog log = whole;
  auto& samples = *RpcLog(log, "server/0").mutable_successful_rpc_samples();
  std::reverse(samples.begin(), samples.end());
  const std::vector<SampleBlock> blocks = Take(log);
  for (const SampleBlock& block : blocks) ASSERT_TRUE(AddSamples(block, log).ok());
  CompleteSamples(log);
  EXPECT_EQ(Canonical(log), Canonical(whole));
}

TEST(LogSamplesTest, MissingSamplesAreCounted) {
  ServicePerformanceLog log = LogOf(2, 10);
  RpcLog(log, "server/1").mutable_successful_rpc_samples()->DeleteSubrange(0, 4);
  CompleteSamples(log);
  EXPECT_FALSE(RpcLog(log, "server/0").statistics().has_samples_left_out());
  EXPECT_EQ(RpcLog(log, "server/1").statistics().samples_left_out(), 4);
  EXPECT_EQ(log.rpc_statistics().at(0).samples_left_out(), 4);
}

TEST(LogSamplesTest, DroppedSamplesAreCounted) {
  ServicePerformanceLog log = LogOf(2, 10);
  DropSamples(log);
  EXPECT_EQ(RpcLog(log, "server/0").successful_rpc_samples_size(), 0);
  EXPECT_EQ(RpcLog(log, "server/0").statistics().samples_left_out(), 10);
  EXPECT_EQ(log.rpc_statistics().at(0).samples_left_out(), 20);
}

TEST(LogSamplesTest, ABlockOfUnknownRpcsIsRefusedAsAWhole) {
  ServicePerformanceLog log = LogOf(2, 10);
  std::vector<SampleBlock> blocks = Take(log);
  ASSERT_EQ(blocks.size(), 1u);
  blocks[0].mutable_runs(1)->set_rpc_index(5);
  const absl::Status status = AddSamples(blocks[0], log);
  EXPECT_EQ(status.message(),
            "samples.runs[1]: the log of client/0 has no RPC of index 5 to server/1");
  EXPECT_EQ(RpcLog(log, "server/0").successful_rpc_samples_size(), 0);
  ServiceLogs logs;
  (*logs.mutable_instance_logs())["client/0"] = log;
  EXPECT_EQ(KnownRpcs(logs).Check(blocks[0]), status);
}

TEST(LogSamplesTest, ALongLogIsSplitByItsPeersAndPutTogether) {
  ServicePerformanceLog log;
  constexpr int kPeers = 100;
  for (int p = 0; p < kPeers; ++p) {
    Histogram& histogram = *RpcLog(log, "server/" + std::to_string(p))
                                .mutable_statistics()
                                ->mutable_measured_success()
                                ->mutable_service_time_ns();
    for (int i = 0; i < 20'000; ++i) histogram.add_bucket_counts(1);
  }
  log.mutable_error_dictionary()->add_error_message("");
  ServicePerformanceLog rebuilt;
  int parts = 0;
  SplitLog("client/0", log, [&](InstanceLogPart part) {
    EXPECT_EQ(part.instance(), "client/0");
    EXPECT_LE(part.ByteSizeLong(), (size_t{1} << 20) + 30'000);
    ++parts;
    AddPart(std::move(part), rebuilt);
  });
  EXPECT_EQ(parts, 2);
  EXPECT_EQ(Canonical(rebuilt), Canonical(log));
}

}  // namespace
}  // namespace distbench
