#include "distbench/sequencer/test_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "distbench/sequencer/fake_cluster_run.h"

namespace distbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kForeverNs = 1'000'000 * kSecondNs;
constexpr char kBothOnNode0[] =
    R"(node_service_bundles { key: "node0" value { services: "client/0" services: "server/0" } })";

class TestRunTest : public testing::Test {
 protected:
  TestResult Run(const TestSequence& sequence) {
    return RunOn(cluster_, sequence, stop_, observer_);
  }

  static absl::StatusCode CodeOf(const TestResult& result) {
    return static_cast<absl::StatusCode>(result.report().status_code());
  }
  static std::string MessageOf(const TestResult& result) {
    return result.report().status_message();
  }
  static std::string SummaryOf(const TestResult& result) {
    return absl::StrJoin(result.log_summary(), "\n");
  }

  FakeCluster cluster_;
  StopSignal stop_;
  OnTestProgress observer_;
};

std::vector<TestProgress> WithTraffic(const std::vector<TestProgress>& told) {
  std::vector<TestProgress> with_traffic;
  for (const TestProgress& progress : told) {
    if (progress.has_traffic()) with_traffic.push_back(progress);
  }
  return with_traffic;
}

TEST_F(TestRunTest, AnObserverIsToldThePhasesAndTheTrafficOfAllNodes) {
  cluster_.AddNode();
  cluster_.AddNode({.clock_offset_ns = -7 * kSecondNs});
  std::vector<TestProgress> told;
  observer_ = [&](const TestProgress& progress) { told.push_back(progress); };
  Run(ClientServerTest(1));
  std::vector<TestProgress::Phase> phases;
  for (const TestProgress& progress : told) {
    if (phases.empty() || phases.back() != progress.phase()) phases.push_back(progress.phase());
  }
  EXPECT_THAT(phases,
              ElementsAre(TestProgress::PLACING, TestProgress::PREPARING, TestProgress::RUNNING,
                          TestProgress::COLLECTING, TestProgress::DONE));
  const std::vector<TestProgress> traffic = WithTraffic(told);
  // Ten seconds, every 100 ms.
  EXPECT_GE(traffic.size(), 95u);
  EXPECT_LE(traffic.size(), 100u);
  for (const TestProgress& progress : traffic) {
    // Two nodes, an RPC a millisecond each; they are asked on the way.
    const int64_t elapsed_ms = progress.traffic_elapsed_ns() / 1'000'000;
    EXPECT_NEAR(progress.traffic().rpcs(0).measured_successes(), 2 * elapsed_ms, 4);
    EXPECT_EQ(progress.traffic().outstanding_rpcs(), 2);
  }
  EXPECT_EQ(told[told.size() - traffic.size() - 3].placement().service_endpoints_size(), 2);
}

TEST_F(TestRunTest, ALargeClusterIsAskedLessOften) {
  for (int i = 0; i < 200; ++i) cluster_.AddNode();
  std::vector<TestProgress> told;
  observer_ = [&](const TestProgress& progress) { told.push_back(progress); };
  Run(ClientServerTest(199));
  // Every 400 ms.
  EXPECT_GE(WithTraffic(told).size(), 23u);
  EXPECT_LE(WithTraffic(told).size(), 25u);
}

TEST_F(TestRunTest, ANodeThatDoesNotTellCountsWithWhatItToldBefore) {
  cluster_.AddNode();
  cluster_.AddNode();
  std::vector<TestProgress> told;
  observer_ = [&](const TestProgress& progress) {
    told.push_back(progress);
    if (WithTraffic(told).size() == 20) cluster_.node(1).Freeze("GetTrafficProgress");
  };
  Run(ClientServerTest(1));
  int64_t before = 0;
  for (const TestProgress& progress : WithTraffic(told)) {
    EXPECT_GE(progress.traffic().rpcs(0).measured_successes(), before);
    before = progress.traffic().rpcs(0).measured_successes();
  }
  EXPECT_GT(before, 8'000);
  EXPECT_LT(before, 13'000);
}

TEST_F(TestRunTest, NobodyIsAskedForProgressIfNobodyListens) {
  cluster_.AddNode();
  Run(ClientServerTest(1, kBothOnNode0));
  for (const std::string& entry : cluster_.journal) {
    EXPECT_EQ(entry.find("GetTrafficProgress"), std::string::npos);
  }
}

TEST_F(TestRunTest, PhasesFollowEachOther) {
  cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(1, kBothOnNode0));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kOk) << MessageOf(result);
  EXPECT_THAT(cluster_.JournalWithout("ProbeClock"),
              ElementsAre("node0 ConfigureNode", "node0 IntroducePeers", "node0 RunTraffic",
                          "node0 StreamTrafficResult"));
  EXPECT_FALSE(cluster_.node(0).has_engines());
}

