// Whole summaries as text, with the sections beyond those of the public format.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/iteration_times.h"
#include "distbench/results/made_up_result.h"
#include "distbench/results/served_recorder.h"
#include "distbench/results/summary.h"
#include "distbench/results/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// 100 RPCs, one each 10 ms, that take 190 ns and are 10 ns late.
constexpr char kOpenLoopSummary[] =
    R"(RPC latency summary:
  query: N: 100 min: 190ns median: 190ns 90%: 190ns 99%: 190ns 99.9%: 190ns max: 190ns
Communication summary:
  client/0 -> server/0: RPCs: 100 (0.10 kQPS) Request: 0.0 MiB/s Response: 0.0 MiB/s
Instance summary:
  client/0: Tx: 0.0 MiB/s, Rx:0.0 MiB/s
  server/0: Tx: 0.0 MiB/s, Rx:0.0 MiB/s
Global summary:
  Total samples: 100
  Failed samples: 0
  Warmup samples: 0
  Total time: 0.990s
  Total Tx: 0 MiB (0.0 MiB/s), Total Nb RPCs: 100 (0.10 kQPS)
RPC statistics:
  query: mean: 190ns stddev: 0ns 99.99%: 190ns
Open loop summary:
  query response time: N: 100 median: 200ns 90%: 200ns 99%: 200ns )"
    R"(99.9%: 200ns 99.99%: 200ns max: 200ns
  query service time: N: 100 median: 190ns 90%: 190ns 99%: 190ns )"
    R"(99.9%: 190ns 99.99%: 190ns max: 190ns
  query lateness: N: 100 median: 10ns 90%: 10ns 99%: 10ns 99.9%: 10ns 99.99%: 10ns max: 10ns
CPU summary:
  node0: CPU: 0.500s (25.3% of 2 CPUs) RPCs: 100 (200.0 per CPU second)
  node1: CPU: 0.250s (12.6% of 2 CPUs) RPCs: 100 (400.0 per CPU second)
Verdict: valid
Notes:
  pacing 'hybrid' or 'spin' would start query of client/0 nearer to its time )"
    R"((lateness 99%: 10ns, response time median: 200ns)
  query: 100 RPCs are too few for 99%, 99.9%, 99.99%)";

class SummarySectionsTest : public testing::Test {
 protected:
  SummarySectionsTest() {
    test_.SetIterations(OpenLoopIterations(100, kIntervalNs));
    test_.SetLoad("client/0",
                  {.count = 100, .interval_ns = kIntervalNs, .lateness_ns = 10, .service_ns = 190});
    test_.AddNode("node0", {"client/0"});
    test_.AddNode("node1", {"server/0"});
    test_.SetCpuSeconds("node0", 0.5);
    test_.SetCpuSeconds("node1", 0.25);
  }

  // As the sequencer does it.
  std::vector<std::string> JudgeAndSummarize() {
    *test_.result().mutable_report()->mutable_verdict() =
        JudgeTest(test_.plan(), test_.result(), test_.plan().verdict_thresholds);
    return SummarizeTest(test_.plan(), test_.result());
  }
  static std::vector<std::string> From(const std::string& title,
                                       const std::vector<std::string>& lines) {
    return {std::find(lines.begin(), lines.end(), title), lines.end()};
  }

  static constexpr int64_t kIntervalNs = 10'000'000;
  MadeUpResult test_{{.rpcs = {"query"}}};
};

TEST_F(SummarySectionsTest, AnOpenLoopShowsAllItsTimes) {
  EXPECT_EQ(absl::StrJoin(JudgeAndSummarize(), "\n"), kOpenLoopSummary);
}

TEST_F(SummarySectionsTest, TheVerdictStandsBeforeWhatWentWrong) {
  test_.plan().verdict_thresholds.noted_lateness = 1;
  test_.result().mutable_report()->mutable_nodes(1)->set_start_skew_ns(25'100'000);
  test_.SetLog("client/0", [](Recorder& recorder) {
    for (int64_t i = 0; i < 90; ++i) {
      recorder.RecordFailure({.server = InstanceIndex(1),
                              .open_loop = true,
                              .intended_start_ns = i * kIntervalNs,
                              .start_ns = i * kIntervalNs,
                              .end_ns = i * kIntervalNs + 100},
                             "reset");
    }
  });
  EXPECT_THAT(
      From("CPU summary:", JudgeAndSummarize()),
      testing::ElementsAre(
          "CPU summary:", "  node0: CPU: 0.500s (28.1% of 2 CPUs) RPCs: 90 (180.0 per CPU second)",
          "  node1: CPU: 0.250s (14.0% of 2 CPUs) RPCs: 90 (360.0 per CPU second)",
          "Verdict: INVALID: query was not measured: all 90 RPCs failed; offered load of client/0 "
          "missed by 10.0 % (query: 100 RPCs were due, 90 were started); node1 started 25.1ms late",
          "Errors:", "  90 x: reset"));
}

