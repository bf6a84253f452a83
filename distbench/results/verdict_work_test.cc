// What was measured, what was served, and what calibrated work took.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "distbench/results/histogram.h"
#include "distbench/results/histogram_proto.h"
#include "distbench/results/made_up_result.h"
#include "distbench/results/served_recorder.h"
#include "distbench/results/verdict.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Ends of RPCs that a client records.
struct Ended {
  RpcIndex rpc;
  bool failed = false;
  bool warmup = false;
  int count = 1;
};

class VerdictWorkTest : public testing::Test {
 protected:
  void SetEnded(const std::string& client, const std::vector<Ended>& all) {
    test_.SetLog(client, [&](Recorder& recorder) {
      for (const Ended& ended : all) {
        const RpcRecord record = {
            .rpc = ended.rpc, .server = InstanceIndex(2), .warmup = ended.warmup, .end_ns = 1};
        for (int i = 0; i < ended.count; ++i) {
          if (ended.failed) {
            recorder.RecordFailure(record, "broken");
          } else {
            recorder.RecordSuccess(record);
          }
        }
      }
    });
  }
  Verdict Judge() const {
    return JudgeTest(test_.plan(), test_.result(), {.min_rpcs_beyond_percentile = 0});
  }
  static std::vector<std::string> Texts(const google::protobuf::RepeatedPtrField<Finding>& all) {
    std::vector<std::string> texts;
    for (const Finding& finding : all) texts.push_back(finding.text());
    return texts;
  }
  std::vector<std::string> Reasons() const { return Texts(Judge().reasons()); }
  std::vector<std::string> Notes() const { return Texts(Judge().notes()); }
  ServicePerformanceLog& log(const std::string& instance) {
    return (*test_.result().mutable_service_logs()->mutable_instance_logs())[instance];
  }

  MadeUpResult test_{{.clients = 2, .rpcs = {"query", "store"}}};
  const RpcIndex query_{0};
  const RpcIndex store_{1};
};

// --- Measured

TEST_F(VerdictWorkTest, WarmupAloneIsNothingMeasured) {
  SetEnded("client/0", {{.rpc = query_, .warmup = true, .count = 3}});
  SetEnded("client/1", {{.rpc = query_, .warmup = true, .count = 4}});
  EXPECT_THAT(Reasons(), ElementsAre("query was not measured: all 7 RPCs were warmup"));
  EXPECT_EQ(Judge().reasons(0).kind(), Finding::NOT_MEASURED);
  EXPECT_EQ(Judge().reasons(0).rpc(), "query");
  SetEnded("client/1", {{.rpc = query_}});
  EXPECT_TRUE(Judge().valid());
  EXPECT_THAT(Notes(), IsEmpty());
}

TEST_F(VerdictWorkTest, ATestThatShouldSendAndSentNothingIsNotValid) {
  EXPECT_THAT(Reasons(), ElementsAre("no RPC was sent"));
  EXPECT_EQ(Judge().reasons(0).kind(), Finding::NOT_MEASURED);
  SetEnded("client/1", {{.rpc = query_}});
  EXPECT_TRUE(Judge().valid());
  MadeUpResult idle({.rpcs = {"query"}});
  idle.plan().services[ServiceIndex(0)].main_list = std::nullopt;
  EXPECT_TRUE(JudgeTest(idle.plan(), idle.result(), {}).valid()) << "no list sends";
}

TEST_F(VerdictWorkTest, FailuresAloneAreNothingMeasured) {
  SetEnded("client/0", {{.rpc = query_, .failed = true, .count = 3}});
  EXPECT_THAT(Reasons(), ElementsAre("query was not measured: all 3 RPCs failed"));
  SetEnded("client/1", {{.rpc = query_, .warmup = true, .count = 4},
                        {.rpc = query_, .failed = true, .warmup = true}});
  EXPECT_THAT(Reasons(), ElementsAre("query was not measured: 4 RPCs failed, and 4 were warmup"));
}

TEST_F(VerdictWorkTest, OneRpcOfSeveralThatWasNotMeasuredIsANote) {
  SetEnded("client/0", {{.rpc = query_}, {.rpc = store_, .warmup = true}});
  EXPECT_TRUE(Judge().valid());
  EXPECT_THAT(Notes(), ElementsAre("store was not measured: all 1 RPCs were warmup"));
}

// --- Served

class VerdictServedTest : public VerdictWorkTest {
 protected:
  // All clients together send, and the server serves.
  void SetOneWay(int sent, int served) {
    SetEnded("client/0", {{.rpc = query_, .count = sent}});
    ServedRecorder server(2);
    for (int i = 0; i < served; ++i) server.Record({.rpc = query_});
    log("server/0").clear_served_rpcs();
    WriteServedRpcs({&server}, log("server/0"));
    (*log("client/0").mutable_one_way_rpcs())[0] = ACKNOWLEDGED;
  }

  void AddAction(ListIndex list, const ActionWork& work) {
    ActionPlan action;
    action.work = work;
    test_.plan().lists[list].actions.push_back(action);
  }
  ListIndex main_list() { return *test_.plan().services[ServiceIndex(0)].main_list; }
  ListIndex list_of_requests() { return test_.plan().rpcs[store_].server_list; }
};

