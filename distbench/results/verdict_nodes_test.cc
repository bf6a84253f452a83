// Nodes and the test as a whole: each figure once at its threshold, where it is fair, and once just
// beyond.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "distbench/results/made_up_result.h"
#include "distbench/results/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr int64_t kMs = 1'000'000;

// Client i on node i, and node2 with the server. They send for ten seconds.
class VerdictNodesTest : public testing::Test {
 protected:
  VerdictNodesTest() {
    test_.SetIterations(OpenLoopIterations(2, 9'999 * kMs));
    for (const char* client : {"client/0", "client/1"}) {
      test_.SetLoad(client, {.count = 2, .interval_ns = 9'999 * kMs, .service_ns = kMs});
    }
    test_.AddNode("node0", {"client/0"});
    test_.AddNode("node1", {"client/1"});
    test_.AddNode("node2", {"server/0"});
  }

  NodeReport& node(int number) { return *test_.result().mutable_report()->mutable_nodes(number); }
  Verdict Judge(const VerdictThresholds& thresholds = {}) const {
    return JudgeTest(test_.plan(), test_.result(), thresholds);
  }
  std::vector<std::string> Reasons(const VerdictThresholds& thresholds = {}) const {
    const Verdict verdict = Judge(thresholds);
    std::vector<std::string> texts;
    for (const Finding& reason : verdict.reasons()) texts.push_back(reason.text());
    return texts;
  }
  std::vector<std::string> NotesOf(Finding::Kind kind) const {
    const Verdict verdict = Judge();
    std::vector<std::string> texts;
    for (const Finding& note : verdict.notes()) {
      if (note.kind() == kind) texts.push_back(note.text());
    }
    return texts;
  }
  void End(absl::StatusCode code) {
    test_.result().mutable_report()->set_status_code(static_cast<int>(code));
  }

  MadeUpResult test_{{.clients = 2, .rpcs = {"query"}}};
};

TEST_F(VerdictNodesTest, NothingIsWrongAtFirst) {
  EXPECT_THAT(Reasons(), SizeIs(0));
  EXPECT_TRUE(Judge().valid());
}

// --- The end

TEST_F(VerdictNodesTest, LostNodesAreNamed) {
  node(1).set_lost(true);
  End(absl::StatusCode::kUnavailable);
  const Verdict verdict = Judge();
  EXPECT_FALSE(verdict.valid());
  ASSERT_EQ(verdict.reasons_size(), 1);
  EXPECT_EQ(verdict.reasons(0).kind(), Finding::NODE_LOST);
  EXPECT_THAT(verdict.reasons(0).nodes(), ElementsAre("node1"));
  EXPECT_EQ(verdict.reasons(0).text(), "node1 was lost");
}

TEST_F(VerdictNodesTest, ATestThatWasToldToEndMeasuredWhatItMeasured) {
  for (const auto code : {absl::StatusCode::kCancelled, absl::StatusCode::kDeadlineExceeded}) {
    End(code);
    EXPECT_TRUE(Judge().valid());
    EXPECT_THAT(NotesOf(Finding::ENDED_EARLY), SizeIs(1));
  }
  test_.result().clear_service_logs();
  EXPECT_THAT(Reasons(), ElementsAre("the test ended early (DEADLINE_EXCEEDED)"));
}

TEST_F(VerdictNodesTest, ATestThatBrokeOffIsNotValid) {
  End(absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(Reasons(), ElementsAre("the test ended early (RESOURCE_EXHAUSTED)"));
}

// --- CPU: two CPUs for ten seconds

TEST_F(VerdictNodesTest, AGeneratorOfOpenLoopsNeedsCpuToSpare) {
  test_.SetCpuSeconds("node0", 19);
  EXPECT_THAT(Reasons(), SizeIs(0));
  test_.SetCpuSeconds("node0", 19.001);
  const Verdict verdict = Judge();
  ASSERT_EQ(verdict.reasons_size(), 1);
  EXPECT_EQ(verdict.reasons(0).kind(), Finding::CPU_LIMIT);
  EXPECT_THAT(verdict.reasons(0).nodes(), ElementsAre("node0"));
  EXPECT_DOUBLE_EQ(verdict.reasons(0).measured(), 19.001 / 20);
  EXPECT_EQ(verdict.reasons(0).text(),
            "CPUs of node0 at their limit (19.001 of 20.000 CPU seconds)");
}

TEST_F(VerdictNodesTest, AGeneratorOfClosedLoopsIsMeantToGoToTheLimit) {
  test_.SetIterations({.max_count = 2});
  test_.SetCpuSeconds("node0", 19);
  EXPECT_THAT(NotesOf(Finding::CPU_LIMIT), SizeIs(0));
  test_.SetCpuSeconds("node0", 19.001);
  EXPECT_TRUE(Judge().valid());
  EXPECT_THAT(NotesOf(Finding::CPU_LIMIT),
              ElementsAre("CPUs of node0 at their limit (19.001 of 20.000 CPU seconds)"));
}

TEST_F(VerdictNodesTest, AServerIsWhatIsMeasured) {
  test_.SetCpuSeconds("node2", 20);
  EXPECT_THAT(Reasons(), SizeIs(0));
  EXPECT_THAT(NotesOf(Finding::CPU_LIMIT), SizeIs(0));
}

TEST_F(VerdictNodesTest, ProcessesOnTheSameCpusCountTogether) {
  test_.SetCpuSeconds("node0", 9.5);
  test_.SetCpuSeconds("node2", 9.75);
  EXPECT_THAT(Reasons(), SizeIs(0)) << "two hosts";
  node(2).mutable_provenance()->set_hostname("node0");
  node(2).mutable_provenance()->set_process_id(2);
  EXPECT_THAT(Reasons(),
              ElementsAre("CPUs of node0, node2 at their limit (19.250 of 20.000 CPU seconds)"));
  node(2).mutable_provenance()->set_cpu_affinity("2-3");
  EXPECT_THAT(Reasons(), SizeIs(0)) << "other CPUs";
}

TEST_F(VerdictNodesTest, NodesOfOneProcessCountOnce) {
  test_.SetCpuSeconds("node0", 18);
  test_.SetCpuSeconds("node1", 18);
  node(1).mutable_provenance()->set_hostname("node0");
  EXPECT_THAT(Reasons(), SizeIs(0));
}

TEST_F(VerdictNodesTest, UnknownCpusHaveNoLimit) {
  test_.SetCpuSeconds("node0", 1000);
  node(0).clear_provenance();
  EXPECT_THAT(Reasons(), SizeIs(0));
}

// --- Starts

TEST_F(VerdictNodesTest, ANodeMayBeTenMillisecondsOff) {
  node(0).set_start_skew_ns(10 * kMs);
  node(1).set_start_skew_ns(-10 * kMs);
  EXPECT_THAT(Reasons(), SizeIs(0));
  node(0).set_start_skew_ns(10 * kMs + 1);
  node(1).set_start_skew_ns(-25 * kMs);
  EXPECT_THAT(Reasons(), ElementsAre("node0 started 10ms late", "node1 started 25ms early"));
  const Finding reason = Judge().reasons(1);
  EXPECT_EQ(reason.kind(), Finding::START_SKEW);
  EXPECT_THAT(reason.nodes(), ElementsAre("node1"));
  EXPECT_EQ(reason.measured(), -25e6);
  EXPECT_EQ(reason.threshold(), 10e6);
  EXPECT_THAT(Reasons({.max_start_skew_ns = 25 * kMs}), SizeIs(0));
}

TEST_F(VerdictNodesTest, OnlyAnAgreedStartCanBeMissed) {
  node(0).set_start_skew_ns(50 * kMs);
  node(0).set_agreed_start(false);
  EXPECT_THAT(Reasons(), SizeIs(0));
}

// --- Clocks: one percent of ten seconds

class VerdictClocksTest : public VerdictNodesTest {
 protected:
  void SetClock(int number, int64_t offset_ns, int64_t bound_ns) {
    node(number).set_clock_offset_ns(offset_ns);
    node(number).set_clock_offset_bound_ns(bound_ns);
  }
  // Leaves the start to itself.
  const VerdictThresholds kTotalTime = {.max_start_skew_ns = 1000 * kMs};
};

TEST_F(VerdictClocksTest, TheTotalTimeIsOffByAsMuchAsTheClocksAreApart) {
  SetClock(0, -30 * kMs, 20 * kMs);
  SetClock(1, 40 * kMs, 10 * kMs);
  EXPECT_THAT(Reasons(kTotalTime), SizeIs(0));
  SetClock(1, 40 * kMs, 10 * kMs + 1);
  const Verdict verdict = Judge(kTotalTime);
  ASSERT_EQ(verdict.reasons_size(), 1);
  EXPECT_EQ(verdict.reasons(0).kind(), Finding::CLOCKS);
  EXPECT_THAT(verdict.reasons(0).nodes(), ElementsAre("node0", "node1"));
  EXPECT_EQ(verdict.reasons(0).measured(), 100e6 + 1);
  EXPECT_EQ(verdict.reasons(0).text(),
            "clocks of node0 and node1 may be 100ms apart, and the total time of 10s is measured "
            "with both");
}

TEST_F(VerdictClocksTest, OnlyClocksThatTookPartInTheTotalTimeMatter) {
  SetClock(2, 5000 * kMs, 0);
  EXPECT_THAT(Reasons(kTotalTime), SizeIs(0)) << "the server's clock times nothing";
}

TEST_F(VerdictClocksTest, NodesOfOneHostShareItsClock) {
  SetClock(0, 0, 100 * kMs);
  SetClock(1, 0, 100 * kMs);
  EXPECT_THAT(Reasons(kTotalTime), SizeIs(1));
  node(1).mutable_provenance()->set_hostname("node0");
  EXPECT_THAT(Reasons(kTotalTime), SizeIs(0));
}

TEST_F(VerdictClocksTest, WhetherNodesStartedTogetherIsKnownToWithinTheirBounds) {
  // Offsets are taken into account when the start is agreed on.
  SetClock(0, 20 * kMs, 4 * kMs);
  SetClock(1, 0, 3 * kMs);
  SetClock(2, 0, 6 * kMs);
  EXPECT_THAT(Reasons(), SizeIs(0));
  SetClock(2, 0, 6 * kMs + 1);
  EXPECT_THAT(Reasons(),
              ElementsAre("clocks of node0 and node2 are known to within 10ms only, so whether "
                          "they started within 10ms cannot be told"));
}

}  // namespace
}  // namespace distbench
