// What a Recorder recorded, as BuildServiceLog tells it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr InstanceIndex kClient(0);
constexpr InstanceIndex kServer0(1);
constexpr InstanceIndex kServer1(2);
constexpr RpcIndex kGet(0);
constexpr RpcIndex kPut(1);
// Wall time is monotonic time plus a million.
constexpr WallAnchor kAnchor{.wall_ns = 1'000'100, .monotonic_ns = 100};

class ServiceLogTest : public testing::Test {
 protected:
  ServicePerformanceLog Build() const { return BuildServiceLog({&recorder_}, kAnchor); }

  const std::shared_ptr<const Plan> plan_ = MadeUpPlan({.servers = 2, .rpcs = {"get", "put"}});
  Recorder recorder_{{.plan = plan_, .self = kClient}};
};

TEST_F(ServiceLogTest, WithoutRpcsThereIsNothing) {
  EXPECT_EQ(Build().ByteSizeLong(), 0u);
  EXPECT_EQ(BuildServiceLog({}, kAnchor).ByteSizeLong(), 0u);
}

TEST_F(ServiceLogTest, ASampleTellsItsRpc) {
  recorder_.RecordSuccess({.rpc = kPut,
                           .server = kServer1,
                           .start_ns = 5000,
                           .end_ns = 5700,
                           .request_bytes = 196,
                           .response_bytes = 262'144,
                           .latency_weight_ns = 900});
  const ServicePerformanceLog log = Build();
  ASSERT_EQ(log.peer_logs_size(), 1);
  ASSERT_EQ(log.peer_logs().at("server/1").rpc_logs_size(), 1);
  const RpcPerformanceLog& put = log.peer_logs().at("server/1").rpc_logs().at(1);
  EXPECT_THAT(put.failed_rpc_samples(), IsEmpty());
  ASSERT_EQ(put.successful_rpc_samples_size(), 1);
  EXPECT_EQ(put.successful_rpc_samples(0).ShortDebugString(),
            "request_size: 196 response_size: 262144 start_timestamp_ns: 1005000 latency_ns: 700 "
            "latency_weight: 900");
}

TEST_F(ServiceLogTest, WhatAnRpcDoesNotHaveIsAbsentFromItsSample) {
  recorder_.RecordSuccess({.rpc = kGet, .server = kServer0, .start_ns = 1, .end_ns = 2});
  const ServicePerformanceLog log = Build();
  const RpcSample& sample =
      log.peer_logs().at("server/0").rpc_logs().at(0).successful_rpc_samples(0);
  EXPECT_FALSE(sample.has_latency_weight());
  EXPECT_FALSE(sample.has_warmup());
  EXPECT_FALSE(sample.has_error_index());
}

TEST_F(ServiceLogTest, ATracedSampleTellsTheWayThere) {
  const TracePath trace = {{.engine_id = 3, .list_index = 1, .iteration = 7},
                           {.engine_id = 4, .list_invocation = 9, .action_index = 2}};
  RpcRecord record = {.rpc = kGet, .server = kServer0, .start_ns = 10, .end_ns = 30};
  recorder_.RecordSuccess(record);
  record.start_ns = 5;
  record.trace = &trace;
  recorder_.RecordSuccess(record);
  record.end_ns = 29;
  recorder_.RecordFailure(record, "reset");
  const ServicePerformanceLog log = Build();
  const RpcPerformanceLog& get = log.peer_logs().at("server/0").rpc_logs().at(0);
  ASSERT_EQ(get.successful_rpc_samples_size(), 2);
  constexpr char kWay[] =
      "trace_context { engine_ids: 3 engine_ids: 4 actionlist_indices: 1 actionlist_indices: 0 "
      "actionlist_invocations: 0 actionlist_invocations: 9 action_indices: 0 action_indices: 2 "
      "action_iterations: 7 action_iterations: 0 fanout_index: 0 fanout_index: 0 }";
  EXPECT_EQ(get.successful_rpc_samples(0).ShortDebugString(),
            std::string("request_size: 0 response_size: 0 start_timestamp_ns: 1000005 latency_ns: "
                        "25 ") +
                kWay);
  EXPECT_FALSE(get.successful_rpc_samples(1).has_trace_context());
  ASSERT_EQ(get.failed_rpc_samples_size(), 1);
  EXPECT_EQ(get.failed_rpc_samples(0).trace_context().ShortDebugString(),
            get.successful_rpc_samples(0).trace_context().ShortDebugString());
  EXPECT_EQ(get.failed_rpc_samples(0).error_index(), 1);
}

TEST_F(ServiceLogTest, SamplesAreInOrderOfTheirStart) {
  for (const int64_t start_ns : {30, 10, 20}) {
    recorder_.RecordSuccess({.rpc = kGet, .server = kServer0, .start_ns = start_ns, .end_ns = 100});
  }
  const ServicePerformanceLog log = Build();
  std::vector<int64_t> starts_ns;
  for (const RpcSample& sample :
       log.peer_logs().at("server/0").rpc_logs().at(0).successful_rpc_samples()) {
    starts_ns.push_back(sample.start_timestamp_ns());
  }
  EXPECT_THAT(starts_ns, ElementsAre(1'000'010, 1'000'020, 1'000'030));
}

