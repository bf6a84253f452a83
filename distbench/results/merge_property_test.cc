// What must hold for any traffic, however it is spread over shards, instances and nodes: tried with
// made-up traffic from fixed seeds.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/results/canonical_bytes.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/merge.h"
#include "distbench/results/recorder.h"
#include "distbench/results/summary.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr WallAnchor kAnchor{.wall_ns = 1'700'000'000'000'000'000, .monotonic_ns = 12'345};

// The log of one instance that recorded `traffic` on `shards` shards, at random.
ServicePerformanceLog LogOf(const std::shared_ptr<const Plan>& plan,
                            const std::vector<MadeUpRpc>& traffic, size_t shards,
                            std::mt19937_64& random) {
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (size_t i = 0; i < shards; ++i) {
    recorders.push_back(
        std::make_unique<Recorder>(RecorderOptions{.plan = plan, .self = InstanceIndex(0)}));
  }
  for (const MadeUpRpc& rpc : traffic) Record(rpc, *recorders[random() % shards]);
  std::vector<const Recorder*> order;
  for (const auto& recorder : recorders) order.push_back(recorder.get());
  std::shuffle(order.begin(), order.end(), random);
  return BuildServiceLog(order, kAnchor);
}

// As a program would report it that knows samples only.
void ForgetStatistics(ServicePerformanceLog& log) {
  log.clear_rpc_statistics();
  for (auto& [peer, peer_log] : *log.mutable_peer_logs()) {
    for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) rpc_log.clear_statistics();
  }
}

class MergePropertyTest : public testing::TestWithParam<uint64_t> {
 protected:
  static constexpr size_t kClients = 12;

  std::vector<MadeUpRpc> Traffic(size_t count, uint64_t salt = 0) const {
    return MadeUpTraffic(*plan_, count, GetParam() * 1000 + salt);
  }

  // One node per client, `node<i>` with `client/<i>`.
  std::vector<GetTrafficResultResponse> Nodes() {
    std::vector<GetTrafficResultResponse> nodes(kClients);
    for (size_t i = 0; i < kClients; ++i) {
      auto& logs = *nodes[i].mutable_service_logs()->mutable_instance_logs();
      logs[absl::StrCat("client/", i)] = LogOf(plan_, Traffic(200, i), 1 + i % 3, random_);
      (*nodes[i].mutable_node_usages())[absl::StrCat("node", i)];
      nodes[i].mutable_report()->set_node_alias(absl::StrCat("node", i));
    }
    return nodes;
  }

  static TestResult Merge(std::vector<GetTrafficResultResponse> nodes) {
    TestResult result;
    for (GetTrafficResultResponse& node : nodes) {
      const absl::Status status = MergeNodeResult(std::move(node), result);
      EXPECT_TRUE(status.ok()) << status;
    }
    return result;
  }

  // Other programs do not tell when an RPC was intended to start.
  std::vector<std::string> SummaryWithoutOpenLoops(const TestResult& result) const {
    std::vector<std::string> lines = SummarizeTest(*plan_, result);
    const auto begin = std::find(lines.begin(), lines.end(), "Open loop summary:");
    if (begin == lines.end()) return lines;
    lines.erase(begin, std::find_if(begin + 1, lines.end(), [](const std::string& line) {
                  return line.substr(0, 2) != "  ";
                }));
    return lines;
  }

  const std::shared_ptr<const Plan> plan_ =
      MadeUpPlan({.clients = kClients, .servers = 3, .rpcs = {"get", "put", "list"}});
  std::mt19937_64 random_{GetParam()};
};

TEST_P(MergePropertyTest, ShardsMakeNoDifference) {
  const std::vector<MadeUpRpc> traffic = Traffic(2000);
  const std::string one = CanonicalBytes(LogOf(plan_, traffic, 1, random_));
  for (const size_t shards : {2, 3, 8}) {
    EXPECT_EQ(CanonicalBytes(LogOf(plan_, traffic, shards, random_)), one) << shards << " shards";
  }
}

// Two of three lists keep only some of their samples.
TEST_P(MergePropertyTest, LimitedSamplesAreTheSameOnAnyShardsAndChangeNoFigure) {
  const auto plan = std::make_shared<Plan>(*plan_);
  plan->lists[ListIndex(0)].max_rpc_samples = 50;
  plan->lists[ListIndex(2)].max_rpc_samples = 5000;
  std::vector<MadeUpRpc> traffic = Traffic(2000);
  ServicePerformanceLog all = LogOf(plan, traffic, 1, random_);
  for (MadeUpRpc& rpc : traffic) {
    if (rpc.record.rpc == RpcIndex(1)) continue;
    rpc.record.is_limited = true;
    rpc.record.list = ListIndex(rpc.record.rpc.value());
    rpc.record.sample_priority = random_();
  }
  ServicePerformanceLog one = LogOf(plan, traffic, 1, random_);
  for (const size_t shards : {2, 3, 8}) {
    EXPECT_EQ(CanonicalBytes(LogOf(plan, traffic, shards, random_)), CanonicalBytes(one)) << shards;
  }
  int64_t kept = 0;
  for (auto& [peer, peer_log] : *one.mutable_peer_logs()) {
    const RpcPerformanceLog& get = peer_log.rpc_logs().at(0);
    kept += get.successful_rpc_samples_size() + get.failed_rpc_samples_size();
  }
  EXPECT_EQ(kept, 50);
  EXPECT_GT(one.rpc_statistics().at(0).samples_left_out(), 0);
  EXPECT_EQ(one.rpc_statistics().at(2).samples_left_out(), 0);
  for (ServicePerformanceLog* log : {&all, &one}) {
    for (auto& [peer, peer_log] : *log->mutable_peer_logs()) {
      for (auto& [rpc, rpc_log] : *peer_log.mutable_rpc_logs()) {
        rpc_log.clear_successful_rpc_samples();
        rpc_log.clear_failed_rpc_samples();
        rpc_log.mutable_statistics()->clear_samples_left_out();
      }
    }
    log->mutable_rpc_statistics()->at(0).clear_samples_left_out();
  }
  EXPECT_EQ(CanonicalBytes(one), CanonicalBytes(all));
}

