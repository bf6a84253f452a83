// The same RPCs give the same figures, byte for byte, whoever recorded them: one thread or eight,
// one node or twenty, one instance or twenty.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/results/canonical_bytes.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/merge.h"
#include "distbench/results/recorder.h"
#include "distbench/results/rpc_statistics.h"
#include "distbench/results/summary.h"
#include "distbench/results/test_figures.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr size_t kClients = 20;
constexpr WallAnchor kAnchor{.wall_ns = 1'700'000'000'000'000'000, .monotonic_ns = 12'345};

using Traffic = std::vector<MadeUpRpc>;

class MergeExactnessTest : public testing::Test {
 protected:
  Traffic TrafficOf(size_t client) const { return MadeUpTraffic(*plan_, 400, client); }

  // What one instance logs that records `traffic` on `threads` threads at a time, each with every
  // so manieth RPC.
  ServicePerformanceLog LogOf(const Traffic& traffic, size_t threads) const {
    std::vector<std::unique_ptr<Recorder>> recorders;
    std::vector<std::thread> running;
    for (size_t i = 0; i < threads; ++i) {
      recorders.push_back(
          std::make_unique<Recorder>(RecorderOptions{.plan = plan_, .self = InstanceIndex(0)}));
      running.emplace_back([&traffic, threads, i, recorder = recorders.back().get()] {
        for (size_t k = i; k < traffic.size(); k += threads) Record(traffic[k], *recorder);
      });
    }
    for (std::thread& thread : running) thread.join();
    std::vector<const Recorder*> shards;
    for (const auto& recorder : recorders) shards.push_back(recorder.get());
    return BuildServiceLog(shards, kAnchor);
  }

  // The result of a test whose clients are spread over `nodes` nodes, which answer in any order.
  TestResult Measure(const std::vector<Traffic>& traffic, size_t threads, size_t nodes) {
    std::vector<GetTrafficResultResponse> answers(nodes);
    for (size_t client = 0; client < traffic.size(); ++client) {
      auto& logs = *answers[client % nodes].mutable_service_logs()->mutable_instance_logs();
      logs[absl::StrCat("client/", client)] = LogOf(traffic[client], threads);
    }
    std::shuffle(answers.begin(), answers.end(), random_);
    TestResult result;
    for (GetTrafficResultResponse& answer : answers) {
      const absl::Status status = MergeNodeResult(std::move(answer), result);
      EXPECT_TRUE(status.ok()) << status;
    }
    return result;
  }

  // All that a test's figures hold over all instances: counters, errors, histograms.
  std::string CanonicalFigures(const TestResult& result) const {
    const TestFigures figures(*plan_, result.service_logs());
    EXPECT_TRUE(figures.unusable().empty());
    RpcStatistics totals;
    WriteTotals(figures.totals(), WallAnchor(), totals);
    std::string bytes = CanonicalBytes(totals);
    for (const auto& [text, count] : figures.errors()) absl::StrAppend(&bytes, text, count);
    for (const auto& [rpc, times] : figures.times()) {
      for (const LogLinearHistogram* histogram :
           {&times.service_time, &times.response_time, &times.lateness}) {
        Histogram message;
        WriteHistogram(*histogram, message);
        absl::StrAppend(&bytes, rpc, CanonicalBytes(message));
      }
    }
    return bytes;
  }

  // Without the sections that tell instances apart.
  std::string SummaryOverAllInstances(const TestResult& result) const {
    std::string text;
    bool is_over_all = true;
    for (const std::string& line : SummarizeTest(*plan_, result)) {
      if (line.substr(0, 2) != "  ") {
        is_over_all = line != "Communication summary:" && line != "Instance summary:";
      }
      if (is_over_all) absl::StrAppend(&text, line, "\n");
    }
    return text;
  }

  const std::shared_ptr<const Plan> plan_ =
      MadeUpPlan({.clients = kClients, .servers = 3, .rpcs = {"get", "put", "list"}});
  std::mt19937_64 random_{1};
};

TEST_F(MergeExactnessTest, ThreadsAndNodesMakeNoDifference) {
  std::vector<Traffic> traffic;
  for (size_t client = 0; client < kClients; ++client) traffic.push_back(TrafficOf(client));
  const TestResult expected = Measure(traffic, /*threads=*/1, /*nodes=*/1);
  const std::vector<std::string> summary = SummarizeTest(*plan_, expected);
  const std::pair<size_t, size_t> kThreadsAndNodes[] = {{8, 1}, {1, 20}, {8, 20}, {3, 7}};
  for (const auto& [threads, nodes] : kThreadsAndNodes) {
    const TestResult result = Measure(traffic, threads, nodes);
    EXPECT_TRUE(CanonicalBytes(result) == CanonicalBytes(expected))
        << threads << " threads, " << nodes << " nodes";
    EXPECT_EQ(SummarizeTest(*plan_, result), summary);
  }
}

TEST_F(MergeExactnessTest, InstancesMakeNoDifferenceToFiguresOverAllOfThem) {
  Traffic all;
  std::vector<Traffic> spread(kClients);
  for (size_t client = 0; client < kClients; ++client) {
    for (const MadeUpRpc& rpc : TrafficOf(client)) {
      spread[random_() % kClients].push_back(rpc);
      all.push_back(rpc);
    }
  }
  const TestResult one = Measure({all}, /*threads=*/1, /*nodes=*/1);
  const TestResult twenty = Measure(spread, /*threads=*/8, /*nodes=*/20);
  EXPECT_TRUE(CanonicalFigures(twenty) == CanonicalFigures(one));
  EXPECT_EQ(SummaryOverAllInstances(twenty), SummaryOverAllInstances(one));
}

}  // namespace
}  // namespace distbench