TEST_F(ServiceLogTest, AFailedSampleNamesItsErrorInTheDictionary) {
  recorder_.RecordFailure({.rpc = kGet, .server = kServer0, .start_ns = 1, .end_ns = 2}, "reset");
  recorder_.RecordFailure({.rpc = kGet, .server = kServer0, .start_ns = 3, .end_ns = 4}, "gone");
  const ServicePerformanceLog log = Build();
  EXPECT_THAT(log.error_dictionary().error_message(), ElementsAre("", "gone", "reset"));
  const RpcPerformanceLog& get = log.peer_logs().at("server/0").rpc_logs().at(0);
  EXPECT_THAT(get.successful_rpc_samples(), IsEmpty());
  ASSERT_EQ(get.failed_rpc_samples_size(), 2);
  EXPECT_EQ(get.failed_rpc_samples(0).error_index(), 2);
  EXPECT_EQ(get.failed_rpc_samples(1).error_index(), 1);
  ASSERT_EQ(get.statistics().errors_size(), 2);
  EXPECT_EQ(get.statistics().errors(0).ShortDebugString(), "error_index: 1 count: 1");
}

TEST_F(ServiceLogTest, CountersAreKeptPerOutcomeAndPhase) {
  RpcRecord record = {.rpc = kGet, .server = kServer0, .request_bytes = 10, .response_bytes = 20};
  for (const bool warmup : {false, true}) {
    record.warmup = warmup;
    for (int i = 0; i < 3; ++i) {
      record.start_ns += 100;
      record.end_ns = record.start_ns + 7;
      recorder_.RecordSuccess(record);
    }
    recorder_.RecordFailure(record, "reset");
  }
  const ServicePerformanceLog log = Build();
  const RpcStatistics& statistics = log.peer_logs().at("server/0").rpc_logs().at(0).statistics();
  EXPECT_EQ(
      statistics.measured_success().ShortDebugString(),
      "count: 3 request_bytes: 30 response_bytes: 60 first_start_timestamp_ns: 1000100 "
      "last_end_timestamp_ns: 1000307 service_time_ns { sub_bucket_bits: 6 count: 3 min: 7 max: 7 "
      "sum_low: 21 sum_high: 0 bucket_index_deltas: 7 bucket_counts: 3 } "
      "last_start_timestamp_ns: 1000300");
  EXPECT_EQ(statistics.measured_failure().count(), 1);
  EXPECT_EQ(statistics.warmup_success().first_start_timestamp_ns(), 1'000'400);
  EXPECT_EQ(statistics.warmup_failure().count(), 1);
}

TEST_F(ServiceLogTest, StatisticsPerRpcCoverAllPeersAndThosePerPeerAreCoarser) {
  recorder_.RecordSuccess({.rpc = kGet, .server = kServer0, .start_ns = 1, .end_ns = 101});
  recorder_.RecordSuccess({.rpc = kGet, .server = kServer1, .start_ns = 2, .end_ns = 202});
  const ServicePerformanceLog log = Build();
  ASSERT_EQ(log.rpc_statistics_size(), 1);
  const OutcomeStatistics& get = log.rpc_statistics().at(0).measured_success();
  EXPECT_EQ(get.count(), 2);
  EXPECT_EQ(get.service_time_ns().count(), 2);
  EXPECT_EQ(get.service_time_ns().min(), 100);
  EXPECT_EQ(get.service_time_ns().max(), 200);
  const PeerPerformanceLog& peer = log.peer_logs().at("server/0");
  const Histogram& to_peer =
      peer.rpc_logs().at(0).statistics().measured_success().service_time_ns();
  EXPECT_EQ(to_peer.sub_bucket_bits(), 6);
  EXPECT_EQ(to_peer.count(), 1);
  EXPECT_EQ(to_peer.max(), 100);
}

TEST_F(ServiceLogTest, OnlyOpenLoopHasResponseTimeAndLateness) {
  RpcRecord record = {.rpc = kGet, .server = kServer0, .start_ns = 1040, .end_ns = 1100};
  recorder_.RecordSuccess(record);
  record.rpc = kPut;
  record.open_loop = true;
  record.intended_start_ns = 1000;
  recorder_.RecordSuccess(record);
  const ServicePerformanceLog log = Build();
  const OutcomeStatistics& closed = log.rpc_statistics().at(0).measured_success();
  EXPECT_FALSE(closed.has_response_time_ns());
  EXPECT_FALSE(closed.has_lateness_ns());
  const OutcomeStatistics& open = log.rpc_statistics().at(1).measured_success();
  EXPECT_EQ(open.service_time_ns().max(), 60);
  EXPECT_EQ(open.response_time_ns().max(), 100);
  EXPECT_EQ(open.lateness_ns().max(), 40);
}

