#include "distbench/sequencer/sequence_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "absl/strings/str_join.h"
#include "distbench/sequencer/assembling_receiver.h"
#include "distbench/sequencer/fake_cluster.h"

namespace distbench {
namespace {

using testing::HasSubstr;

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kForeverNs = 1'000'000 * kSecondNs;

// Sequences are asked for at moments of simulated time; the runner serves on the test's thread
// until it is stopped, ten minutes on.
class SequenceRunnerTest : public testing::Test {
 protected:
  using Answer = std::optional<absl::StatusOr<TestSequenceResults>>;

  static TestSequence Tests(int count) {
    TestSequence sequence;
    for (int i = 0; i < count; ++i) {
      *sequence.add_tests() = ClientServerTest(1).tests(0);
      sequence.mutable_tests(i)->set_name(absl::StrCat("test", i));
    }
    return sequence;
  }

  void AddNodes(int64_t traffic_ns) {
    cluster_.AddNode({.traffic_ns = traffic_ns});
    cluster_.AddNode({.traffic_ns = traffic_ns});
  }

  SequenceRunner::Cancel Ask(const TestSequence& sequence, Answer& answer) {
    return runner_.Run(sequence, std::make_shared<AssemblingReceiver>(
                                     [this, &answer](absl::StatusOr<TestSequenceResults> results) {
                                       answer = std::move(results);
                                       answered_ns_ = cluster_.time.MonotonicNs();
                                     }));
  }

  void At(int64_t after_ns, std::function<void()> act) {
    cluster_.events.After(after_ns, std::move(act));
  }

  void Serve() {
    At(600 * kSecondNs, [this] { runner_.Stop(); });
    runner_.Serve();
  }

  static std::vector<absl::StatusCode> Codes(const Answer& answer) {
    std::vector<absl::StatusCode> codes;
    for (const TestResult& result : answer->value().test_results()) {
      codes.push_back(static_cast<absl::StatusCode>(result.report().status_code()));
    }
    return codes;
  }
  static const TestReport& LastReport(const Answer& answer) {
    return answer->value().test_results().rbegin()->report();
  }

