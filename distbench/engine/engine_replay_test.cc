// Replay traces on simulated time: when each RPC is sent, how large it is, and what is logged.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/payload/generic_message.h"
#include "distbench/testing/engine_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr char kAtStart[] = "timing_mode: RELATIVE_TO_TRACE_START server_instance: 0";

// Two clients replay a trace to two servers; `action` says how often, `names` adds to the list.
std::string Replay(const std::string& records, const std::string& action = "",
                   const std::string& names = "") {
  return absl::StrCat(R"(
    name: "replay" default_protocol: "fake"
    attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 2 }
    services { name: "server" count: 2 }
    action_lists { name: "client" action_names: "replay" )",
                      names, R"( }
    actions { name: "replay" rpc_replay_trace_name: "trace" )",
                      action, R"( }
    rpc_replay_traces { name: "trace" client: "client" server: "server" )",
                      records, " }");
}

// Starts of the RPCs of one run by record, in ms since its own start.
std::map<int32_t, int64_t> StartsMs(const RpcReplayTraceLog& run) {
  std::map<int32_t, int64_t> starts;
  for (const auto& [record, sample] : run.rpc_samples()) {
    EXPECT_EQ(sample.start_timestamp_ns() % kMs, 0);
    starts[record] = sample.start_timestamp_ns() / kMs;
  }
  return starts;
}

// Of a trace that takes no longer than it says, on a network that takes 10 ms.
std::map<int32_t, int64_t> StartsMs(const std::string& records) {
  EngineCluster cluster(Replay(records));
  cluster.network().SetTransit(Delayed(10 * kMs));
  cluster.Start();
  EXPECT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  EXPECT_EQ(log.replay_trace_logs_size(), 1);
  return log.replay_trace_logs_size() == 1 ? StartsMs(log.replay_trace_logs(0))
                                           : std::map<int32_t, int64_t>();
}

const RpcStatistics& StatisticsOf(const ServicePerformanceLog& log) {
  EXPECT_EQ(log.replays_size(), 1);
  return log.replays(0).statistics();
}

TEST(EngineReplayTest, RecordsAreSentAtTheirTimesFromTheStartOfTheTrace) {
  EXPECT_THAT(StartsMs(R"(
                defaults { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }
                records { timing_ns: 7000000 } records { } records { timing_ns: 3000000 }
                records { timing_ns: 3000000 })"),
              ElementsAre(Pair(0, 7), Pair(1, 0), Pair(2, 3), Pair(3, 3)));
}

TEST(EngineReplayTest, RecordsCountFromTheStartOfTheRpcBefore) {
  EXPECT_THAT(StartsMs(R"(
                defaults { timing_mode: RELATIVE_TO_PRIOR_RPC_START server_instance: 0
                           timing_ns: 2000000 }
                records { timing_mode: RELATIVE_TO_TRACE_START } records { }
                records { timing_ns: 0 } records { })"),
              ElementsAre(Pair(0, 2), Pair(1, 4), Pair(2, 4), Pair(3, 6)));
}

TEST(EngineReplayTest, RecordsCountFromTheEndOfTheRpcBefore) {
  EXPECT_THAT(StartsMs(R"(
                defaults { timing_mode: RELATIVE_TO_PRIOR_RPC_END server_instance: 0
                           timing_ns: 2000000 }
                records { timing_mode: RELATIVE_TO_TRACE_START } records { }
                records { timing_ns: 0 })"),
              ElementsAre(Pair(0, 2), Pair(1, 14), Pair(2, 24)));
}

TEST(EngineReplayTest, TheLastOfSeveralPriorsSetsTheTime) {
  // Record 1 ends at 35 ms, the others at 10 and 15 ms.
  EXPECT_THAT(StartsMs(R"(
                defaults { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }
                records { }
                records { timing_ns: 5000000 server_processing_time_ns: 20000000 }
                records { timing_ns: 5000000 }
                records { timing_mode: RELATIVE_TO_PRIOR_RPC_END timing_ns: 1000000
                          prior_rpc_distances: [0, 1, 2] }
                records { timing_mode: RELATIVE_TO_PRIOR_RPC_START timing_ns: 1000000
                          prior_rpc_distances: [3, 2, 1] })"),
              ElementsAre(Pair(0, 0), Pair(1, 5), Pair(2, 5), Pair(3, 36), Pair(4, 6)));
}