TEST_F(TestRunTest, EveryPhaseIsDoneOnAllNodesBeforeTheNextBegins) {
  for (int i = 0; i < 3; ++i) cluster_.AddNode({.one_way_ns = 1'000'000 * (i + 1)});
  Run(ClientServerTest(2));
  const std::vector<std::string> journal = cluster_.JournalWithout("ProbeClock");
  ASSERT_EQ(journal.size(), 12u);
  for (size_t i = 0; i < journal.size(); ++i) {
    const char* const phases[] = {"ConfigureNode", "IntroducePeers", "RunTraffic",
                                  "StreamTrafficResult"};
    EXPECT_THAT(journal[i], HasSubstr(phases[i / 3]));
  }
}

TEST_F(TestRunTest, TheResultTellsWhatRanWhereAndHow) {
  cluster_.AddNode();
  cluster_.AddNode();
  const TestSequence sequence = ClientServerTest(1);
  const TestResult result = Run(sequence);
  EXPECT_EQ(result.config_as_given().SerializeAsString(), sequence.tests(0).SerializeAsString());
  EXPECT_EQ(result.traffic_config().services(0).x_size(), 1);
  EXPECT_EQ(result.traffic_config().seed(), result.report().seed());
  EXPECT_NE(result.report().seed(), 0u);
  EXPECT_EQ(cluster_.node(0).last_config().traffic_config().seed(), result.report().seed());
  EXPECT_EQ(result.placement().service_endpoints_size(), 2);
  EXPECT_TRUE(result.service_logs().instance_logs().contains("client/0"));
  EXPECT_EQ(result.resource_usage_logs().node_usages_size(), 2);
  EXPECT_TRUE(result.resource_usage_logs().has_test_sequencer_usage());
  EXPECT_EQ(result.report().sequencer().version(), "test");
  ASSERT_EQ(result.report().nodes_size(), 2);
  EXPECT_EQ(result.report().nodes(1).node_alias(), "node1");
  EXPECT_EQ(result.report().nodes(1).provenance().hostname(), "node1");
  EXPECT_TRUE(result.report().nodes(1).agreed_start());
  EXPECT_EQ(result.report().run_id().size(), 32u);
  EXPECT_THAT(SummaryOf(result), HasSubstr("client/0 -> server/0: RPCs: 1 "));
}

TEST_F(TestRunTest, ASeedThatIsGivenIsKept) {
  cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(1, absl::StrCat(kBothOnNode0, " seed: 77")));
  EXPECT_EQ(result.report().seed(), 77u);
  EXPECT_EQ(cluster_.node(0).last_config().traffic_config().seed(), 77u);
}

TEST_F(TestRunTest, NodesAreToldOnlyThePeersThatTheySendTo) {
  cluster_.AddNode();
  cluster_.AddNode();
  Run(ClientServerTest(1));
  EXPECT_EQ(cluster_.node(0).last_peers().service_endpoints_size(), 1);
  EXPECT_TRUE(cluster_.node(0).last_peers().service_endpoints().contains("server/0"));
  EXPECT_EQ(cluster_.node(1).last_peers().service_endpoints_size(), 0);
}