  FakeCluster cluster_;
  int shutdowns_ = 0;
  int64_t answered_ns_ = 0;
  SequenceRunner runner_{{.context = cluster_.context(),
                          .drivers = FakeDrivers(),
                          .on_shutdown = [this] { ++shutdowns_; }}};
};

TEST_F(SequenceRunnerTest, TestsRunInOrderOneAfterAnother) {
  AddNodes(10 * kSecondNs);
  Answer answer;
  Ask(Tests(3), answer);
  Serve();
  ASSERT_TRUE(answer.has_value() && answer->ok());
  ASSERT_EQ(answer->value().test_results_size(), 3);
  for (int i = 0; i < 3; ++i) {
    const TestResult& result = answer->value().test_results(i);
    EXPECT_EQ(result.traffic_config().name(), absl::StrCat("test", i));
    EXPECT_EQ(result.report().status_code(), 0) << result.report().status_message();
  }
}

TEST_F(SequenceRunnerTest, EveryProblemOfEveryTestIsReportedAndNothingIsDisturbed) {
  AddNodes(10 * kSecondNs);
  Answer good, bad;
  Ask(Tests(1), good);
  TestSequence wrong = Tests(2);
  wrong.mutable_tests(0)->mutable_actions(0)->set_rpc_name("nonsense");
  wrong.mutable_tests(1)->mutable_services(1)->set_count(-1);
  At(5 * kSecondNs, [&] { Ask(wrong, bad); });
  Serve();
  EXPECT_EQ(bad->status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(bad->status().message()), HasSubstr("nonsense"));
  EXPECT_THAT(std::string(bad->status().message()), HasSubstr("count"));
  EXPECT_EQ(LastReport(good).status_code(), 0);
}

TEST_F(SequenceRunnerTest, AnEmptySequenceIsAnsweredAtOnceAndPreemptsNothing) {
  AddNodes(10 * kSecondNs);
  Answer running, empty;
  Ask(Tests(1), running);
  At(5 * kSecondNs, [&] {
    Ask(TestSequence(), empty);
    EXPECT_TRUE(empty.has_value() && empty->ok());
    EXPECT_FALSE(running.has_value());
  });
  Serve();
  EXPECT_EQ(LastReport(running).status_code(), 0);
}

TEST_F(SequenceRunnerTest, ANewSequencePreemptsTheRunningOneWhichStillGetsItsCompleteTests) {
  AddNodes(10 * kSecondNs);
  Answer first, second;
  Ask(Tests(3), first);
  At(15 * kSecondNs, [&] { Ask(Tests(1), second); });
  Serve();
  ASSERT_TRUE(first.has_value() && first->ok());
  ASSERT_EQ(first->value().test_results_size(), 2);
  EXPECT_EQ(first->value().test_results(0).report().status_code(), 0);
  EXPECT_EQ(LastReport(first).status_code(), static_cast<int>(absl::StatusCode::kCancelled));
  EXPECT_EQ(LastReport(first).status_message(), "preempted by a new test sequence");
  EXPECT_THAT(absl::StrJoin(first->value().test_results(1).log_summary(), "\n"),
              HasSubstr("preempted by a new test sequence"));
  EXPECT_EQ(LastReport(second).status_code(), 0) << LastReport(second).status_message();
}

TEST_F(SequenceRunnerTest, OfSeveralNewSequencesTheNewestRuns) {
  AddNodes(10 * kSecondNs);
  Answer first, second, third;
  Ask(Tests(1), first);
  At(5 * kSecondNs, [&] {
    Ask(Tests(1), second);
    Ask(Tests(1), third);
  });
  Serve();
  EXPECT_NE(LastReport(first).status_code(), 0);
  EXPECT_NE(LastReport(second).status_code(), 0);
  EXPECT_EQ(LastReport(third).status_code(), 0);
}

TEST_F(SequenceRunnerTest, ACallerWhoGoesAwayCancelsItsTrafficWithinASecond) {
  AddNodes(kForeverNs);
  Answer answer;
  const SequenceRunner::Cancel cancel = Ask(Tests(2), answer);
  const int64_t cancelled_ns = cluster_.time.MonotonicNs() + 20 * kSecondNs;
  At(20 * kSecondNs, [&] { cancel(); });
  Serve();
  ASSERT_EQ(answer->value().test_results_size(), 1);
  EXPECT_EQ(LastReport(answer).status_code(), static_cast<int>(absl::StatusCode::kCancelled));
  EXPECT_LE(cluster_.node(0).traffic_end_ns() - cancelled_ns, kSecondNs);
  EXPECT_LE(cluster_.node(1).traffic_end_ns() - cancelled_ns, kSecondNs);
  EXPECT_LE(answered_ns_ - cancelled_ns, kSecondNs);
  cancel();  // of a sequence that has ended: nothing happens
}

TEST_F(SequenceRunnerTest, ATestThatFailsByItselfDoesNotKeepLaterOnesFromRunning) {
  AddNodes(10 * kSecondNs);
  TestSequence sequence = Tests(5);
  sequence.mutable_tests(1)->mutable_services(0)->set_count(9);  // more nodes than there are
  (*sequence.mutable_tests(3)->mutable_attributes())["test_timeout"] = "5";
  At(5 * kSecondNs,
     [&] { cluster_.node(1).EndTraffic(absl::ResourceExhaustedError("1001 threads")); });
  Answer answer;
  Ask(sequence, answer);
  Serve();
  EXPECT_THAT(Codes(answer),
              testing::ElementsAre(absl::StatusCode::kResourceExhausted,
                                   absl::StatusCode::kFailedPrecondition, absl::StatusCode::kOk,
                                   absl::StatusCode::kDeadlineExceeded, absl::StatusCode::kOk));
}

TEST_F(SequenceRunnerTest, AfterTheLossOfANodeTestsRunOnThoseThatAreLeft) {
  AddNodes(10 * kSecondNs);
  AddNodes(10 * kSecondNs);
  At(5 * kSecondNs, [&] { cluster_.node(1).Die(); });
  Answer answer;
  Ask(Tests(2), answer);
  Serve();
  EXPECT_THAT(Codes(answer),
              testing::ElementsAre(absl::StatusCode::kUnavailable, absl::StatusCode::kOk));
}

TEST_F(SequenceRunnerTest, WhereALostNodeIsMissingLaterTestsAreNotBegunAndNodesStayUsable) {
  AddNodes(10 * kSecondNs);
  Answer failed, next;
  At(5 * kSecondNs, [&] { cluster_.node(1).Die(); });
  Ask(Tests(5), failed);
  At(100 * kSecondNs, [&] {
    cluster_.node(1).Heal();
    Ask(Tests(1), next);
  });
  Serve();
  EXPECT_THAT(Codes(failed), testing::ElementsAre(absl::StatusCode::kUnavailable,
                                                  absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(absl::StrJoin(failed->value().test_results(1).log_summary(), "\n"),
              HasSubstr("Tests not run:\n  3 after this one"));
  EXPECT_EQ(LastReport(next).status_code(), 0) << LastReport(next).status_message();
}

TEST_F(SequenceRunnerTest, ASequenceThatIsStoppedKeepsItsCompleteTests) {
  AddNodes(10 * kSecondNs);
  TestSequence sequence = Tests(3);
  sequence.set_sequence_id("mine");
  Answer answer;
  Ask(sequence, answer);
  absl::Status stopped = absl::UnknownError("no answer");
  const int64_t stopped_ns = cluster_.time.MonotonicNs() + 15 * kSecondNs;
  At(15 * kSecondNs,
     [&] { runner_.StopSequence("mine", [&](absl::Status status) { stopped = status; }); });
  Serve();
  EXPECT_TRUE(stopped.ok()) << stopped;
  EXPECT_THAT(Codes(answer),
              testing::ElementsAre(absl::StatusCode::kOk, absl::StatusCode::kCancelled));
  EXPECT_EQ(LastReport(answer).status_message(), "stopped by the caller");
  EXPECT_LE(answered_ns_ - stopped_ns, kSecondNs);
  const auto& summary = answer->value().test_results(1).log_summary();
  EXPECT_THAT(absl::StrJoin(summary, "\n"), HasSubstr("Total Nb RPCs: 1 "));
  EXPECT_THAT(absl::StrJoin(summary, "\n"), HasSubstr("Tests not run:\n  1 after this one"));
}

TEST_F(SequenceRunnerTest, AStopBetweenTwoTestsIsToldByTheNextOne) {
  AddNodes(10 * kSecondNs);
  TestSequence sequence = Tests(3);
  sequence.set_sequence_id("mine");
  Answer answer;
  Ask(sequence, answer);
  cluster_.node(0).When("StreamTrafficResult",
                        [&] { runner_.StopSequence("mine", [](absl::Status) {}); });
  Serve();
  EXPECT_EQ(LastReport(answer).status_code(), static_cast<int>(absl::StatusCode::kCancelled));
}

TEST_F(SequenceRunnerTest, AStopReachesNoOtherSequence) {
  AddNodes(10 * kSecondNs);
  TestSequence sequence = Tests(1);
  sequence.set_sequence_id("mine");
  Answer answer;
  Ask(sequence, answer);
  std::vector<absl::StatusCode> codes;
  const auto stop = [&](const std::string& id) {
    runner_.StopSequence(id, [&](absl::Status status) { codes.push_back(status.code()); });
  };
  At(5 * kSecondNs, [&] { stop("other"); });
  At(6 * kSecondNs, [&] { stop(""); });
  At(100 * kSecondNs, [&] { stop("mine"); });
  Serve();
  stop("mine");
  EXPECT_EQ(LastReport(answer).status_code(), 0);
  EXPECT_THAT(codes,
              testing::ElementsAre(absl::StatusCode::kNotFound, absl::StatusCode::kInvalidArgument,
                                   absl::StatusCode::kNotFound, absl::StatusCode::kUnavailable));
}

TEST_F(SequenceRunnerTest, LogsThatAreNotKeptStillCountInTheSummary) {
  AddNodes(kSecondNs);
  TestSequence sequence = Tests(1);
  sequence.mutable_tests_setting()->set_keep_instance_log(false);
  Answer answer;
  Ask(sequence, answer);
  Serve();
  const TestResult& result = answer->value().test_results(0);
  const RpcPerformanceLog& log = result.service_logs()
                                     .instance_logs()
                                     .at("client/0")
                                     .peer_logs()
                                     .at("server/0")
                                     .rpc_logs()
                                     .at(0);
  EXPECT_EQ(log.successful_rpc_samples_size(), 0);
  EXPECT_EQ(log.statistics().measured_success().count(), 1);
  EXPECT_THAT(absl::StrJoin(result.log_summary(), "\n"), HasSubstr("Total Nb RPCs: 1 "));
}

TEST_F(SequenceRunnerTest, ShutdownComesAfterTheAnswer) {
  AddNodes(kSecondNs);
  TestSequence sequence = Tests(1);
  sequence.mutable_tests_setting()->set_shutdown_after_tests(true);
  int shutdowns_when_answered = -1;
  runner_.Run(sequence, std::make_shared<AssemblingReceiver>(
                            [&](absl::StatusOr<TestSequenceResults> results) {
                              EXPECT_TRUE(results.ok());
                              shutdowns_when_answered = shutdowns_;
                            }));
  Serve();
  EXPECT_EQ(shutdowns_when_answered, 0);
  EXPECT_EQ(shutdowns_, 1);
  EXPECT_TRUE(cluster_.node(0).is_shut_down());
  EXPECT_TRUE(cluster_.node(1).is_shut_down());
}

TEST_F(SequenceRunnerTest, APreemptedSequenceShutsNothingDown) {
  AddNodes(10 * kSecondNs);
  TestSequence sequence = Tests(1);
  sequence.mutable_tests_setting()->set_shutdown_after_tests(true);
  Answer first, second;
  Ask(sequence, first);
  At(5 * kSecondNs, [&] { Ask(Tests(1), second); });
  Serve();
  EXPECT_EQ(shutdowns_, 0);
  EXPECT_EQ(LastReport(second).status_code(), 0);
}

TEST_F(SequenceRunnerTest, AnEmptySequenceThatShutsDownWaitsForTheRunningOne) {
  AddNodes(10 * kSecondNs);
  TestSequence only_shutdown;
  only_shutdown.mutable_tests_setting()->set_shutdown_after_tests(true);
  Answer running, empty;
  Ask(Tests(1), running);
  At(5 * kSecondNs, [&] { Ask(only_shutdown, empty); });
  Serve();
  EXPECT_EQ(LastReport(running).status_code(), 0);
  EXPECT_TRUE(empty->ok());
  EXPECT_EQ(shutdowns_, 1);
}

TEST_F(SequenceRunnerTest, StopEndsWhatRunsAndRefusesWhatComesLater) {
  AddNodes(kForeverNs);
  Answer running, late;
  Ask(Tests(1), running);
  At(5 * kSecondNs, [&] {
    runner_.Stop();
    Ask(Tests(1), late);
  });
  runner_.Serve();
  EXPECT_EQ(LastReport(running).status_code(), static_cast<int>(absl::StatusCode::kCancelled));
  EXPECT_EQ(late->status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace distbench