TEST(EngineReplayTest, RecordsCountFromTheStartOfTheTrafficHoweverLateTheTraceBegins) {
  EngineCluster cluster(
      absl::StrCat(Replay(R"(records { timing_mode: RELATIVE_TO_TRAFFIC_START timing_ns: 7000000
                          server_instance: 0 }
                records { timing_mode: RELATIVE_TO_TRAFFIC_START timing_ns: 1000000
                          server_instance: 0 })",
                          "dependencies: 'pause'", "action_names: 'pause'"),
                   R"(actions { name: "pause" activity_config_name: "sleep" }
         activity_configs { name: "sleep"
           activity_settings { name: "activity_func" string_value: "SleepFor" }
           activity_settings { name: "duration_us" int64_value: 5000 } })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  ASSERT_EQ(log.replay_trace_logs_size(), 1);
  // The trace begins after 5 ms: record 1 is late then.
  EXPECT_THAT(StartsMs(log.replay_trace_logs(0)), ElementsAre(Pair(0, 2), Pair(1, 0)));
  EXPECT_EQ(StatisticsOf(log).measured_success().lateness_ns().max(), 4 * kMs);
}

TEST(EngineReplayTest, ARecordIsSentByTheInstanceThatItNamesOrByAll) {
  EngineCluster cluster(Replay(R"(
    defaults { timing_mode: RELATIVE_TO_TRACE_START server_instance: 1 }
    records { client_instance: 1 } records { }
    records { client_instance: 0 server_instance: 0 })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog first = cluster.Log("client/0");
  const ServicePerformanceLog second = cluster.Log("client/1");
  EXPECT_THAT(StartsMs(first.replay_trace_logs(0)), ElementsAre(Pair(1, 0), Pair(2, 0)));
  EXPECT_THAT(StartsMs(second.replay_trace_logs(0)), ElementsAre(Pair(0, 0), Pair(1, 0)));
  ASSERT_THAT(first.replays(0).peers(), SizeIs(2));
  EXPECT_EQ(first.replays(0).peers().at("server/0").measured_success().count(), 1);
  EXPECT_EQ(first.replays(0).peers().at("server/1").measured_success().count(), 1);
  ASSERT_THAT(second.replays(0).peers(), SizeIs(1));
  EXPECT_EQ(second.replays(0).peers().at("server/1").measured_success().count(), 2);
}

TEST(EngineReplayTest, SizesAndProcessingTimeAreTheRecords) {
  EngineCluster cluster(Replay(R"(
    defaults { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }
    records { request_size: 1000 response_size: 2000 server_processing_time_ns: 3000000 }
    records { request_size: 100 response_size: 0 }
    records { })"));
  cluster.network().SetTransit(Delayed(10 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto samples = cluster.Log("client/0").replay_trace_logs(0).rpc_samples();
  ASSERT_THAT(samples, SizeIs(3));
  EXPECT_EQ(samples.at(0).request_size(), 1000);
  EXPECT_EQ(samples.at(0).response_size(), 2000);
  EXPECT_EQ(samples.at(0).latency_ns(), 13 * kMs);
  EXPECT_EQ(samples.at(1).request_size(), 100);
  EXPECT_EQ(samples.at(1).response_size(), 2);  // the smallest legal one
  EXPECT_EQ(samples.at(1).latency_ns(), 10 * kMs);
  EXPECT_EQ(samples.at(2).request_size(), 16);
  EXPECT_EQ(samples.at(2).response_size(), 32);
  EXPECT_FALSE(samples.at(0).has_latency_weight());
  EXPECT_FALSE(samples.at(0).has_error_index());
}

TEST(EngineReplayTest, EachIterationIsARunWithALogOfItsOwn) {
  EngineCluster cluster(Replay(absl::StrCat("records { ", kAtStart, " client_instance: 0 }"),
                               "iterations { max_iteration_count: 3 warmup_iterations: 1 }"));
  cluster.network().SetTransit(Delayed(10 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  ASSERT_EQ(log.replay_trace_logs_size(), 3);
  const int64_t start_ns = cluster.start_ns() + SimulatedTime::kWallMinusMonotonicNs;
  for (int i = 0; i < 3; ++i) {
    const RpcReplayTraceLog& run = log.replay_trace_logs(i);
    EXPECT_EQ(run.rpc_replay_trace_name(), "trace");
    EXPECT_EQ(run.timestamp_offset_ns(), start_ns + i * 10 * kMs);
    EXPECT_EQ(run.warmup(), i == 0);
    EXPECT_EQ(run.rpc_samples().at(0).warmup(), i == 0);
  }
  EXPECT_EQ(log.replays(0).runs(), 3);
  EXPECT_EQ(StatisticsOf(log).warmup_success().count(), 1);
  EXPECT_EQ(StatisticsOf(log).measured_success().count(), 2);
  EXPECT_FALSE(StatisticsOf(log).has_samples_left_out());
  // The other client has runs of nothing.
  EXPECT_EQ(cluster.Log("client/1").replays(0).runs(), 3);
  EXPECT_THAT(cluster.Log("client/1").replay_trace_logs(0).rpc_samples(), IsEmpty());
}

TEST(EngineReplayTest, FailuresAreLoggedWithTheirErrorAndHoldNothingUp) {
  EngineCluster cluster(Replay(R"(
    defaults { timing_mode: RELATIVE_TO_PRIOR_RPC_END server_instance: 0 client_instance: 0 }
    records { timing_mode: RELATIVE_TO_TRACE_START } records { })"));
  cluster.network().FailCalls(absl::UnavailableError("no way"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  const auto& samples = log.replay_trace_logs(0).rpc_samples();
  ASSERT_THAT(samples, SizeIs(2));
  EXPECT_EQ(samples.at(1).error_index(), 1);
  ASSERT_EQ(log.error_dictionary().error_message_size(), 2);
  EXPECT_EQ(log.error_dictionary().error_message(1), "UNAVAILABLE: no way");
  EXPECT_EQ(StatisticsOf(log).measured_failure().count(), 2);
  EXPECT_EQ(StatisticsOf(log).errors(0).count(), 2);
}

TEST(EngineReplayTest, ACancelledTestEndsAReplayAtOnce) {
  EngineCluster cluster(Replay(R"(
    defaults { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 client_instance: 0 }
    records { } records { server_processing_time_ns: 50000000000 }
    records { timing_ns: 60000000000 }
    records { timing_mode: RELATIVE_TO_PRIOR_RPC_END })"));
  cluster.network().SetTransit(Delayed(10 * kMs));
  cluster.Start();
  cluster.time().AdvanceBy(1000 * kMs);
  EXPECT_EQ(cluster.outcome("client/0"), std::nullopt);
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("enough"));
  ASSERT_TRUE(cluster.outcome("client/0").has_value());
  EXPECT_EQ(*cluster.outcome("client/0"), absl::CancelledError("enough"));
  const ServicePerformanceLog log = cluster.Log("client/0");
  EXPECT_THAT(log.replay_trace_logs(0).rpc_samples(), SizeIs(1));
  EXPECT_EQ(StatisticsOf(log).measured_success().count(), 1);
  EXPECT_EQ(StatisticsOf(log).cancelled(), 1);
}

TEST(EngineReplayTest, AServerThatIsCancelledAnswersWhatWaits) {
  EngineCluster cluster(Replay(R"(
    records { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 client_instance: 0
              server_processing_time_ns: 50000000000 })"));
  cluster.Start();
  cluster.time().AdvanceBy(kMs);
  cluster.engine("server/0").CancelTraffic(absl::CancelledError("enough"));
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  EXPECT_EQ(log.replay_trace_logs(0).rpc_samples().at(0).latency_ns(), kMs);
  ASSERT_EQ(log.error_dictionary().error_message_size(), 2);
  EXPECT_EQ(log.error_dictionary().error_message(1), "Traffic cancelled: CANCELLED: enough");
}

TEST(EngineReplayTest, TenThousandRecordsAreSentOnTime) {
  constexpr int kRecords = 10'000;
  std::string records = "defaults { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }";
  for (int i = 0; i < kRecords; ++i) {
    // Each hundredth waits for all of the hundred before it.
    if (i % 100 == 99) {
      absl::StrAppend(&records, " records { timing_mode: RELATIVE_TO_PRIOR_RPC_END ");
      for (int d = 0; d < 99; ++d) absl::StrAppend(&records, "prior_rpc_distances: ", d, " ");
      absl::StrAppend(&records, "}");
    } else {
      absl::StrAppend(&records, " records { timing_ns: ", (i * 7919 % kRecords) * kMs, " }");
    }
  }
  EngineCluster cluster(Replay(records));
  cluster.network().SetTransit(Delayed(10 * kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  const std::map<int32_t, int64_t> starts = StartsMs(log.replay_trace_logs(0));
  ASSERT_THAT(starts, SizeIs(kRecords));
  int64_t latest = 0;
  for (const auto& [record, start_ms] : starts) {
    if (record % 100 == 99) {
      ASSERT_EQ(start_ms, latest + 10) << record;
      latest = 0;
    } else {
      ASSERT_EQ(start_ms, record * 7919 % kRecords) << record;
      latest = std::max(latest, start_ms);
    }
  }
  EXPECT_EQ(StatisticsOf(log).measured_success().count(), kRecords);
  EXPECT_EQ(StatisticsOf(log).measured_success().lateness_ns().max(), 0);
}

TEST(EngineReplayTest, ALongChainOfRpcsNestsNothing) {
  std::string records = R"(
    defaults { timing_mode: RELATIVE_TO_PRIOR_RPC_END server_instance: 0 }
    records { timing_mode: RELATIVE_TO_TRACE_START })";
  for (int i = 1; i < 20'000; ++i) absl::StrAppend(&records, " records { }");
  EngineCluster cluster(Replay(records));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StatisticsOf(cluster.Log("client/1")).measured_success().count(), 20'000);
}

TEST(EngineReplayTest, AChannelPicksTheInstanceThatTheSampleNames) {
  EngineCluster cluster(
      absl::StrReplaceAll(Replay(R"(
        multiserver_channel_names: "both"
        defaults { client_instance: 0 multi_server_channel_name_index: 0 response_size: 100 }
        records { } records { server_processing_time_ns: 1000 } records { }
        records { server_instance: 0 })"),
                          {{R"(name: "server" count: 2)", R"(name: "server" count: 2
         multi_server_channels { name: "both" selected_instances: [0, 1] })"}}));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("client/0");
  std::multiset<int> served;
  for (const auto& [record, sample] : log.replay_trace_logs(0).rpc_samples()) {
    EXPECT_EQ(sample.error_index(), 0);
    EXPECT_EQ(sample.response_size(), 100) << record;
    EXPECT_EQ(sample.has_server_instance(), record < 3);
    if (record < 3) served.insert(sample.server_instance());
  }
  // In turn, beginning with either.
  EXPECT_GE(served.count(0), 1u);
  EXPECT_GE(served.count(1), 1u);
  const auto& peers = log.replays(0).peers();
  EXPECT_EQ(peers.at("server/0").measured_success().count(),
            static_cast<int64_t>(served.count(0)) + 1);
  EXPECT_EQ(peers.at("server/1").measured_success().count(), static_cast<int64_t>(served.count(1)));
}

TEST(EngineReplayTest, ATracedRunTellsItsCause) {
  EngineCluster cluster(R"(
    name: "traced" default_protocol: "fake"
    services { name: "client" } services { name: "root" } services { name: "leaf" }
    rpc_descriptions { name: "ask" client: "client" server: "root" tracing_interval: 2 }
    action_lists { name: "client" action_names: "ask" }
    actions { name: "ask" rpc_name: "ask" iterations { max_iteration_count: 3 } }
    action_lists { name: "ask" action_names: "replay" }
    actions { name: "replay" rpc_replay_trace_name: "trace" }
    rpc_replay_traces { name: "trace" client: "root" server: "leaf"
      records { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 } })");
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ServicePerformanceLog log = cluster.Log("root/0");
  ASSERT_EQ(log.replay_trace_logs_size(), 3);
  EXPECT_EQ(log.replay_trace_logs(0).trace_context().ShortDebugString(),
            "engine_ids: 0 actionlist_indices: 0 actionlist_invocations: 0 action_indices: 0 "
            "action_iterations: 0 fanout_index: 0");
  EXPECT_FALSE(log.replay_trace_logs(1).has_trace_context());
  EXPECT_TRUE(log.replay_trace_logs(2).has_trace_context());
}

// The error in the answer to a request of another program.
std::string ErrorOf(const RequestHead& head) {
  class Probe final : public ClientCall {
   public:
    void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override {
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_TRUE(DecodeResponse(response, &error).ok());
    }
    std::string error;
  };
  EngineCluster cluster(Replay(absl::StrCat("records { ", kAtStart, " }")));
  cluster.Connect();
  ProtocolDriver& driver = cluster.engine("client/0").driver();
  Probe probe;
  HeadBuffer buffer;
  probe.peer = InstanceIndex(2);
  probe.driver_state = driver.NewCallState();
  probe.request = buffer.EncodeRequest(head, 64);
  driver.StartCall(&probe);
  driver.ReleaseCall(&probe);
  return probe.error;
}

TEST(EngineReplayTest, ReplayedRequestsThatMakeNoSenseAreRefused) {
  EXPECT_EQ(ErrorOf({.response_payload_size = 10}), "");
  EXPECT_EQ(ErrorOf({}), "");
  EXPECT_EQ(ErrorOf({.response_payload_size = -1}), "response_payload_size out of range: -1");
  EXPECT_EQ(ErrorOf({.response_payload_size = int64_t{1} << 31}),
            "response_payload_size out of range: 2147483648");
  EXPECT_EQ(ErrorOf({.server_processing_time_ns = -5}),
            "server_processing_time_ns out of range: -5");
}

}  // namespace
}  // namespace distbench
