// Open loops: each figure once at its threshold, where it is fair, and once just beyond.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "distbench/results/made_up_result.h"
#include "distbench/results/verdict.h"
#include "distbench/sampling/rate_profile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int64_t kMs = 1'000'000;

// Nothing is too late for it.
constexpr VerdictThresholds kLoadOnly = {.max_lateness = 1000, .noted_lateness = 1000};

using RateSteps = std::vector<RateProfile::Step>;

// A start each ms, at a rate that changes.
IterationPlan ChangingIterations(const RateSteps& steps, int64_t max_duration_ns) {
  return {.max_duration_ns = max_duration_ns,
          .open_loop = OpenLoopPlan{.interval_ns = kMs,
                                    .rates = std::make_shared<const RateProfile>(steps)}};
}

// Beside one client.
constexpr InstanceIndex kServer{1};

class VerdictLoadTest : public testing::Test {
 protected:
  explicit VerdictLoadTest(size_t clients = 1) : test_({.clients = clients, .rpcs = {"query"}}) {}

  Verdict Judge(const VerdictThresholds& thresholds) const {
    return JudgeTest(test_.plan(), test_.result(), thresholds);
  }
  static int Count(const google::protobuf::RepeatedPtrField<Finding>& findings,
                   Finding::Kind kind) {
    int count = 0;
    for (const Finding& finding : findings) count += finding.kind() == kind;
    return count;
  }
  // The text of the one reason that is found, however late the starts were.
  std::string OnlyReason() const {
    const Verdict verdict = Judge(kLoadOnly);
    EXPECT_EQ(verdict.reasons_size(), 1) << verdict.DebugString();
    return verdict.reasons_size() == 0 ? "" : verdict.reasons(0).text();
  }
  void EndEarly(absl::StatusCode code) {
    test_.result().mutable_report()->set_status_code(static_cast<int>(code));
  }

  ServicePerformanceLog& Log() {
    return test_.result().mutable_service_logs()->mutable_instance_logs()->at("client/0");
  }
  RpcPerformanceLog& SampledLog() {
    return Log().mutable_peer_logs()->at("server/0").mutable_rpc_logs()->at(0);
  }
  void SetOneWay(const std::string& client, OneWayEnd end) {
    auto& logs = *test_.result().mutable_service_logs()->mutable_instance_logs();
    (*logs.at(client).mutable_one_way_rpcs())[0] = end;
  }
  void ForgetSamples() { SampledLog().clear_successful_rpc_samples(); }
  void ForgetLastStart() {
    Log()
        .mutable_rpc_statistics()
        ->at(0)
        .mutable_measured_success()
        ->clear_last_start_timestamp_ns();
  }

  MadeUpResult test_;
};

class VerdictLoadOfTwoTest : public VerdictLoadTest {
 protected:
  VerdictLoadOfTwoTest() : VerdictLoadTest(2) {}
};

// --- Offered load

TEST_F(VerdictLoadTest, OfferedLoadMayBeMissedByTheThresholdButNoMore) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLoad("client/0", {.count = 990});
  EXPECT_TRUE(Judge(kLoadOnly).valid());

  test_.SetLoad("client/0", {.count = 989});
  const Verdict verdict = Judge(kLoadOnly);
  EXPECT_FALSE(verdict.valid());
  ASSERT_EQ(verdict.reasons_size(), 1);
  const Finding& reason = verdict.reasons(0);
  EXPECT_EQ(reason.kind(), Finding::OFFERED_LOAD_MISSED);
  EXPECT_EQ(reason.instance(), "client/0");
  EXPECT_EQ(reason.rpc(), "query");
  EXPECT_DOUBLE_EQ(reason.measured(), 0.011);
  EXPECT_EQ(reason.threshold(), 0.01);
  EXPECT_EQ(reason.text(),
            "offered load of client/0 missed by 1.1 % (query: 1000 RPCs were due, 989 were "
            "started)");
}

TEST_F(VerdictLoadOfTwoTest, AnInstanceThatStartedNothingMissedItAll) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLoad("client/0", {.count = 1000});
  EXPECT_EQ(OnlyReason(),
            "offered load of client/1 missed by 100.0 % (query: 1000 RPCs were due, 0 were "
            "started)");
  EndEarly(absl::StatusCode::kCancelled);
  EXPECT_EQ(Count(Judge(kLoadOnly).reasons(), Finding::OFFERED_LOAD_MISSED), 0);
}

