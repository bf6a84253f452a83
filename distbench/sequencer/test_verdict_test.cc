// What a test's run hands to its verdict, and what becomes of it in report and summary. The rules
// themselves are tested in results/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "distbench/sequencer/fake_cluster_run.h"

namespace distbench {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kForeverNs = 1'000'000 * kSecondNs;

class TestVerdictTest : public testing::Test {
 protected:
  TestResult Run(const TestSequence& sequence) { return RunOn(cluster_, sequence, stop_); }
  static std::vector<std::string> ReasonsOf(const TestResult& result) {
    std::vector<std::string> texts;
    for (const Finding& reason : result.report().verdict().reasons()) {
      texts.push_back(reason.text());
    }
    return texts;
  }

  FakeCluster cluster_;
  StopSignal stop_;
};

TEST_F(TestVerdictTest, AFairTestIsSaidToBeValid) {
  cluster_.AddNode();
  cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_TRUE(result.report().verdict().valid()) << result.report().verdict().ShortDebugString();
  EXPECT_THAT(result.log_summary(), Contains("Verdict: valid"));
  EXPECT_THAT(result.report().nodes(0).instances(), ElementsAre("client/0"));
  EXPECT_THAT(result.report().nodes(1).instances(), ElementsAre("server/0"));
  EXPECT_FALSE(result.report().nodes(0).lost());
}

TEST_F(TestVerdictTest, TheTestsOwnLimitsDecide) {
  cluster_.AddNode();
  cluster_.AddNode({.start_lateness_ns = 25'100'000});
  const TestResult strict = Run(ClientServerTest(1));
  EXPECT_FALSE(strict.report().verdict().valid());
  EXPECT_THAT(strict.log_summary(), Contains("Verdict: INVALID: node1 started 25.1ms late"));
  const TestResult lax = Run(ClientServerTest(1, "verdict_limits { max_start_skew_us: 25100 }"));
  EXPECT_TRUE(lax.report().verdict().valid());
}

TEST_F(TestVerdictTest, ALostNodeIsMarkedInTheReport) {
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.events.After(20 * kSecondNs, [&] { cluster_.node(1).Die(); });
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_FALSE(result.report().nodes(0).lost());
  EXPECT_TRUE(result.report().nodes(1).lost());
  EXPECT_THAT(ReasonsOf(result), ElementsAre("node1 was lost"));
  EXPECT_THAT(result.log_summary(), Contains("Verdict: INVALID: node1 was lost"));
}

TEST_F(TestVerdictTest, ANodeThatStillHandsOverItsFiguresIsNotLost) {
  cluster_.AddNode();
  cluster_.AddNode().Fail("RunTraffic", absl::InternalError("no threads"));
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_FALSE(result.report().nodes(1).lost());
  EXPECT_THAT(ReasonsOf(result), ElementsAre("the test ended early (INTERNAL)"));
}

TEST_F(TestVerdictTest, ATestThatNeverRanIsNotValidAndHasNoSummary) {
  cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(3));
  EXPECT_THAT(ReasonsOf(result), ElementsAre("the test ended early (FAILED_PRECONDITION)"));
  EXPECT_THAT(result.log_summary(), Not(Contains(StartsWith("Verdict:"))));
}

}  // namespace
}  // namespace distbench