TEST_F(VerdictServedTest, OneWayRpcsAreToBeServed) {
  SetOneWay(1000, 989);
  EXPECT_THAT(Reasons(),
              ElementsAre("query: 1000 one-way RPCs were sent, 989 served (1.1 % were not)"));
  EXPECT_EQ(Judge().reasons(0).kind(), Finding::NOT_SERVED);
  EXPECT_EQ(Judge().reasons(0).rpc(), "query");
  EXPECT_NEAR(Judge().reasons(0).measured(), 0.011, 1e-9);
  SetOneWay(1000, 990);
  EXPECT_TRUE(Judge().valid());
}

TEST_F(VerdictServedTest, NoneServedIsFoundToo) {
  SetOneWay(10, 0);
  EXPECT_THAT(Reasons(),
              ElementsAre("query: 10 one-way RPCs were sent, 0 served (100.0 % were not)"));
}

TEST_F(VerdictServedTest, RpcsWithAnswersAreNotHeldAgainstTheirServers) {
  SetOneWay(10, 0);
  log("client/0").clear_one_way_rpcs();
  EXPECT_TRUE(Judge().valid());
}

TEST_F(VerdictServedTest, WhatAMainListRunsSendsIsJudged) {
  const ListIndex nested = test_.plan().lists.push_back({});
  AddAction(main_list(), RunList{nested});
  AddAction(nested, SendRpc{query_});
  AddAction(nested, SendRpc{store_});
  SetOneWay(10, 0);
  EXPECT_FALSE(Judge().valid());
}

// Nobody waits for these, so they may be on their way when servers are asked what they served.
TEST_F(VerdictServedTest, WhatListsSendThatRunForRequestsIsNotJudged) {
  AddAction(list_of_requests(), SendRpc{query_});
  SetOneWay(10, 0);
  EXPECT_FALSE(Judge().valid()) << "nobody sends the request, so its list never runs";
  AddAction(main_list(), SendRpc{store_});
  EXPECT_TRUE(Judge().valid());
}

TEST_F(VerdictServedTest, WhatSuchListsRunSendsIsNotJudgedEither) {
  const ListIndex nested = test_.plan().lists.push_back({});
  AddAction(main_list(), SendRpc{store_});
  AddAction(list_of_requests(), RunList{nested});
  AddAction(nested, SendRpc{query_});
  SetOneWay(10, 0);
  EXPECT_TRUE(Judge().valid());
}

// A chain: each request sends the next one.
TEST_F(VerdictServedTest, WhatItsOwnListSendsOnIsNotJudged) {
  AddAction(test_.plan().rpcs[query_].server_list, SendRpc{query_});
  SetOneWay(10, 0);
  EXPECT_TRUE(Judge().valid());
}

TEST_F(VerdictServedTest, ATestThatSomebodyEndedIsNotJudged) {
  SetOneWay(10, 0);
  test_.result().mutable_report()->set_status_code(static_cast<int>(absl::StatusCode::kCancelled));
  EXPECT_TRUE(Judge().valid());
}

// --- Calibrated work

class VerdictCalibrationTest : public VerdictWorkTest {
 protected:
  VerdictCalibrationTest() { test_.plan().activities.push_back({.name = "work", .work = {}}); }

  void SetWork(double disagreement, int64_t cpu_ns) {
    HistogramPageSlab slab;
    LogLinearHistogram times(slab);
    for (int i = 0; i < 3; ++i) times.Record(cpu_ns);
    CalibratedWorkStatistics& work =
        *(*log("client/1").mutable_activity_logs())["work"].mutable_calibrated_work();
    work.set_nominal_ns(100'000);
    work.set_measurements(20);
    work.set_disagreement(disagreement);
    WriteHistogram(times, *work.mutable_cpu_time_ns());
  }
};

TEST_F(VerdictCalibrationTest, WorkThatTakesItsTimeIsNotNoted) {
  SetWork(0.05, 100'000);
  EXPECT_THAT(Notes(), IsEmpty());
  SetWork(0.05, 109'000);
  EXPECT_THAT(Notes(), IsEmpty());
}

TEST_F(VerdictCalibrationTest, WorkThatTakesAnotherTimeIsNoted) {
  SetWork(0.01, 59'000);
  SetEnded("client/0", {{.rpc = query_}});
  EXPECT_TRUE(Judge().valid());
  EXPECT_THAT(Notes(), ElementsAre("work of client/1: work of 100us took 59us of CPU time "
                                   "(median); the machine was not as it was when it was "
                                   "calibrated"));
  EXPECT_EQ(Judge().notes(0).kind(), Finding::CALIBRATION);
  EXPECT_EQ(Judge().notes(0).instance(), "client/1");
}

TEST_F(VerdictCalibrationTest, CalibrationsThatNeverAgreedAreNoted) {
  SetWork(0.07, 100'000);
  EXPECT_THAT(Notes(), ElementsAre("work of client/1: 20 calibrations never agreed; the last two "
                                   "are 7.0 % apart"));
}

TEST_F(VerdictCalibrationTest, WhatCannotBeReadIsNoEvidence) {
  SetWork(0.01, 59'000);
  (*log("client/1").mutable_activity_logs())["work"]
      .mutable_calibrated_work()
      ->mutable_cpu_time_ns()
      ->set_count(-1);
  EXPECT_THAT(Notes(), IsEmpty());
}

}  // namespace
}  // namespace distbench