TEST_F(ServiceLogTest, IterationsAreToldInTheOrderOfThePlan) {
  auto plan = std::make_shared<Plan>(*plan_);
  ActionListPlan list;
  list.name = "client";
  for (const char* action : {"b", "a"}) list.actions.push_back({.name = action});
  const ListIndex index = plan->lists.push_back(list);
  Recorder shards[] = {Recorder({.plan = plan, .self = kClient}),
                       Recorder({.plan = plan, .self = kClient})};
  IterationRecord record = {
      .list = index, .action = ActionIndex(1), .start_ns = 1000, .end_ns = 1100};
  shards[0].RecordIteration(record);
  record.action = ActionIndex(0);
  record.open_loop = true;
  record.intended_start_ns = 990;
  for (Recorder& shard : shards) shard.RecordIteration(record);
  const ServicePerformanceLog log = BuildServiceLog({&shards[0], &shards[1]}, kAnchor);
  EXPECT_EQ(log.rpc_statistics_size(), 0);
  ASSERT_EQ(log.iterations_size(), 2);
  EXPECT_EQ(log.iterations(0).action_list(), "client");
  EXPECT_EQ(log.iterations(0).action(), "b");
  EXPECT_EQ(log.iterations(0).service_time_ns().count(), 2);
  EXPECT_EQ(log.iterations(0).response_time_ns().min(), 110);
  EXPECT_EQ(log.iterations(1).action(), "a");
  EXPECT_EQ(log.iterations(1).service_time_ns().max(), 100);
  EXPECT_FALSE(log.iterations(1).has_response_time_ns());
}

TEST_F(ServiceLogTest, OfAListWithALimitTheSamplesOfLeastPriorityAreKept) {
  auto plan = std::make_shared<Plan>(*plan_);
  plan->lists[ListIndex(0)].max_rpc_samples = 2;
  Recorder shards[] = {Recorder({.plan = plan, .self = kClient}),
                       Recorder({.plan = plan, .self = kClient})};
  for (const int64_t start_ns : {50, 20, 40, 10, 30}) {
    shards[start_ns % 20 / 10].RecordSuccess({.rpc = kGet,
                                              .server = kServer0,
                                              .list = ListIndex(0),
                                              .is_limited = true,
                                              .start_ns = start_ns,
                                              .end_ns = 100,
                                              .sample_priority = static_cast<uint64_t>(start_ns)});
  }
  shards[0].RecordSuccess({.rpc = kGet, .server = kServer0, .start_ns = 60, .end_ns = 100});
  const ServicePerformanceLog log = BuildServiceLog({&shards[0], &shards[1]}, kAnchor);
  const RpcPerformanceLog& get = log.peer_logs().at("server/0").rpc_logs().at(0);
  std::vector<int64_t> starts_ns;
  for (const RpcSample& sample : get.successful_rpc_samples()) {
    starts_ns.push_back(sample.start_timestamp_ns());
  }
  EXPECT_THAT(starts_ns, ElementsAre(1'000'010, 1'000'020, 1'000'060));
  EXPECT_EQ(get.statistics().measured_success().count(), 6);
  EXPECT_EQ(get.statistics().samples_left_out(), 3);
  EXPECT_EQ(log.rpc_statistics().at(0).samples_left_out(), 3);
}

TEST_F(ServiceLogTest, CancelledAndAbandonedAreCountedApart) {
  recorder_.RecordCancelled(kGet, kServer0);
  recorder_.RecordCancelled(kGet, kServer0);
  recorder_.RecordAbandoned(kGet, kServer0);
  const ServicePerformanceLog log = Build();
  EXPECT_EQ(log.rpc_statistics().at(0).ShortDebugString(), "cancelled: 2 abandoned: 1");
  EXPECT_EQ(log.peer_logs().at("server/0").rpc_logs().at(0).statistics().ShortDebugString(),
            "cancelled: 2 abandoned: 1");
}

TEST_F(ServiceLogTest, BeyondTheLimitOnlySamplesAreMissing) {
  Recorder limited({.plan = plan_, .self = kClient, .max_samples = 2});
  for (int i = 0; i < 5; ++i) {
    limited.RecordSuccess({.rpc = kGet, .server = kServer0, .start_ns = i, .end_ns = 10});
  }
  const ServicePerformanceLog log = BuildServiceLog({&limited}, kAnchor);
  const RpcPerformanceLog& get = log.peer_logs().at("server/0").rpc_logs().at(0);
  EXPECT_EQ(get.successful_rpc_samples_size(), 2);
  EXPECT_EQ(get.statistics().measured_success().count(), 5);
  EXPECT_EQ(get.statistics().samples_left_out(), 3);
  EXPECT_EQ(log.rpc_statistics().at(0).measured_success().service_time_ns().count(), 5);
}

TEST_F(ServiceLogTest, AServerOfAnotherServiceIsAProgrammingError) {
  EXPECT_DEATH(recorder_.RecordCancelled(kGet, kClient), "does not answer RPC");
}

}  // namespace
}  // namespace distbench
