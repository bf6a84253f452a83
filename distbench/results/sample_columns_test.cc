#include "distbench/results/sample_columns.h"

#include <random>
#include <string>

#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

SampleRun RunOf(const std::vector<SampleRow>& rows) {
  SampleRun run;
  run.set_peer("server/0");
  WriteColumns(rows, run);
  return run;
}

std::vector<RpcSample> Samples(const SampleRun& run) {
  std::vector<RpcSample> samples;
  const absl::Status status =
      ForEachSample(run, [&](const RpcSample& sample) { samples.push_back(sample); });
  EXPECT_TRUE(status.ok()) << status;
  return samples;
}

TEST(SampleColumnsTest, RowsAreReadAsWritten) {
  std::mt19937_64 random(1);
  std::vector<SampleRow> rows;
  int64_t start_ns = int64_t{1} << 60;
  for (int i = 0; i < 1000; ++i) {
    start_ns += static_cast<int64_t>(random() % 1000);
    rows.push_back({.start_timestamp_ns = start_ns,
                    .latency_ns = static_cast<int64_t>(random() % 1'000'000) - 10,
                    .latency_weight = static_cast<int64_t>(random() % 3),
                    .request_size = static_cast<int64_t>(random() % 2),
                    .response_size = 32,
                    .error_index = static_cast<int32_t>(random() % 2),
                    .warmup = random() % 2 == 0});
  }
  const std::vector<RpcSample> samples = Samples(RunOf(rows));
  ASSERT_EQ(samples.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(samples[i].start_timestamp_ns(), rows[i].start_timestamp_ns);
    ASSERT_EQ(samples[i].latency_ns(), rows[i].latency_ns);
    ASSERT_EQ(samples[i].has_latency_weight(), rows[i].latency_weight != 0);
    if (samples[i].has_latency_weight()) {
      ASSERT_EQ(samples[i].latency_weight(), rows[i].latency_weight);
    }
    ASSERT_EQ(samples[i].request_size(), rows[i].request_size);
    ASSERT_EQ(samples[i].response_size(), 32);
    ASSERT_EQ(samples[i].error_index(), rows[i].error_index);
    ASSERT_EQ(samples[i].warmup(), rows[i].warmup);
  }
}

TEST(SampleColumnsTest, WhatAllRowsShareIsWrittenOnce) {
  const SampleRun run = RunOf({{.start_timestamp_ns = 5, .latency_ns = 7, .request_size = 16},
                               {.start_timestamp_ns = 6, .latency_ns = 7, .request_size = 16}});
  EXPECT_EQ(run.latencies_ns_size(), 1);
  EXPECT_EQ(run.request_sizes_size(), 1);
  EXPECT_EQ(run.response_sizes_size(), 0);
  EXPECT_EQ(run.warmup_size(), 0);
  EXPECT_EQ(Samples(run)[1].ShortDebugString(),
            "request_size: 16 response_size: 0 start_timestamp_ns: 6 latency_ns: 7");
}

TEST(SampleColumnsTest, ATypicalSampleTakesTenBytes) {
  std::vector<SampleRow> rows;
  for (int i = 0; i < 10'000; ++i) {
    rows.push_back({.start_timestamp_ns = 1'700'000'000'000'000'000 + i * 12'000,
                    .latency_ns = 1'000'000 + i % 777,
                    .latency_weight = 1'200'000 + i % 777,
                    .request_size = 16,
                    .response_size = 32});
  }
  EXPECT_LE(RunOf(rows).ByteSizeLong(), 10u * rows.size());
}

TEST(SampleColumnsTest, SamplesWithMoreToThemStayWhole) {
  RpcSample plain;
  plain.set_start_timestamp_ns(3);
  plain.set_latency_ns(4);
  RpcSample traced = plain;
  traced.mutable_trace_context()->add_engine_ids(1);
  RpcSample routed = plain;
  routed.set_server_instance(0);
  SampleRun run;
  run.set_peer("server/0");
  WriteSamples({&plain, &traced, &routed}, run);
  EXPECT_EQ(run.count(), 1);
  EXPECT_EQ(SampleCount(run), 3);
  const std::vector<RpcSample> samples = Samples(run);
  EXPECT_EQ(samples[1].SerializeAsString(), traced.SerializeAsString());
  EXPECT_EQ(samples[2].SerializeAsString(), routed.SerializeAsString());
}

TEST(SampleColumnsTest, SamplesThatOneInstanceOfAChannelServedSayItOnce) {
  RpcSample first;
  first.set_request_size(1);
  first.set_response_size(2);
  first.set_start_timestamp_ns(3);
  first.set_latency_ns(4);
  first.set_server_instance(7);
  RpcSample second = first;
  second.set_start_timestamp_ns(5);
  SampleRun run;
  run.set_peer("server/7");
  WriteSamples({&first, &second}, run);
  EXPECT_EQ(run.count(), 2);
  EXPECT_EQ(run.server_instance(), 7);
  const std::vector<RpcSample> samples = Samples(run);
  EXPECT_EQ(samples[0].SerializeAsString(), first.SerializeAsString());
  EXPECT_EQ(samples[1].SerializeAsString(), second.SerializeAsString());
  second.set_server_instance(8);
  SampleRun mixed;
  mixed.set_peer("server/7");
  WriteSamples({&first, &second}, mixed);
  EXPECT_FALSE(mixed.has_server_instance());
  EXPECT_EQ(Samples(mixed)[1].server_instance(), 8);
}

TEST(SampleColumnsTest, AContradictionIsAnErrorThatNamesTheField) {
  const auto error = [](auto damage) {
    SampleRun run = RunOf({{.latency_ns = 1}, {.latency_ns = 2}, {.latency_ns = 3}});
    damage(run);
    bool visited = false;
    const absl::Status status = ForEachSample(run, [&](const RpcSample&) { visited = true; });
    EXPECT_FALSE(visited);
    return std::string(status.message());
  };
  EXPECT_EQ(error([](SampleRun& run) { run.mutable_latencies_ns()->RemoveLast(); }),
            "latencies_ns has 2 elements for 3 samples");
  EXPECT_EQ(error([](SampleRun& run) { run.set_count(-1); }), "count is -1; expected 0 to 65536");
  EXPECT_EQ(error([](SampleRun& run) { run.set_count(1 << 20); }),
            "count is 1048576; expected 0 to 65536");
  EXPECT_EQ(error([](SampleRun& run) { run.clear_peer(); }), "peer is empty");
  EXPECT_EQ(error([](SampleRun& run) { run.set_rpc_index(-2); }), "rpc_index is -2");
}

}  // namespace
}  // namespace distbench