TEST_F(TestRunTest, CallsNameTheirRunAndHaveIdsOfTheirOwn) {
  cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(1, kBothOnNode0));
  const ControlContext& configure = cluster_.node(0).last_config().control();
  const ControlContext& run = cluster_.node(0).last_run().control();
  EXPECT_EQ(configure.run_id(), result.report().run_id());
  EXPECT_EQ(run.run_id(), result.report().run_id());
  EXPECT_NE(configure.request_id(), run.request_id());
}

TEST_F(TestRunTest, IdleNodesOfThisProgramAreLeftAlone) {
  cluster_.AddNode();
  cluster_.AddNode();
  Run(ClientServerTest(1, kBothOnNode0));
  for (const std::string& entry : cluster_.JournalWithout("ProbeClock")) {
    EXPECT_TRUE(absl::StartsWith(entry, "node0 ")) << entry;
  }
}

TEST_F(TestRunTest, NodesStartTogetherHoweverWrongTheirClocksAre) {
  cluster_.AddNode({.clock_offset_ns = 5 * kSecondNs});
  cluster_.AddNode({.clock_offset_ns = -3600 * kSecondNs, .one_way_ns = 20'000'000});
  cluster_.AddNode({.one_way_ns = 300'000});
  const TestResult result = Run(ClientServerTest(2));
  ASSERT_EQ(CodeOf(result), absl::StatusCode::kOk) << MessageOf(result);
  EXPECT_EQ(cluster_.node(0).traffic_start_ns(), cluster_.node(1).traffic_start_ns());
  EXPECT_EQ(cluster_.node(0).traffic_start_ns(), cluster_.node(2).traffic_start_ns());
  const NodeReport& second = result.report().nodes(1);
  EXPECT_EQ(second.clock_offset_ns(), -3600 * kSecondNs);
  EXPECT_EQ(second.clock_offset_bound_ns(), 20'000'001);
}

TEST_F(TestRunTest, TheLeadIsThreeTimesTheBroadcastButAtLeastASecond) {
  int64_t requested_ns = 0;
  const auto lead_of = [&](int64_t one_way_ns) {
    FakeNode& node = cluster_.AddNode({.one_way_ns = one_way_ns});
    node.When("RunTraffic",
              [&, one_way_ns] { requested_ns = cluster_.time.MonotonicNs() - one_way_ns; });
    return &node;
  };
  FakeNode* node = lead_of(100);
  Run(ClientServerTest(1, kBothOnNode0));
  EXPECT_EQ(node->traffic_start_ns() - requested_ns, kSecondNs);

  FakeNode* far = lead_of(kSecondNs / 2);
  Run(ClientServerTest(1, R"(node_service_bundles { key: "node1" value { services: "client/0"
                                                        services: "server/0" } })"));
  EXPECT_EQ(far->traffic_start_ns() - requested_ns, 3 * kSecondNs);
}

TEST_F(TestRunTest, ALateStartIsNamedInReportAndSummary) {
  cluster_.AddNode({.start_lateness_ns = 9'000'000});
  cluster_.AddNode({.start_lateness_ns = 25'100'000});
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kOk);
  EXPECT_EQ(result.report().nodes(1).start_skew_ns(), 25'100'000);
  EXPECT_THAT(SummaryOf(result), HasSubstr("Start skew:\n  node1: 25.1 ms late"));
  EXPECT_THAT(SummaryOf(result), testing::Not(HasSubstr("node0: 9.0 ms")));
}

TEST_F(TestRunTest, TooFewNodesEndTheTestBeforeAnythingIsConfigured) {
  cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(3));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(result), HasSubstr("client/1, client/2, server/0"));
  EXPECT_THAT(SummaryOf(result), HasSubstr("Test ended early:"));
  EXPECT_TRUE(cluster_.JournalWithout("ProbeClock").empty());
}

TEST_F(TestRunTest, ADeadNodeIsPassedOverWhereOthersSuffice) {
  cluster_.AddNode().Die();
  cluster_.AddNode();
  cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kOk) << MessageOf(result);
  EXPECT_EQ(result.report().nodes(0).node_alias(), "node1");
}