TEST_F(SummarySectionsTest, NodesOfOneProcessHaveOneLine) {
  for (NodeReport& node : *test_.result().mutable_report()->mutable_nodes()) {
    node.mutable_provenance()->set_hostname("host");
  }
  EXPECT_THAT(
      JudgeAndSummarize(),
      testing::Contains("  node0, node1: CPU: 0.500s (25.3% of 2 CPUs) RPCs: 100 (200.0 per CPU "
                        "second)"));
}

TEST_F(SummarySectionsTest, TimesOfServersAndIterationsAreMergedOverInstances) {
  ServedRecorder servers[] = {ServedRecorder(1), ServedRecorder(1)};
  for (int64_t i = 0; i < 100; ++i) {
    servers[i % 2].Record({.rpc = RpcIndex(0), .begin_ns = i, .end_ns = i + 200 + i / 99});
  }
  auto& logs = *test_.result().mutable_service_logs()->mutable_instance_logs();
  WriteServedRpcs({&servers[0]}, logs["server/0"]);
  WriteServedRpcs({&servers[1]}, logs["server/1"]);
  HistogramPageSlab slab;
  IterationTimesByAction times;
  const std::pair place(*test_.plan().services[ServiceIndex(0)].main_list, ActionIndex(0));
  IterationTimes& ask = times.try_emplace(place, slab).first->second;
  ask.service_time.Record(300);
  WriteIterationTimes(times, test_.plan(), logs["client/1"]);
  ask.service_time.Record(400);
  ask.response_time.Record(410);
  WriteIterationTimes(times, test_.plan(), logs["client/0"]);
  const std::vector<std::string> lines = SummarizeTest(test_.plan(), test_.result());
  const auto end = std::find(lines.begin(), lines.end(), "CPU summary:");
  EXPECT_THAT(std::vector<std::string>(std::find(lines.begin(), end, "Server summary:"), end),
              testing::ElementsAre(
                  "Server summary:",
                  "  query: N: 100 queue median: 50ns 99%: 99ns max: 99ns handler median: 200ns "
                  "99%: 201ns max: 201ns",
                  "Iteration summary:",
                  "  client/ask: N: 3 service median: 300ns 99%: 400ns max: 400ns response median: "
                  "410ns 99%: 410ns max: 410ns"));
}

TEST_F(SummarySectionsTest, OneWayRpcsSayHowManyWereServedAndWhatEndsThem) {
  ServedRecorder server(1);
  for (int i = 0; i < 90; ++i) server.Record({.rpc = RpcIndex(0)});
  auto& logs = *test_.result().mutable_service_logs()->mutable_instance_logs();
  WriteServedRpcs({&server}, logs["server/0"]);
  const auto section = [&] {
    const std::vector<std::string> lines = SummarizeTest(test_.plan(), test_.result());
    const auto begin = std::find(lines.begin(), lines.end(), "One-way summary:");
    return std::vector<std::string>(begin, std::min(begin + 2, lines.end()));
  };
  EXPECT_THAT(section(), testing::IsEmpty());
  const auto sent = [&](const char* until) {
    return testing::ElementsAre("One-way summary:", absl::StrCat("  query: sent: 100 served: 90 "
                                                                 "service time until ",
                                                                 until));
  };
  (*logs["client/0"].mutable_one_way_rpcs())[0] = HANDED_OVER;
  EXPECT_THAT(section(), sent("handed over"));
  (*logs["client/1"].mutable_one_way_rpcs())[0] = ACKNOWLEDGED;
  EXPECT_THAT(section(), sent("handed over or acknowledged"));
  (*logs["client/0"].mutable_one_way_rpcs())[0] = ACKNOWLEDGED;
  EXPECT_THAT(section(), sent("acknowledged"));
}

TEST_F(SummarySectionsTest, TimesThatContradictThemselvesAreListed) {
  auto& logs = *test_.result().mutable_service_logs()->mutable_instance_logs();
  (*logs["server/0"].mutable_served_rpcs())[0].mutable_queue_time_ns()->set_count(-1);
  logs["server/0"].add_iterations()->mutable_response_time_ns()->set_sub_bucket_bits(99);
  EXPECT_THAT(From("Left out of this summary:", SummarizeTest(test_.plan(), test_.result())),
              testing::ElementsAre(
                  "Left out of this summary:",
                  testing::StartsWith("  server/0: served_rpcs[0].queue_time_ns.count is -1;"),
                  testing::StartsWith("  server/0: iterations[0].response_time_ns.sub_bucket_bits "
                                      "is 99;")));
}

