// The memory that histograms take: planned, kept to, and said where it is not enough.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"
#include "distbench/results/summary.h"
#include "distbench/results/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr size_t kInstances = 100;
constexpr size_t kPeers = kInstances - 1;
constexpr size_t kKiB = 1024;
constexpr size_t kMiB = 1024 * kKiB;

// Any of 2^least_bits to 2^end_bits - 1 ns, each magnitude as likely.
int64_t AnyTimeNs(int least_bits, int end_bits, std::mt19937_64& random) {
  const int bits = least_bits + static_cast<int>(random() % (end_bits - least_bits));
  const uint64_t least = uint64_t{1} << bits;
  return static_cast<int64_t>(least + random() % least);
}

// A clique as its members see it: each sends to all the others.
std::shared_ptr<const Plan> Clique(const std::vector<std::string>& rpcs) {
  return MadeUpPlan({.clients = kInstances, .servers = kPeers, .rpcs = rpcs});
}

InstanceIndex Peer(const Plan& plan, size_t rank) {
  return InstanceIndex(plan.services[ServiceIndex(1)].first.value() + rank);
}

TestResult WithVerdict(const Plan& plan, TestResult result) {
  *result.mutable_report()->mutable_verdict() = JudgeTest(plan, result, plan.verdict_thresholds);
  return result;
}

int CountPrecisionNotes(const TestResult& result) {
  int notes = 0;
  for (const Finding& note : result.report().verdict().notes()) {
    notes += note.kind() == Finding::PRECISION_LOWERED;
  }
  return notes;
}

// Times from 60 us to 60 ms are ten magnitudes: ten pages of 512 bytes a peer, ten of 4 KiB over
// all peers, and what is left of the chunks that pages come from.
TEST(HistogramMemoryTest, ACliqueOf100TakesLessThanAMebibyteAMember) {
  const auto plan = Clique({"gossip"});
  std::mt19937_64 random(1);
  TestResult result;
  for (size_t member = 0; member < kInstances; ++member) {
    Recorder recorder(
        {.plan = plan, .self = InstanceIndex(member), .max_samples = 1, .sample_store = nullptr});
    for (size_t i = 0; i < 30 * kPeers; ++i) {
      recorder.RecordSuccess({.rpc = RpcIndex(0),
                              .server = Peer(*plan, i % kPeers),
                              .end_ns = AnyTimeNs(16, 26, random)});
    }
    EXPECT_GE(recorder.HistogramBytes(), kPeers * 9 * 512);
    EXPECT_LE(recorder.HistogramBytes(), kMiB);
    (*result.mutable_service_logs()->mutable_instance_logs())[absl::StrCat("client/", member)] =
        BuildServiceLog({&recorder}, WallAnchor());
  }
  EXPECT_EQ(CountPrecisionNotes(WithVerdict(*plan, result)), 0);
}

// Six RPCs to 99 peers with times of 62 magnitudes would take 57 pages each (the first page holds
// six magnitudes): 33858, twice as many as there are.
class ExhaustedHistogramMemoryTest : public testing::Test {
 protected:
  static constexpr size_t kRpcs = 6;
  static constexpr size_t kPlannedPeerBytes = 8 * kMiB;
  static constexpr size_t kCoarsePageBytes = 512;
  static constexpr size_t kPageBytes = 4 * kKiB;  // over all peers

  ExhaustedHistogramMemoryTest() {
    std::mt19937_64 random(2);
    std::vector<std::pair<size_t, int>> rounds;  // pair of RPC and peer, magnitude
    for (size_t pair = 0; pair < kRpcs * kPeers; ++pair) {
      for (int bits = 0; bits < 62; ++bits) rounds.emplace_back(pair, bits);
    }
    std::shuffle(rounds.begin(), rounds.end(), random);
    for (const auto& [pair, bits] : rounds) {
      const RpcIndex rpc(pair % kRpcs);
      const int64_t time_ns = AnyTimeNs(bits, bits + 1, random);
      times_ns_[rpc.value()].push_back(time_ns);
      recorder_.RecordSuccess(
          {.rpc = rpc, .server = Peer(*plan_, pair / kRpcs), .end_ns = time_ns});
    }
  }

  TestResult Result() {
    TestResult result;
    (*result.mutable_service_logs()->mutable_instance_logs())["client/0"] =
        BuildServiceLog({&recorder_}, WallAnchor());
    return WithVerdict(*plan_, result);
  }

  const std::shared_ptr<const Plan> plan_ =
      Clique({"gossip", "vote", "sync", "join", "leave", "probe"});
  Recorder recorder_{
      {.plan = plan_, .self = InstanceIndex(0), .max_samples = 1, .sample_store = nullptr}};
  std::vector<int64_t> times_ns_[kRpcs];
};

TEST_F(ExhaustedHistogramMemoryTest, ThePlanIsKept) {
  constexpr size_t kPages = kRpcs * 54;
  constexpr size_t kChunkRests = 64 * kPageBytes + 512 * kCoarsePageBytes;
  EXPECT_GE(recorder_.HistogramBytes(), kPlannedPeerBytes);
  EXPECT_LE(recorder_.HistogramBytes(), kPlannedPeerBytes + kRpcs * kPeers * kCoarsePageBytes +
                                            kPages * kPageBytes + kChunkRests);
}

TEST_F(ExhaustedHistogramMemoryTest, TheResultSaysWhosePrecisionIsLower) {
  const TestResult result = Result();
  ASSERT_EQ(CountPrecisionNotes(result), 1);
  EXPECT_THAT(SummarizeTest(*plan_, result),
              Contains(HasSubstr(" of 99 peers of client/0 are known to a factor of two only")));
}

TEST_F(ExhaustedHistogramMemoryTest, CountsAndTimesOverAllPeersStayAsPrecise) {
  const TestResult result = Result();
  const ServicePerformanceLog& log = result.service_logs().instance_logs().at("client/0");
  for (size_t rpc = 0; rpc < kRpcs; ++rpc) {
    std::vector<int64_t>& sorted = times_ns_[rpc];
    std::sort(sorted.begin(), sorted.end());
    HistogramPageSlab slab;
    LogLinearHistogram histogram(slab);
    const auto& message =
        log.rpc_statistics().at(static_cast<int32_t>(rpc)).measured_success().service_time_ns();
    ASSERT_TRUE(MergeHistogram(message, histogram).ok());
    ASSERT_EQ(histogram.totals().count, sorted.size());
    for (const uint32_t ppm : {1'000u, 500'000u, 900'000u, 990'000u, 999'000u}) {
      const double expected = static_cast<double>(sorted[sorted.size() * ppm / 1'000'000]);
      EXPECT_NEAR(static_cast<double>(histogram.Quantile(ppm)), expected, 0.002 * expected);
    }
  }
  int64_t to_peers = 0;
  for (const auto& [peer, peer_log] : log.peer_logs()) {
    for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
      to_peers += rpc_log.statistics().measured_success().service_time_ns().count();
    }
  }
  EXPECT_EQ(to_peers, static_cast<int64_t>(kRpcs * kPeers * 62));
}

}  // namespace
}  // namespace distbench