TEST_F(TestRunTest, AFrozenNodeDoesNotHoldUpTheTestForLongerThanTheLivenessProbe) {
  cluster_.AddNode().Freeze("ProbeClock");
  cluster_.AddNode();
  const int64_t begin_ns = cluster_.time.MonotonicNs();
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(result), HasSubstr("of which 1 does not answer: node0"));
  EXPECT_LE(cluster_.time.MonotonicNs() - begin_ns, 5 * kSecondNs);
}

TEST_F(TestRunTest, ATestThatDoesNotEndIsCancelledAtItsTimeoutAndStillCollected) {
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.AddNode({.traffic_ns = kForeverNs});
  const int64_t begin_ns = cluster_.time.MonotonicNs();
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(MessageOf(result), HasSubstr("after 1m"));
  EXPECT_THAT(SummaryOf(result), HasSubstr("Total Nb RPCs: 1 "));
  EXPECT_GE(cluster_.time.MonotonicNs() - begin_ns, 61 * kSecondNs);
  EXPECT_LE(cluster_.time.MonotonicNs() - begin_ns, 62 * kSecondNs);
  EXPECT_EQ(cluster_.node(1).last_cancel().status_code(),
            static_cast<int>(absl::StatusCode::kDeadlineExceeded));
  EXPECT_FALSE(cluster_.node(0).has_engines());
  EXPECT_FALSE(cluster_.node(1).has_engines());
}

TEST_F(TestRunTest, AStopCancelsTrafficAtOnce) {
  cluster_.AddNode({.traffic_ns = kForeverNs});
  int64_t stopped_ns = 0;
  cluster_.events.After(20 * kSecondNs, [&] {
    stopped_ns = cluster_.time.MonotonicNs();
    cluster_.mailbox.Post([&] { stop_.Request(absl::CancelledError("caller has gone")); });
  });
  const TestResult result = Run(ClientServerTest(1, kBothOnNode0));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kCancelled);
  EXPECT_EQ(MessageOf(result), "caller has gone");
  EXPECT_EQ(cluster_.node(0).last_cancel().reason(), "caller has gone");
  EXPECT_LE(cluster_.node(0).traffic_end_ns() - stopped_ns, kSecondNs);
  EXPECT_FALSE(cluster_.node(0).has_engines());
}

TEST_F(TestRunTest, OverloadOnOneNodeEndsTheTestEverywhereWithItsReason) {
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.events.After(20 * kSecondNs, [&] {
    cluster_.node(1).EndTraffic(absl::ResourceExhaustedError("1001 threads"));
  });
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(MessageOf(result), "node1 (host:2): 1001 threads");
  EXPECT_EQ(cluster_.node(0).last_cancel().status_code(),
            static_cast<int>(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(SummaryOf(result), HasSubstr("Total Nb RPCs: 1 "));
}

// Its own traffic had ended, and nobody who waited for an answer of it could have noticed.
TEST_F(TestRunTest, AnOverloadThatANodeReportsAtTheEndIsWhyTheTestEndedEarly) {
  cluster_.AddNode({});
  cluster_.AddNode({.overload = "more than 100 requests wait"});
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(MessageOf(result), "node1: more than 100 requests wait");
  EXPECT_FALSE(result.report().verdict().valid());
}

// --- A node is lost, in each phase.

class TestRunLosesNodeTest : public TestRunTest, public testing::WithParamInterface<const char*> {};

TEST_P(TestRunLosesNodeTest, TheErrorNamesItAndTheOthersAreCleared) {
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.AddNode();
  cluster_.AddNode({.traffic_ns = 1});
  FakeNode& lost = cluster_.node(1);
  lost.When(GetParam(), [&] { lost.Die(); });
  if (std::string(GetParam()) == "StreamTrafficResult") {
    cluster_.events.After(30 * kSecondNs, [&] { cluster_.node(0).EndTraffic(absl::OkStatus()); });
  }
  const int64_t begin_ns = cluster_.time.MonotonicNs();
  const TestResult result = Run(ClientServerTest(2));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kUnavailable) << MessageOf(result);
  EXPECT_THAT(MessageOf(result),
              testing::StartsWith("node1 (host:2) was lost during the test: connection reset"));
  EXPECT_FALSE(cluster_.node(0).has_engines());
  EXPECT_FALSE(cluster_.node(2).has_engines());
  EXPECT_LE(cluster_.time.MonotonicNs() - begin_ns, 35 * kSecondNs);
}

INSTANTIATE_TEST_SUITE_P(InEachPhase, TestRunLosesNodeTest,
                         testing::Values("ConfigureNode", "IntroducePeers", "RunTraffic",
                                         "StreamTrafficResult"));

class TestRunFrozenNodeTest : public TestRunTest,
                              public testing::WithParamInterface<const char*> {};

TEST_P(TestRunFrozenNodeTest, TheTestEndsAndTheOthersAreCleared) {
  cluster_.AddNode();
  cluster_.AddNode().Freeze(GetParam());
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kDeadlineExceeded) << MessageOf(result);
  EXPECT_FALSE(cluster_.node(0).has_engines());
}

