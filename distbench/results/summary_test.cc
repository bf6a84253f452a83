#include "distbench/results/summary.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The public format's, and what follows it where the result has logs only.
constexpr char kWholeSummary[] =
    R"(RPC latency summary:
  client_server_rpc: N: 141510 min: 5402961ns median: 19218431ns )"
    R"(90%: 30851071ns 99%: 39550975ns 99.9%: 53837823ns max: 78776286ns
Communication summary:
  client/0 -> server/0: RPCs: 141510 (4.72 kQPS) Request: 0.9 MiB/s Response: 1178.8 MiB/s
Instance summary:
  client/0: Tx: 0.9 MiB/s, Rx:1178.8 MiB/s
  server/0: Tx: 1178.8 MiB/s, Rx:0.9 MiB/s
Global summary:
  Total samples: 141510
  Failed samples: 0
  Warmup samples: 0
  Total time: 30.012s
  Total Tx: 35403 MiB (1179.6 MiB/s), Total Nb RPCs: 141510 (4.72 kQPS)
RPC statistics:
  client_server_rpc: mean: 20481813ns stddev: 3939644ns 99.99%: 53837823ns)";

std::vector<std::string> Section(const std::string& title, const std::vector<std::string>& lines) {
  const auto begin = std::find(lines.begin(), lines.end(), title);
  if (begin == lines.end()) return {};
  const auto end = std::find_if(begin + 1, lines.end(),
                                [](const std::string& line) { return line.substr(0, 2) != "  "; });
  return {begin + 1, end};
}

class SummaryTest : public testing::Test {
 protected:
  void UsePlan(const MadeUpPlanOptions& options) { plan_ = MadeUpPlan(options); }

  RpcRecord To(size_t server, int64_t start_ns, int64_t end_ns) const {
    return {.server = InstanceIndex(plan_->services[ServiceIndex(1)].first.value() + server),
            .start_ns = start_ns,
            .end_ns = end_ns,
            .request_bytes = 1 << 20,
            .response_bytes = 1 << 21};
  }

  // Adds the log of `client` with what `record` records.
  template <typename RecordRpcs>
  void AddClient(const std::string& client, RecordRpcs record, int64_t max_samples = 1 << 20) {
    Recorder recorder({.plan = plan_, .self = InstanceIndex(0), .max_samples = max_samples});
    record(recorder);
    (*logs().mutable_instance_logs())[client] = BuildServiceLog({&recorder}, WallAnchor());
  }

  std::vector<std::string> Summarize() const { return SummarizeTest(*plan_, result_); }
  ServiceLogs& logs() { return *result_.mutable_service_logs(); }

  std::shared_ptr<const Plan> plan_ = MadeUpPlan({});
  TestResult result_;
};

// As many RPCs with as many bytes in as much time as kWholeSummary says. Latencies rise in steps;
// a percentile shows as the middle of its bucket, within 0.2 % of the step.
TEST_F(SummaryTest, HasTheLookThatPeopleKnow) {
  constexpr int64_t kCount = 141'510;
  constexpr int64_t kLast = 30'012'400'000;
  AddClient("client/0", [&](Recorder& recorder) {
    for (int64_t i = 0; i < kCount; ++i) {
      const int64_t latency_ns = i == 0                    ? 5'402'961
                                 : i < kCount * 900 / 1000 ? 19'215'859
                                 : i < kCount * 990 / 1000 ? 30'860'901
                                 : i < kCount * 999 / 1000 ? 39'562'988
                                 : i + 1 < kCount          ? 53'808'005
                                                           : 78'776'286;
      const int64_t end_ns = i + 1 < kCount ? latency_ns + i * 100'000 : kLast;
      RpcRecord record = To(0, i == 0 ? 0 : end_ns - latency_ns, i == 0 ? latency_ns : end_ns);
      record.request_bytes = 196;
      record.response_bytes = 262'144;
      recorder.RecordSuccess(record);
    }
  });
  EXPECT_EQ(absl::StrJoin(Summarize(), "\n"), kWholeSummary);
}

TEST_F(SummaryTest, RpcsAreInConfigOrderAndShowWhenThereWereNone) {
  UsePlan({.rpcs = {"zebra", "never_sent", "ant"}});
  AddClient("client/0", [&](Recorder& recorder) {
    RpcRecord record = To(0, 100, 200);
    recorder.RecordSuccess(record);
    record.rpc = RpcIndex(2);
    recorder.RecordSuccess(record);
  });
  EXPECT_THAT(Section("RPC latency summary:", Summarize()),
              ElementsAre(HasSubstr("  zebra: N: 1 min: 100ns"), "  never_sent: N: 0",
                          HasSubstr("  ant: N: 1 min: 100ns")));
}

