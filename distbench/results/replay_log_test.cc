// Replayed RPCs, from the recorders of an engine to the summary of a test.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "distbench/results/log_samples.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/merge.h"
#include "distbench/results/recorder.h"
#include "distbench/results/replay_recorder.h"
#include "distbench/results/summary.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr InstanceIndex kClient(0);
constexpr InstanceIndex kServer0(1);
constexpr InstanceIndex kServer1(2);
constexpr TraceIndex kMonday(0);
constexpr TraceIndex kTuesday(1);
// Wall time is monotonic time plus a million.
constexpr WallAnchor kAnchor{.wall_ns = 1'000'100, .monotonic_ns = 100};

class ReplayLogTest : public testing::Test {
 protected:
  // A run of `rpcs` RPCs to alternating servers, a microsecond apart, each 100 ns long.
  static void Replay(Recorder& recorder, TraceIndex trace, int64_t start_ns, uint32_t rpcs,
                     bool warmup = false) {
    ReplayRecorder& replays = recorder.replays();
    ReplayRunLog* log =
        replays.BeginRun({.trace = trace, .rpcs = rpcs, .start_ns = start_ns, .warmup = warmup});
    for (uint32_t i = 0; i < rpcs; ++i) {
      const int64_t rpc_start_ns = start_ns + int64_t{i} * 1000;
      replays.RecordSuccess({.trace = trace,
                             .record = i,
                             .server = i % 2 == 0 ? kServer0 : kServer1,
                             .warmup = warmup,
                             .intended_start_ns = rpc_start_ns - 10,
                             .start_ns = rpc_start_ns,
                             .end_ns = rpc_start_ns + 100,
                             .request_bytes = 16,
                             .response_bytes = 32},
                            log);
    }
  }

  ServicePerformanceLog Build() const {
    return BuildServiceLog({&recorder_, &other_shard_}, kAnchor);
  }

  const std::shared_ptr<const Plan> plan_ =
      MadeUpPlan({.servers = 2, .rpcs = {"get"}, .traces = {"monday", "tuesday"}});
  Recorder recorder_{{.plan = plan_, .self = kClient}};
  Recorder other_shard_{{.plan = plan_, .self = kClient}};
};

TEST_F(ReplayLogTest, RunsOfAllShardsAreInOrderOfTraceAndStart) {
  Replay(recorder_, kTuesday, 5000, 1);
  Replay(recorder_, kMonday, 9000, 1, /*warmup=*/true);
  Replay(other_shard_, kMonday, 7000, 2);
  const ServicePerformanceLog log = Build();
  ASSERT_EQ(log.replay_trace_logs_size(), 3);
  EXPECT_EQ(log.replay_trace_logs(0).timestamp_offset_ns(), 1'007'000);
  EXPECT_EQ(log.replay_trace_logs(1).timestamp_offset_ns(), 1'009'000);
  EXPECT_TRUE(log.replay_trace_logs(1).warmup());
  EXPECT_EQ(log.replay_trace_logs(2).rpc_replay_trace_name(), "tuesday");
  EXPECT_EQ(log.replay_trace_logs(0).rpc_samples().at(1).ShortDebugString(),
            "request_size: 16 response_size: 32 start_timestamp_ns: 1000 latency_ns: 100");
  ASSERT_EQ(log.replays_size(), 2);
  const ReplayStatistics& monday = log.replays(0);
  EXPECT_EQ(monday.rpc_replay_trace_name(), "monday");
  EXPECT_EQ(monday.runs(), 2);
  EXPECT_FALSE(monday.has_runs_left_out());
  EXPECT_EQ(monday.statistics().measured_success().count(), 2);
  EXPECT_EQ(monday.statistics().warmup_success().count(), 1);
  EXPECT_EQ(monday.statistics().measured_success().lateness_ns().max(), 10);
  EXPECT_EQ(monday.peers().at("server/0").measured_success().count(), 1);
  EXPECT_EQ(monday.peers().at("server/1").measured_success().count(), 1);
}

TEST_F(ReplayLogTest, ErrorsOfShardsAreNumberedTogether) {
  for (Recorder* shard : {&recorder_, &other_shard_}) {
    ReplayRunLog* log = shard->replays().BeginRun({.trace = kMonday, .rpcs = 2});
    const ReplayedRpc rpc = {.trace = kMonday, .server = kServer0, .end_ns = 5};
    if (shard == &recorder_) shard->replays().RecordFailure(rpc, "reset", log);
    shard->replays().RecordFailure(rpc, "gone", log);
  }
  const ServicePerformanceLog log = Build();
  EXPECT_THAT(log.error_dictionary().error_message(), ElementsAre("", "gone", "reset"));
  ASSERT_EQ(log.replays(0).statistics().errors_size(), 2);
  EXPECT_EQ(log.replays(0).statistics().errors(0).count(), 2);
  EXPECT_EQ(log.replay_trace_logs(1).rpc_samples().at(0).error_index(), 1);
}