INSTANTIATE_TEST_SUITE_P(InEachPhase, TestRunFrozenNodeTest,
                         testing::Values("ConfigureNode", "IntroducePeers", "RunTraffic",
                                         "StreamTrafficResult"));

TEST_F(TestRunTest, ANodeThatDiesAfterItsOwnTrafficHasEndedEndsTheTestSoon) {
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.AddNode({.traffic_ns = 1});
  int64_t died_ns = 0;
  cluster_.events.After(20 * kSecondNs, [&] {
    died_ns = cluster_.time.MonotonicNs();
    cluster_.node(1).Die();
  });
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kUnavailable) << MessageOf(result);
  EXPECT_EQ(MessageOf(result), "node1 (host:2) was lost during the test: connection refused");
  EXPECT_LE(cluster_.node(0).traffic_end_ns() - died_ns, 2 * kSecondNs);
  EXPECT_FALSE(cluster_.node(0).has_engines());
}

TEST_F(TestRunTest, ANodeThatFreezesAfterItsOwnTrafficHasEndedEndsTheTest) {
  cluster_.AddNode({.traffic_ns = kForeverNs});
  cluster_.AddNode({.traffic_ns = 1});
  cluster_.events.After(20 * kSecondNs, [&] { cluster_.node(1).Freeze("ProbeClock"); });
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kUnavailable) << MessageOf(result);
  EXPECT_EQ(MessageOf(result), "node1 (host:2) was lost during the test: no answer in time");
  EXPECT_FALSE(cluster_.node(0).has_engines());
}

TEST_F(TestRunTest, ANodeThatCannotReachItsPeerIsNotLostButThePeerIs) {
  cluster_.AddNode().Fail("IntroducePeers", absl::UnavailableError("no way to server/0"));
  cluster_.AddNode();
  const TestResult alone = Run(ClientServerTest(1));
  EXPECT_EQ(MessageOf(alone), "IntroducePeers failed on node0 (host:1): no way to server/0");

  cluster_.node(1).When("IntroducePeers", [&] { cluster_.node(1).Die(); });
  const TestResult both = Run(ClientServerTest(1));
  EXPECT_EQ(MessageOf(both),
            "node1 (host:2) was lost during the test: connection reset; "
            "IntroducePeers failed on node0 (host:1): no way to server/0");
}

TEST_F(TestRunTest, FailuresOfANodeKeepItsOwnWords) {
  cluster_.AddNode();
  cluster_.AddNode().Fail("ConfigureNode", absl::ResourceExhaustedError("needs 70000 descriptors"));
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(MessageOf(result), "ConfigureNode failed on node1 (host:2): needs 70000 descriptors");
  EXPECT_FALSE(cluster_.node(0).has_engines());
}