TEST_P(MergePropertyTest, TheOrderInWhichRpcsEndMakesNoDifference) {
  std::vector<MadeUpRpc> traffic = Traffic(2000);
  const std::string in_order = CanonicalBytes(LogOf(plan_, traffic, 1, random_));
  std::shuffle(traffic.begin(), traffic.end(), random_);
  EXPECT_EQ(CanonicalBytes(LogOf(plan_, traffic, 1, random_)), in_order);
}

TEST_P(MergePropertyTest, TheOrderOfNodesMakesNoDifference) {
  std::vector<GetTrafficResultResponse> nodes = Nodes();
  const TestResult in_order = Merge(nodes);
  std::shuffle(nodes.begin(), nodes.end(), random_);
  const TestResult shuffled = Merge(nodes);
  EXPECT_EQ(CanonicalBytes(shuffled), CanonicalBytes(in_order));
  EXPECT_EQ(SummarizeTest(*plan_, shuffled), SummarizeTest(*plan_, in_order));
}

TEST_P(MergePropertyTest, NodesOfAnotherProgramChangeNoFigure) {
  const std::vector<GetTrafficResultResponse> own = Nodes();
  std::vector<GetTrafficResultResponse> mixed = own;
  for (size_t i = 0; i < mixed.size(); i += 2) {
    for (auto& [name, log] : *mixed[i].mutable_service_logs()->mutable_instance_logs()) {
      ForgetStatistics(log);
    }
  }
  const std::vector<std::string> expected = SummaryWithoutOpenLoops(Merge(own));
  EXPECT_EQ(SummaryWithoutOpenLoops(Merge(mixed)), expected);

  // Neither does it matter whether anybody completed their logs.
  TestResult incomplete = Merge(mixed);
  incomplete.clear_service_logs();
  for (const GetTrafficResultResponse& node : mixed) {
    for (const auto& [name, log] : node.service_logs().instance_logs()) {
      (*incomplete.mutable_service_logs()->mutable_instance_logs())[name] = log;
    }
  }
  EXPECT_EQ(SummaryWithoutOpenLoops(incomplete), expected);
}

TEST_P(MergePropertyTest, StatisticsAreThoseOfTheSamples) {
  ServicePerformanceLog log = LogOf(plan_, Traffic(2000), 3, random_);
  const ServicePerformanceLog recorded = log;
  ForgetStatistics(log);
  ASSERT_TRUE(CompleteStatistics(log).ok());
  ASSERT_EQ(log.rpc_statistics_size(), recorded.rpc_statistics_size());
  for (auto& [rpc, statistics] : *log.mutable_rpc_statistics()) {
    RpcStatistics expected = recorded.rpc_statistics().at(rpc);
    for (OutcomeStatistics* outcome :
         {expected.mutable_measured_success(), expected.mutable_measured_failure(),
          expected.mutable_warmup_success(), expected.mutable_warmup_failure()}) {
      outcome->clear_response_time_ns();  // samples do not know when an RPC was intended to start
      outcome->clear_lateness_ns();
    }
    EXPECT_EQ(CanonicalBytes(statistics), CanonicalBytes(expected)) << rpc;
  }
}

TEST_P(MergePropertyTest, QuantilesAreThoseOfTheSortedLatencies) {
  const std::vector<MadeUpRpc> traffic = Traffic(2000);
  std::map<uint32_t, std::vector<int64_t>> latencies_ns;
  for (const auto& [record, error] : traffic) {
    if (record.warmup || !error.empty()) continue;
    latencies_ns[record.rpc.value()].push_back(record.end_ns - record.start_ns);
  }
  const ServicePerformanceLog log = LogOf(plan_, traffic, 3, random_);
  for (auto& [rpc, sorted] : latencies_ns) {
    std::sort(sorted.begin(), sorted.end());
    HistogramPageSlab slab;
    LogLinearHistogram histogram(slab);
    const auto& message = log.rpc_statistics().at(static_cast<int32_t>(rpc)).measured_success();
    ASSERT_TRUE(MergeHistogram(message.service_time_ns(), histogram).ok());
    ASSERT_EQ(histogram.totals().count, sorted.size());
    for (uint32_t ppm = 0; ppm < 1'000'000; ppm += 4500) {
      const size_t position = std::min(sorted.size() * ppm / 1'000'000, sorted.size() - 1);
      const double expected = static_cast<double>(sorted[position]);
      ASSERT_NEAR(static_cast<double>(histogram.Quantile(ppm)), expected, 0.002 * expected)
          << ppm << " ppm of RPC " << rpc;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MergePropertyTest, testing::Range<uint64_t>(1, 5));

}  // namespace
}  // namespace distbench