TEST_F(ReplayLogTest, RunsForWhichThereIsNoRoomAreCountedOnly) {
  constexpr uint32_t kRpcs = ReplayRecorder::kMaxSamples / 3;
  for (int i = 0; i < 4; ++i) Replay(recorder_, kMonday, i, kRpcs);
  const ServicePerformanceLog log = Build();
  EXPECT_EQ(log.replay_trace_logs_size(), 2);
  EXPECT_EQ(log.replays(0).runs(), 4);
  EXPECT_EQ(log.replays(0).runs_left_out(), 2);
  EXPECT_EQ(log.replays(0).statistics().measured_success().count(), 4 * int64_t{kRpcs});
  EXPECT_EQ(log.replays(0).statistics().samples_left_out(), 2 * int64_t{kRpcs});
}

TEST_F(ReplayLogTest, TheFirstRunIsKeptHoweverLongItIs) {
  Replay(recorder_, kMonday, 0, ReplayRecorder::kMaxSamples + 1);
  EXPECT_EQ(Build().replay_trace_logs(0).rpc_samples_size(),
            static_cast<int>(ReplayRecorder::kMaxSamples + 1));
}

TEST_F(ReplayLogTest, EndlessRunsOfNothingTakeBoundedMemory) {
  for (size_t i = 0; i < ReplayRecorder::kMaxSamples + 1000; ++i) {
    Replay(recorder_, kMonday, 0, 0);
  }
  EXPECT_EQ(recorder_.replays().BeginRun({.trace = kMonday}), nullptr);
}

TEST_F(ReplayLogTest, TheSummaryCountsReplayedRpcs) {
  Replay(recorder_, kMonday, 1'000'000, 3);
  Replay(recorder_, kMonday, 2'000'000, 1, /*warmup=*/true);
  GetTrafficResultResponse node;
  (*node.mutable_service_logs()->mutable_instance_logs())["client/0"] = Build();
  TestResult result;
  ASSERT_TRUE(MergeNodeResult(std::move(node), result).ok());
  const std::vector<std::string> lines = SummarizeTest(*plan_, result);
  EXPECT_THAT(lines, Contains("  Total samples: 4"));
  EXPECT_THAT(lines, Contains("  Warmup samples: 1"));
  EXPECT_THAT(lines, Contains("Replay summary:"));
  EXPECT_THAT(lines, Contains("  monday service time: N: 3 median: 100ns 90%: 100ns 99%: 100ns "
                              "99.9%: 100ns 99.99%: 100ns max: 100ns"));
  EXPECT_THAT(lines, Contains(testing::HasSubstr("  client/0 -> server/0: RPCs: 2 ")));
  EXPECT_THAT(lines, Contains(testing::HasSubstr("  client/0 -> server/1: RPCs: 1 ")));
}

TEST_F(ReplayLogTest, LogsOfOtherProgramsCountByTheirSamples) {
  Replay(recorder_, kMonday, 1'000'000, 3);
  ServicePerformanceLog log = Build();
  log.clear_replays();
  RpcSample& failed = (*log.mutable_replay_trace_logs(0)->mutable_rpc_samples())[0];
  failed.set_error_index(1);
  log.mutable_error_dictionary()->add_error_message("reset");
  GetTrafficResultResponse node;
  (*node.mutable_service_logs()->mutable_instance_logs())["client/0"] = log;
  TestResult result;
  ASSERT_TRUE(MergeNodeResult(std::move(node), result).ok());
  const std::vector<std::string> lines = SummarizeTest(*plan_, result);
  EXPECT_THAT(lines, Contains("  Total samples: 3"));
  EXPECT_THAT(lines, Contains("  Failed samples: 1"));
  EXPECT_THAT(lines, Contains("  1 x: reset"));
}

TEST_F(ReplayLogTest, StatisticsThatContradictThemselvesAreRefused) {
  Replay(recorder_, kMonday, 0, 3);
  ServicePerformanceLog log = Build();
  log.mutable_replays(0)->mutable_statistics()->mutable_measured_success()->set_count(-1);
  EXPECT_EQ(CompleteStatistics(log).message(),
            "replays[0]: statistics.measured_success.count is -1; it must be 0 to "
            "281474976710656");
}

TEST_F(ReplayLogTest, DroppedSamplesAreCounted) {
  Replay(recorder_, kMonday, 0, 3);
  ServicePerformanceLog log = Build();
  DropSamples(log);
  EXPECT_THAT(log.replay_trace_logs(), IsEmpty());
  EXPECT_EQ(log.replays(0).statistics().samples_left_out(), 3);
}

TEST_F(ReplayLogTest, ALogOfManyRunsComesInParts) {
  for (int i = 0; i < 100; ++i) Replay(recorder_, kMonday, i * 1'000'000, 2000);
  const ServicePerformanceLog log = Build();
  std::vector<InstanceLogPart> parts;
  SplitLog("client/0", log, [&](InstanceLogPart part) { parts.push_back(std::move(part)); });
  EXPECT_GT(parts.size(), 2u);
  ServicePerformanceLog together;
  for (InstanceLogPart& part : parts) {
    EXPECT_LT(part.ByteSizeLong(), size_t{2} << 20);
    AddPart(std::move(part), together);
  }
  ASSERT_EQ(together.replay_trace_logs_size(), 100);
  EXPECT_EQ(together.replays_size(), 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(together.replay_trace_logs(i).timestamp_offset_ns(),
              log.replay_trace_logs(i).timestamp_offset_ns());
  }
}

}  // namespace
}  // namespace distbench