TEST_F(TestRunTest, ANodeThatIgnoresTheCancelIsGivenUpAfterTheGrace) {
  cluster_.AddNode({.traffic_ns = kForeverNs}).Freeze("CancelTraffic");
  cluster_.events.After(20 * kSecondNs, [&] {
    cluster_.mailbox.Post([&] { stop_.Request(absl::CancelledError("enough")); });
  });
  const int64_t begin_ns = cluster_.time.MonotonicNs();
  const TestResult result = Run(ClientServerTest(1, kBothOnNode0));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kCancelled);
  EXPECT_LE(cluster_.time.MonotonicNs() - begin_ns, 26 * kSecondNs);
}

TEST_F(TestRunTest, AStopBeforeTheBeginningCallsNobody) {
  cluster_.AddNode();
  stop_.Request(absl::CancelledError("too late"));
  const TestResult result = Run(ClientServerTest(1, kBothOnNode0));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kCancelled);
  EXPECT_TRUE(cluster_.journal.empty());
}

// --- Nodes of other programs.

TEST_F(TestRunTest, NodesOfOtherProgramsAreSentPublicFieldsOnly) {
  cluster_.AddNode({.other_program = true});
  cluster_.AddNode({.other_program = true});
  const TestResult result = Run(ClientServerTest(1, "seed: 5"));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kOk) << MessageOf(result);
  const FakeNode& node = cluster_.node(1);
  EXPECT_FALSE(node.last_config().has_control());
  EXPECT_FALSE(node.last_config().traffic_config().has_seed());
  EXPECT_TRUE(node.last_config().traffic_config().services(0).has_x_size());
  EXPECT_FALSE(node.last_peers().has_control());
  EXPECT_EQ(node.last_peers().service_endpoints_size(), 2);
  EXPECT_FALSE(node.last_run().has_control());
  EXPECT_FALSE(node.last_run().has_agreed_start());
  EXPECT_NE(node.last_run().start_timestamp_ns(), 0);
  EXPECT_FALSE(result.report().nodes(0).agreed_start());
  EXPECT_THAT(SummaryOf(result), HasSubstr("Started without an agreed time: 2 of 2 nodes"));
}

TEST_F(TestRunTest, IdleNodesOfOtherProgramsTakePartWithoutInstances) {
  cluster_.AddNode();
  cluster_.AddNode({.other_program = true});
  const TestResult result = Run(ClientServerTest(1, kBothOnNode0));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kOk) << MessageOf(result);
  EXPECT_THAT(cluster_.journal, testing::Contains("node1 RunTraffic"));
  EXPECT_EQ(cluster_.node(1).last_config().services_size(), 0);
  EXPECT_TRUE(cluster_.node(0).last_run().has_agreed_start());
}

TEST_F(TestRunTest, NobodyWaitsForAnAgreedStartThatOneHostCannotKeep) {
  cluster_.AddNode();
  cluster_.AddNode({.other_program = true});
  const TestResult result = Run(ClientServerTest(1));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kOk) << MessageOf(result);
  EXPECT_FALSE(cluster_.node(0).last_run().has_agreed_start());
}

TEST_F(TestRunTest, WhatOtherProgramsCannotDoIsRefusedBeforeAnythingRuns) {
  cluster_.AddNode({.other_program = true});
  TestSequence sequence = ClientServerTest(1, kBothOnNode0);
  sequence.mutable_tests(0)->mutable_rpc_descriptions(0)->set_deadline_us(5);
  const TestResult result = Run(sequence);
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(result), HasSubstr("rpc_descriptions[0].deadline_us"));
  EXPECT_TRUE(cluster_.JournalWithout("ProbeClock").empty());
}

TEST_F(TestRunTest, AThousandNodesRunATest) {
  for (int i = 0; i < 1000; ++i) cluster_.AddNode();
  const TestResult result = Run(ClientServerTest(999));
  EXPECT_EQ(CodeOf(result), absl::StatusCode::kOk) << MessageOf(result);
  EXPECT_EQ(result.placement().service_endpoints_size(), 1000);
  EXPECT_EQ(result.report().nodes_size(), 1000);
  EXPECT_THAT(SummaryOf(result), HasSubstr("Total Nb RPCs: 999 "));
}

}  // namespace
}  // namespace distbench