TEST_F(VerdictLoadTest, AllThatWasStartedCountsHoweverItEnded) {
  test_.SetIterations(OpenLoopIterations(5));
  test_.SetLog("client/0", [](Recorder& recorder) {
    const InstanceIndex server = kServer;
    RpcRecord record = {.rpc = RpcIndex(0), .server = server, .open_loop = true, .end_ns = 100};
    recorder.RecordSuccess(record);
    recorder.RecordFailure(record, "reset");
    record.warmup = true;
    recorder.RecordSuccess(record);
    recorder.RecordCancelled(RpcIndex(0), server);
    recorder.RecordAbandoned(RpcIndex(0), server);
  });
  EXPECT_TRUE(Judge(kLoadOnly).valid());
  test_.SetIterations(OpenLoopIterations(6));
  EXPECT_FALSE(Judge(kLoadOnly).valid());
}

// 1000 RPCs, each 1 ms, that take longer than a second.
TEST_F(VerdictLoadTest, ALoadThatTookLongerWasMissed) {
  test_.SetIterations(OpenLoopIterations(1000));
  // The last starts after 1009.989 intervals: of 1010 RPCs ten are missing.
  test_.SetLoad("client/0", {.count = 1000, .interval_ns = 1'011'000});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
  // After 1010.988 intervals: of 1011 RPCs eleven are.
  test_.SetLoad("client/0", {.count = 1000, .interval_ns = 1'012'000});
  EXPECT_EQ(OnlyReason(),
            "offered load of client/0 missed by 1.1 % (query: 1011 RPCs were due in 1.011s, 1000 "
            "were started)");
}

// In 10 s there are 10000 +- 100 arrivals of a Poisson process, 9500 at least.
TEST_F(VerdictLoadTest, DrawnArrivalsMayFallShortByChanceAndByTheThreshold) {
  test_.SetIterations(
      {.max_duration_ns = 10'000 * kMs,
       .open_loop = OpenLoopPlan{.interval_ns = kMs, .arrivals = Arrivals::kExponential}});
  test_.SetLoad("client/0", {.count = 9405});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
  test_.SetLoad("client/0", {.count = 9404});
  EXPECT_FALSE(Judge(kLoadOnly).valid());
}

