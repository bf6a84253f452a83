// Notes, and how a verdict reads.
#include "distbench/results/verdict.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/results/made_up_result.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class VerdictTest : public testing::Test {
 protected:
  Verdict Judge(const VerdictThresholds& thresholds = {}) const {
    return JudgeTest(test_.plan(), test_.result(), thresholds);
  }
  std::vector<std::string> Notes(const VerdictThresholds& thresholds = {}) const {
    const Verdict verdict = Judge(thresholds);
    EXPECT_TRUE(verdict.valid()) << verdict.ShortDebugString();
    std::vector<std::string> texts;
    for (const Finding& note : verdict.notes()) texts.push_back(note.text());
    return texts;
  }
  ServicePerformanceLog& log(const std::string& instance) {
    return test_.result().mutable_service_logs()->mutable_instance_logs()->at(instance);
  }
  Histogram& PeerHistogramOf(const std::string& instance, const std::string& peer) {
    return *log(instance)
                .mutable_peer_logs()
                ->at(peer)
                .mutable_rpc_logs()
                ->at(0)
                .mutable_statistics()
                ->mutable_measured_success()
                ->mutable_service_time_ns();
  }

  MadeUpResult test_{{.clients = 2, .rpcs = {"query"}}};
  // No percentile has too few RPCs.
  const VerdictThresholds kAnyCount = {.min_rpcs_beyond_percentile = 0};
};

// --- Notes

TEST_F(VerdictTest, SamplesThatWereLeftOutAreCounted) {
  const auto record_three = [](Recorder& recorder) {
    for (int i = 0; i < 3; ++i) {
      recorder.RecordSuccess({.server = InstanceIndex(2), .end_ns = 1});
    }
  };
  test_.SetLog("client/0", record_three, /*max_samples=*/3);
  test_.SetLog("client/1", record_three, /*max_samples=*/2);
  EXPECT_THAT(Notes(kAnyCount),
              ElementsAre("1 samples of client/1 were left out; all figures count them"));
  const Finding note = Judge(kAnyCount).notes(0);
  EXPECT_EQ(note.kind(), Finding::SAMPLES_LEFT_OUT);
  EXPECT_EQ(note.instance(), "client/1");
  EXPECT_EQ(note.measured(), 1);
}

TEST_F(VerdictTest, CoarseHistogramsOfPeersAreCounted) {
  test_.SetLoad("client/0", {.count = 3, .open_loop = false});
  PeerHistogramOf("client/0", "server/0").set_sub_bucket_bits(1);
  EXPECT_THAT(Notes(kAnyCount), IsEmpty());
  PeerHistogramOf("client/0", "server/0").set_sub_bucket_bits(0);
  EXPECT_THAT(Notes(kAnyCount),
              ElementsAre("times to 1 of 1 peers of client/0 are known to a factor of two only; "
                          "those over all peers together are not affected"));
  EXPECT_EQ(Judge(kAnyCount).notes(0).kind(), Finding::PRECISION_LOWERED);
  // One that counts nothing has no precision.
  PeerHistogramOf("client/0", "server/0").set_count(0);
  EXPECT_THAT(Notes(kAnyCount), IsEmpty());
}