TEST_F(SummaryTest, InstancesAreInConfigOrderBeyondNine) {
  UsePlan({.clients = 11, .servers = 11});
  for (const size_t client : {10, 9, 1}) {
    AddClient(absl::StrCat("client/", client), [&](Recorder& recorder) {
      recorder.RecordSuccess(To(10, 0, 1'000'000'000));
      recorder.RecordSuccess(To(9, 0, 1'000'000'000));
    });
  }
  EXPECT_THAT(
      Section("Communication summary:", Summarize()),
      ElementsAre(HasSubstr("client/1 -> server/9:"), HasSubstr("client/1 -> server/10:"),
                  HasSubstr("client/9 -> server/9:"), HasSubstr("client/9 -> server/10:"),
                  HasSubstr("client/10 -> server/9:"), HasSubstr("client/10 -> server/10:")));
  EXPECT_THAT(Section("Instance summary:", Summarize()),
              ElementsAre("  client/1: Tx: 2.0 MiB/s, Rx:4.0 MiB/s",
                          "  client/9: Tx: 2.0 MiB/s, Rx:4.0 MiB/s",
                          "  client/10: Tx: 2.0 MiB/s, Rx:4.0 MiB/s",
                          "  server/9: Tx: 6.0 MiB/s, Rx:3.0 MiB/s",
                          "  server/10: Tx: 6.0 MiB/s, Rx:3.0 MiB/s"));
}

TEST_F(SummaryTest, ServicesAreInConfigOrderWhateverTheirNames) {
  UsePlan({.client = "zebra"});
  AddClient("zebra/0", [&](Recorder& recorder) { recorder.RecordSuccess(To(0, 1, 2)); });
  EXPECT_THAT(Section("Instance summary:", Summarize()),
              ElementsAre(HasSubstr("  zebra/0:"), HasSubstr("  server/0:")));
}

TEST_F(SummaryTest, APairHasOneLineOverAllItsRpcs) {
  UsePlan({.rpcs = {"get", "put"}});
  AddClient("client/0", [&](Recorder& recorder) {
    RpcRecord record = To(0, 0, 2'000'000'000);
    recorder.RecordSuccess(record);
    record.rpc = RpcIndex(1);
    recorder.RecordSuccess(record);
  });
  EXPECT_THAT(Section("Communication summary:", Summarize()),
              ElementsAre("  client/0 -> server/0: RPCs: 2 (0.00 kQPS) Request: 1.0 MiB/s "
                          "Response: 2.0 MiB/s"));
}

TEST_F(SummaryTest, WarmupAndFailuresAreInNoRate) {
  AddClient("client/0", [&](Recorder& recorder) {
    recorder.RecordSuccess(To(0, 10'000'000'000, 12'000'000'000));
  });
  const std::vector<std::string> clean = Summarize();
  AddClient("client/0", [&](Recorder& recorder) {
    recorder.RecordSuccess(To(0, 10'000'000'000, 12'000'000'000));
    RpcRecord failed = To(0, 1, 50'000'000'000);
    recorder.RecordFailure(failed, "reset");
    RpcRecord warmup = To(0, 1, 50'000'000'000);
    warmup.warmup = true;
    recorder.RecordSuccess(warmup);
    recorder.RecordFailure(warmup, "reset");
  });
  const std::vector<std::string> mixed = Summarize();
  EXPECT_THAT(Section("Global summary:", mixed),
              ElementsAre("  Total samples: 4", "  Failed samples: 2", "  Warmup samples: 2",
                          "  Total time: 2.000s",
                          "  Total Tx: 3 MiB (1.5 MiB/s), Total Nb RPCs: 1 (0.00 kQPS)"));
  for (const char* title :
       {"RPC latency summary:", "Communication summary:", "Instance summary:"}) {
    EXPECT_EQ(Section(title, mixed), Section(title, clean));
  }
}

TEST_F(SummaryTest, FiguresCoverRpcsWithoutSamples) {
  AddClient(
      "client/0",
      [&](Recorder& recorder) {
        for (int i = 0; i < 1000; ++i) recorder.RecordSuccess(To(0, i, i + 100 + i));
      },
      /*max_samples=*/10);
  const std::vector<std::string> lines = Summarize();
  EXPECT_THAT(lines, Contains(HasSubstr("N: 1000 min: 100ns median: 600ns")));
  EXPECT_THAT(lines, Contains(HasSubstr("RPCs: 1000 ")));
  EXPECT_THAT(lines, Contains("Samples left out: 990"));
}

TEST_F(SummaryTest, WhatWentWrongFollowsTheGlobalSummary) {
  UsePlan({.clients = 2});
  AddClient("client/0", [&](Recorder& recorder) {
    recorder.RecordFailure(To(0, 1, 2), "reset");
    recorder.RecordFailure(To(0, 1, 2), "gone\nfor good");
    recorder.RecordCancelled(RpcIndex(0), To(0, 0, 0).server);
    recorder.RecordAbandoned(RpcIndex(0), To(0, 0, 0).server);
  });
  AddClient("client/1", [&](Recorder& recorder) { recorder.RecordFailure(To(0, 1, 2), "reset"); });
  (*logs().mutable_instance_logs())["client/1"].set_engine_error_message("no memory");
  const std::vector<std::string> lines = Summarize();
  const auto global = std::find(lines.begin(), lines.end(), "Global summary:");
  ASSERT_GT(lines.end() - global, 6);
  EXPECT_THAT(std::vector<std::string>(global + 6, lines.end()),
              ElementsAre("Errors:", "  2 x: reset", "  1 x: gone\\nfor good", "Cancelled RPCs: 1",
                          "Abandoned RPCs: 1", "Engine errors:", "  client/1: no memory"));
}

TEST_F(SummaryTest, ManyDifferentErrorsAreCountedTogether) {
  AddClient("client/0", [&](Recorder& recorder) {
    for (int i = 0; i < 50; ++i) recorder.RecordFailure(To(0, 1, 2), absl::StrCat("error ", i));
  });
  const std::vector<std::string> errors = Section("Errors:", Summarize());
  ASSERT_EQ(errors.size(), 21u);
  EXPECT_EQ(errors.back(), "  30 x: 30 other errors");
}

TEST_F(SummaryTest, ATestWithoutTrafficHasNoRates) {
  EXPECT_THAT(
      Summarize(),
      ElementsAre("RPC latency summary:", "  client_server_rpc: N: 0", "Communication summary:",
                  "Instance summary:", "Global summary:", "  Total samples: 0",
                  "  Failed samples: 0", "  Warmup samples: 0", "  Total time: 0.000s",
                  "  Total Tx: 0 MiB (0.0 MiB/s), Total Nb RPCs: 0 (0.00 kQPS)"));
}

TEST_F(SummaryTest, NamesThatTheConfigDoesNotKnowAreShown) {
  AddClient("stranger/10", [&](Recorder& recorder) { recorder.RecordSuccess(To(0, 1, 2)); });
  AddClient("stranger/9", [&](Recorder& recorder) { recorder.RecordSuccess(To(0, 1, 2)); });
  for (auto& [name, log] : *logs().mutable_instance_logs()) {
    (*log.mutable_rpc_statistics())[-7] = log.rpc_statistics().at(0);
  }
  const std::vector<std::string> lines = Summarize();
  EXPECT_THAT(
      Section("Communication summary:", lines),
      ElementsAre(HasSubstr("stranger/9 -> server/0"), HasSubstr("stranger/10 -> server/0")));
  EXPECT_THAT(lines, Contains(HasSubstr("unknown RPC -7: N: 2 ")));
}

TEST_F(SummaryTest, UnsoundStatisticsCountForNothingAndAreListed) {
  AddClient("client/0", [&](Recorder& recorder) { recorder.RecordSuccess(To(0, 1, 2)); });
  ServicePerformanceLog& log = (*logs().mutable_instance_logs())["client/0"];
  log.mutable_rpc_statistics()
      ->at(0)
      .mutable_measured_success()
      ->mutable_service_time_ns()
      ->set_sub_bucket_bits(-1);
  log.mutable_peer_logs()
      ->at("server/0")
      .mutable_rpc_logs()
      ->at(0)
      .mutable_statistics()
      ->set_cancelled(-1);
  const std::vector<std::string> lines = Summarize();
  EXPECT_THAT(lines, Contains("  Total samples: 0"));
  EXPECT_THAT(
      Section("Left out of this summary:", lines),
      ElementsAre(
          HasSubstr("client/0: peer_logs[server/0].rpc_logs[0].statistics.cancelled is -1"),
          HasSubstr("client/0: rpc_statistics[0].measured_success.service_time_ns.sub_bucket_bits "
                    "is -1")));
  EXPECT_THAT(lines, Not(Contains("Errors:")));
}

}  // namespace
}  // namespace distbench