TEST_F(VerdictLoadTest, ALowerRateIsOwedLess) {
  test_.SetIterations(ChangingIterations(
      {{.start_factor = 0.5, .end_factor = 0.5, .duration_ns = kMs}}, 2'000 * kMs));
  test_.SetLoad("client/0", {.count = 1001, .interval_ns = 2 * kMs});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
  test_.SetLoad("client/0", {.count = 990, .interval_ns = 2 * kMs});
  EXPECT_EQ(OnlyReason(),
            "offered load of client/0 missed by 1.1 % (query: 1001 RPCs were due, 990 were "
            "started)");
}

TEST_F(VerdictLoadTest, AHigherRateIsOwedMore) {
  test_.SetIterations(
      ChangingIterations({{.start_factor = 2, .end_factor = 2, .duration_ns = kMs}}, 1'000 * kMs));
  test_.SetLoad("client/0", {.count = 2001, .interval_ns = kMs / 2});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
  test_.SetLoad("client/0", {.count = 1001, .interval_ns = kMs});
  EXPECT_EQ(OnlyReason(),
            "offered load of client/0 missed by 50.0 % (query: 2001 RPCs were due, 1001 were "
            "started)");
}

// The second step is never reached: the loop ends with the first one.
TEST_F(VerdictLoadTest, ALoopThatTookLongerOwesNoRateThatItWouldHaveHadLater) {
  test_.SetIterations(
      ChangingIterations({{.start_factor = 1, .end_factor = 1, .duration_ns = 1'000 * kMs},
                          {.start_factor = 100, .end_factor = 100, .duration_ns = kMs}},
                         1'000 * kMs));
  test_.SetLoad("client/0", {.count = 1001, .interval_ns = kMs + kMs / 200});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
  test_.SetLoad("client/0", {.count = 1001, .interval_ns = kMs + kMs / 50});
  EXPECT_EQ(OnlyReason(),
            "offered load of client/0 missed by 2.0 % (query: 1021 RPCs were due in 1.02s, 1001 "
            "were started)");
}

TEST_F(VerdictLoadTest, ASlowAnswerAfterTheLastStartIsNoMissedLoad) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLoad("client/0", {.count = 1000, .service_ns = 5000 * kMs});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
}

// 1000 RPCs that were due 1 ms apart and started 2 ms apart, the first of which ended last of all.
void RecordHalfTheLoad(Recorder& recorder) {
  for (int64_t i = 0; i < 1000; ++i) {
    recorder.RecordSuccess({.server = kServer,
                            .open_loop = true,
                            .intended_start_ns = i * kMs,
                            .start_ns = i * 2 * kMs,
                            .end_ns = i == 0 ? 3000 * kMs : i * 2 * kMs + 100});
  }
}

TEST_F(VerdictLoadTest, ASlowAnswerHidesTheLastStartFromNobody) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLog("client/0", RecordHalfTheLoad);
  ForgetSamples();
  EXPECT_EQ(Count(Judge(kLoadOnly).reasons(), Finding::OFFERED_LOAD_MISSED), 1);
}

TEST_F(VerdictLoadTest, WhereTheLastStartWasNotCountedSamplesTellIt) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLog("client/0", RecordHalfTheLoad);
  ForgetLastStart();
  EXPECT_EQ(Count(Judge(kLoadOnly).reasons(), Finding::OFFERED_LOAD_MISSED), 1);
  ForgetSamples();
  EXPECT_EQ(Count(Judge(kLoadOnly).reasons(), Finding::OFFERED_LOAD_MISSED), 0);
}

TEST_F(VerdictLoadTest, ASampleThatStartsAfterTheLastEndIsNoStart) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLoad("client/0", {.count = 1000});
  ForgetLastStart();
  SampledLog().add_successful_rpc_samples()->set_start_timestamp_ns(INT64_MAX);
  EXPECT_TRUE(Judge(kLoadOnly).valid());
}

TEST_F(VerdictLoadTest, ATestThatEndedEarlyIsHeldToWhatWasDueUntilThen) {
  test_.SetIterations(OpenLoopIterations(1000));
  EndEarly(absl::StatusCode::kCancelled);
  test_.SetLoad("client/0", {.count = 500});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
  test_.SetLoad("client/0", {.count = 500, .interval_ns = 2 * kMs});
  EXPECT_EQ(Count(Judge(kLoadOnly).reasons(), Finding::OFFERED_LOAD_MISSED), 1);
}

TEST_F(VerdictLoadTest, ClosedLoopsOfferWhatTheyCan) {
  test_.SetIterations({.max_count = 1000});
  test_.SetLoad("client/0", {.count = 5, .open_loop = false});
  EXPECT_TRUE(Judge(kLoadOnly).valid());
}

TEST_F(VerdictLoadOfTwoTest, TheWorstClientIsNamedFirst) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLoad("client/0", {.count = 900});
  test_.SetLoad("client/1", {.count = 100});
  const Verdict verdict = Judge(kLoadOnly);
  ASSERT_EQ(verdict.reasons_size(), 2);
  EXPECT_EQ(verdict.reasons(0).instance(), "client/1");
  EXPECT_EQ(verdict.reasons(1).instance(), "client/0");
}

TEST_F(VerdictLoadTest, TheThresholdOfTheLoadCanBeSet) {
  test_.SetIterations(OpenLoopIterations(1000));
  test_.SetLoad("client/0", {.count = 500});
  VerdictThresholds thresholds = kLoadOnly;
  thresholds.max_missed_load = 0.5;
  EXPECT_TRUE(Judge(thresholds).valid());
  thresholds.max_missed_load = 0.499;
  EXPECT_FALSE(Judge(thresholds).valid());
}

// --- Lateness. Response time = lateness + service time.

TEST_F(VerdictLoadTest, LatenessMayBeATenthOfTheResponseTime) {
  test_.SetIterations(OpenLoopIterations(100));
  test_.SetLoad("client/0", {.count = 100, .lateness_ns = 40, .service_ns = 360});
  EXPECT_TRUE(Judge({}).valid());

  test_.SetLoad("client/0", {.count = 100, .lateness_ns = 41, .service_ns = 360});
  const Verdict verdict = Judge({});
  ASSERT_EQ(verdict.reasons_size(), 1);
  const Finding& reason = verdict.reasons(0);
  EXPECT_EQ(reason.kind(), Finding::LATENESS);
  EXPECT_EQ(reason.instance(), "client/0");
  EXPECT_EQ(reason.rpc(), "query");
  EXPECT_DOUBLE_EQ(reason.measured(), 41.0 / 401);
  EXPECT_EQ(reason.threshold(), 0.1);
  EXPECT_EQ(reason.text(),
            "client/0 started query late (lateness 99%: 41ns, response time median: 401ns)");
}

TEST_F(VerdictLoadOfTwoTest, OneLateClientIsNotHiddenByTheOthers) {
  test_.SetIterations(OpenLoopIterations(10'000, 1000));
  test_.SetLoad("client/0", {.count = 10'000, .interval_ns = 1000});
  test_.SetLoad("client/1",
                {.count = 10, .interval_ns = kMs, .lateness_ns = 500, .service_ns = 500});
  VerdictThresholds thresholds;
  thresholds.max_missed_load = 1000;
  const Verdict verdict = Judge(thresholds);
  ASSERT_EQ(verdict.reasons_size(), 1);
  EXPECT_EQ(verdict.reasons(0).instance(), "client/1");
}

TEST_F(VerdictLoadTest, TheMedianOfTheResponseTimesDecidesNotTheirTail) {
  test_.SetIterations(OpenLoopIterations(100));
  test_.SetLog("client/0", [](Recorder& recorder) {
    for (int64_t i = 0; i < 100; ++i) {
      // The two that are late are slow too.
      const int64_t lateness_ns = i < 2 ? 500 : 0;
      const int64_t due_ns = i * kMs;
      recorder.RecordSuccess({.rpc = RpcIndex(0),
                              .server = kServer,
                              .open_loop = true,
                              .intended_start_ns = due_ns,
                              .start_ns = due_ns + lateness_ns,
                              .end_ns = due_ns + lateness_ns + (i < 2 ? 100'000 : 100)});
    }
  });
  EXPECT_EQ(Count(Judge({}).reasons(), Finding::LATENESS), 1);
}

// One-way RPCs are handed over in no time.
TEST_F(VerdictLoadTest, LatenessOfOneWayRpcsMayBeATenthOfTheInterval) {
  for (const OneWayEnd end : {HANDED_OVER, ACKNOWLEDGED}) {
    test_.SetIterations(OpenLoopIterations(100, 400));
    test_.SetLoad("client/0",
                  {.count = 100, .interval_ns = 400, .lateness_ns = 40, .service_ns = 5});
    SetOneWay("client/0", end);
    EXPECT_EQ(Count(Judge({}).reasons(), Finding::LATENESS), 0);

    test_.SetLoad("client/0",
                  {.count = 100, .interval_ns = 400, .lateness_ns = 41, .service_ns = 5000});
    SetOneWay("client/0", end);
    const Verdict verdict = Judge({});
    ASSERT_EQ(Count(verdict.reasons(), Finding::LATENESS), 1);
    const Finding& reason = *verdict.reasons().rbegin();
    EXPECT_DOUBLE_EQ(reason.measured(), 41.0 / 400);
    EXPECT_EQ(reason.text(),
              "client/0 started query late (lateness 99%: 41ns, interval between starts: 400ns)");
  }
}

// All but the first ten come in the second step, 400 ns apart.
TEST_F(VerdictLoadTest, TheIntervalOfOneWayRpcsIsThatOfMostStarts) {
  IterationPlan iterations = OpenLoopIterations(110, 4'000);
  iterations.open_loop->rates = std::make_shared<const RateProfile>(
      RateSteps{{.start_factor = 1, .end_factor = 1, .duration_ns = 40'000},
                {.start_factor = 10, .end_factor = 10, .duration_ns = 1}});
  test_.SetIterations(iterations);
  const auto reasons_at = [this](int64_t lateness_ns) {
    test_.SetLog("client/0", [&](Recorder& recorder) {
      for (int64_t i = 0; i < 110; ++i) {
        const int64_t due_ns = i < 10 ? i * 4'000 : 36'000 + i * 400;
        recorder.RecordSuccess({.server = kServer,
                                .open_loop = true,
                                .intended_start_ns = due_ns,
                                .start_ns = due_ns + lateness_ns,
                                .end_ns = due_ns + lateness_ns + 5});
      }
    });
    SetOneWay("client/0", HANDED_OVER);
    return Count(Judge({}).reasons(), Finding::LATENESS);
  };
  EXPECT_EQ(reasons_at(40), 0);
  EXPECT_EQ(reasons_at(41), 1);
}

// A loop of a list that runs for requests, for instance: several may run at a time.
TEST_F(VerdictLoadTest, LatenessOfOneWayRpcsIsNotJudgedWhereTheIntervalIsUnknown) {
  test_.SetIterations({.max_count = 100});
  test_.SetLoad("client/0", {.count = 100, .lateness_ns = kMs, .service_ns = 5});
  EXPECT_EQ(Count(Judge({}).reasons(), Finding::LATENESS), 1) << "two-way RPCs need none";
  SetOneWay("client/0", HANDED_OVER);
  EXPECT_EQ(Count(Judge({}).reasons(), Finding::LATENESS), 0);
}

// --- Pacing

TEST_F(VerdictLoadTest, PacingOfOneWayRpcsIsRecommendedBeyondTwoPercentOfTheInterval) {
  test_.SetIterations(OpenLoopIterations(100, 400));
  const auto notes_at = [this](int64_t lateness_ns) {
    test_.SetLoad("client/0",
                  {.count = 100, .interval_ns = 400, .lateness_ns = lateness_ns, .service_ns = 5});
    SetOneWay("client/0", HANDED_OVER);
    return Count(Judge({}).notes(), Finding::PACING);
  };
  EXPECT_EQ(notes_at(8), 0);
  EXPECT_EQ(notes_at(9), 1);
}

TEST_F(VerdictLoadTest, PacingIsRecommendedBeyondTwoPercent) {
  test_.SetIterations(OpenLoopIterations(100));
  test_.SetLoad("client/0", {.count = 100, .lateness_ns = 8, .service_ns = 392});
  EXPECT_EQ(Count(Judge({}).notes(), Finding::PACING), 0);

  test_.SetLoad("client/0", {.count = 100, .lateness_ns = 9, .service_ns = 392});
  const Verdict verdict = Judge({});
  EXPECT_TRUE(verdict.valid());
  ASSERT_EQ(Count(verdict.notes(), Finding::PACING), 1);
  EXPECT_EQ(verdict.notes(0).text(),
            "pacing 'hybrid' or 'spin' would start query of client/0 nearer to its time (lateness "
            "99%: 9ns, response time median: 401ns)");
}

TEST_F(VerdictLoadTest, PacingIsNotRecommendedWhereItWouldNotHelp) {
  test_.SetIterations(OpenLoopIterations(100));
  const auto notes_at = [this](int64_t lateness_ns) {
    test_.SetLoad("client/0", {.count = 100, .lateness_ns = lateness_ns, .service_ns = 20 * kMs});
    return Count(Judge({}).notes(), Finding::PACING);
  };
  EXPECT_EQ(notes_at(kMs), 1);
  EXPECT_EQ(notes_at(kMs + 1), 0) << "no wake-up takes so long";
  test_.SetIterations(OpenLoopIterations(100, kMs, Pacing::kSpin));
  EXPECT_EQ(notes_at(kMs), 0) << "it spins already";
}

TEST_F(VerdictLoadTest, PacingIsNotRecommendedWithoutACpuToSpare) {
  test_.SetIterations(OpenLoopIterations(100));
  test_.SetLoad("client/0", {.count = 100, .lateness_ns = 20, .service_ns = 380});
  test_.AddNode("node0", {"client/0"});
  test_.SetCpuSeconds("node0", 0.01);
  EXPECT_EQ(Count(Judge({}).notes(), Finding::PACING), 1);
  test_.SetCpuSeconds("node0", 10);
  EXPECT_EQ(Count(Judge({}).notes(), Finding::PACING), 0);
}

}  // namespace
}  // namespace distbench