TEST_F(VerdictTest, TenRpcsMustLieBeyondAPercentile) {
  const auto notes_at = [this](int64_t count) {
    test_.SetLoad("client/0", {.count = count, .open_loop = false});
    return Notes();
  };
  EXPECT_THAT(notes_at(100'000), IsEmpty());
  EXPECT_THAT(notes_at(99'999), ElementsAre("query: 99999 RPCs are too few for 99.99%"));
  EXPECT_THAT(notes_at(1000), ElementsAre("query: 1000 RPCs are too few for 99.9%, 99.99%"));
  EXPECT_THAT(notes_at(999), ElementsAre("query: 999 RPCs are too few for 99%, 99.9%, 99.99%"));
  EXPECT_THAT(notes_at(19),
              ElementsAre("query: 19 RPCs are too few for median, 90%, 99%, 99.9%, 99.99%"));
  test_.SetLoad("client/0", {.count = 0});
  EXPECT_EQ(Judge({}).notes_size(), 0) << "nothing is printed";
}

TEST_F(VerdictTest, RpcsOfAllClientsCountTogetherForPercentiles) {
  test_.SetLoad("client/0", {.count = 60'000, .open_loop = false});
  test_.SetLoad("client/1", {.count = 40'000, .open_loop = false});
  EXPECT_THAT(Notes(), IsEmpty());
}

// --- Evidence

TEST_F(VerdictTest, StatisticsThatContradictThemselvesAreNoEvidence) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLoad("client/0", {.count = 10});
  test_.SetLoad("client/1", {.count = 1000});
  EXPECT_FALSE(Judge(kAnyCount).valid());
  log("client/0").mutable_rpc_statistics()->at(0).set_cancelled(-1);
  EXPECT_TRUE(Judge(kAnyCount).valid());
}

TEST_F(VerdictTest, NamesAndNumbersFromElsewhereHarmNobody) {
  test_.SetIterations(OpenLoopIterations(2));
  test_.SetLoad("client/0", {.count = 2});
  test_.SetLoad("client/1", {.count = 2});
  auto& statistics = *log("client/0").mutable_rpc_statistics();
  statistics[-3] = statistics.at(0);
  statistics[77] = statistics.at(0);
  ServicePerformanceLog copy = log("client/0");
  (*test_.result().mutable_service_logs()->mutable_instance_logs())["stranger/0"] = copy;
  NodeReport& node = test_.AddNode("node0", {"stranger/0", "client/9"});
  node.set_clock_offset_ns(INT64_MIN);
  node.set_clock_offset_bound_ns(INT64_MAX);
  node.set_start_skew_ns(INT64_MIN);
  node.mutable_provenance()->set_cpu_count(INT32_MIN);
  test_.SetCpuSeconds("node0", 1e300);
  EXPECT_EQ(Judge(kAnyCount).reasons_size(), 1);  // the start
  TestResult nothing;
  EXPECT_EQ(JudgeTest(test_.plan(), nothing, {}).reasons_size(), 3) << "nobody started anything";
}

// --- Words

Finding FindingOf(Finding::Kind kind, const std::string& text) {
  Finding finding;
  finding.set_kind(kind);
  finding.set_text(text);
  return finding;
}

TEST(DescribeVerdictTest, AValidOneIsOneLine) {
  Verdict verdict;
  verdict.set_valid(true);
  EXPECT_THAT(DescribeVerdict(verdict), ElementsAre("Verdict: valid"));
  *verdict.add_notes() = FindingOf(Finding::TOO_FEW_RPCS, "few");
  EXPECT_THAT(DescribeVerdict(verdict), ElementsAre("Verdict: valid", "Notes:", "  few"));
}

TEST(DescribeVerdictTest, ReasonsAreInOneLine) {
  Verdict verdict;
  *verdict.add_reasons() = FindingOf(Finding::NODE_LOST, "a was lost");
  *verdict.add_reasons() = FindingOf(Finding::LATENESS, "b was late");
  EXPECT_THAT(DescribeVerdict(verdict), ElementsAre("Verdict: INVALID: a was lost; b was late"));
}

TEST(DescribeVerdictTest, ManyOfAKindAreCounted) {
  Verdict verdict;
  for (int i = 0; i < 4; ++i) {
    *verdict.add_reasons() = FindingOf(Finding::NODE_LOST, absl::StrCat("lost ", i));
  }
  for (int i = 0; i < 100; ++i) {
    *verdict.add_reasons() = FindingOf(Finding::LATENESS, absl::StrCat("late ", i));
    *verdict.add_notes() = FindingOf(Finding::PACING, absl::StrCat("pace ", i));
  }
  EXPECT_THAT(
      DescribeVerdict(verdict),
      ElementsAre("Verdict: INVALID: lost 0; lost 1; lost 2; lost 3; late 0; late 1; late "
                  "2; and 97 more of this kind",
                  "Notes:", "  pace 0", "  pace 1", "  pace 2", "  and 97 more of this kind"));
}

}  // namespace
}  // namespace distbench