TEST_F(SummarySectionsTest, StatisticsOfDriversAreSummedPerServiceInTheirOrder) {
  MadeUpResult test({.clients = 2});
  auto& logs = *test.result().mutable_service_logs()->mutable_instance_logs();
  const auto add = [&](const std::string& instance, const std::string& name, int64_t value) {
    DriverStatisticLog& statistic = *logs[instance].add_driver_statistics();
    statistic.set_name(name);
    statistic.set_value(value);
  };
  add("client/0", "sent", 3);
  add("client/0", "late", 1);
  add("client/1", "late", 10);
  add("client/1", "lost", 4);
  add("server/0", "sent", 0);
  EXPECT_THAT(From("Driver statistics:", SummarizeTest(test.plan(), test.result())),
              testing::ElementsAre("Driver statistics:", "  client: sent: 3 late: 11 lost: 4",
                                   "  server: sent: 0"));
}

TEST_F(SummarySectionsTest, IterationsOfActivitiesAreSummedOverInstances) {
  MadeUpResult test({.clients = 2});
  Plan plan = test.plan();
  for (const char* name : {"sort", "nap", "read"}) plan.activities.push_back({.name = name});
  auto& logs = *test.result().mutable_service_logs()->mutable_instance_logs();
  const auto add = [&](const std::string& instance, const std::string& activity, int64_t count) {
    ActivityMetric& metric =
        *(*logs[instance].mutable_activity_logs())[activity].add_activity_metrics();
    metric.set_name("iteration_count");
    metric.set_value_int(count);
  };
  add("client/0", "read", 5);
  add("client/0", "sort", 30);
  add("server/0", "sort", 12);
  EXPECT_THAT(
      From("Activity summary:", SummarizeTest(plan, test.result())),
      testing::ElementsAre("Activity summary:", "  sort: iterations: 42", "  read: iterations: 5"));
}

TEST_F(SummarySectionsTest, CalibratedWorkIsShownWithItsTimesAndCalibrations) {
  MadeUpResult test({.clients = 2});
  Plan plan = test.plan();
  plan.activities.push_back({.name = "calculate"});
  auto& logs = *test.result().mutable_service_logs()->mutable_instance_logs();
  const auto add = [&](const std::string& instance, int64_t time_ns, double units_per_us) {
    ActivityLog& log = (*logs[instance].mutable_activity_logs())["calculate"];
    log.add_activity_metrics()->set_name("iteration_count");
    log.mutable_activity_metrics(0)->set_value_int(1);
    CalibratedWorkStatistics& work = *log.mutable_calibrated_work();
    work.set_kind("cpu");
    work.set_nominal_ns(400);
    work.set_units_per_us(units_per_us);
    work.set_disagreement(0.0125);
    HistogramPageSlab slab;
    LogLinearHistogram times(slab);
    times.Record(time_ns);
    WriteHistogram(times, *work.mutable_cpu_time_ns());
    times.Record(time_ns + 10);
    WriteHistogram(times, *work.mutable_wall_time_ns());
  };
  add("client/0", 401, 21.25);
  add("client/1", 403, 20);
  EXPECT_THAT(
      From("Activity summary:", SummarizeTest(plan, test.result())),
      testing::ElementsAre(
          "Activity summary:",
          "  calculate: iterations: 2 cpu work of 400 ns cpu median: 403ns 99%: 403ns max: 403ns "
          "wall median: 411ns 99%: 413ns max: 413ns calibration: 20.0 to 21.2 units/us (to 1.2 "
          "%)"));
}

TEST_F(SummarySectionsTest, WhatIsNotKnownIsLeftOut) {
  NodeReport& node = *test_.result().mutable_report()->mutable_nodes(0);
  node.clear_instances();
  node.clear_provenance();
  test_.SetCpuSeconds("node1", 0);
  const std::vector<std::string> lines = SummarizeTest(test_.plan(), test_.result());
  EXPECT_THAT(From("CPU summary:", lines),
              testing::ElementsAre("CPU summary:", "  node0: CPU: 0.500s",
                                   "  node1: CPU: 0.000s (0.0% of 2 CPUs) RPCs: 100"));
}

}  // namespace
}  // namespace distbench
