// What the engine draws and decides in a list, on simulated time: predicates, delays, sizes,
// overrides, the end of traffic by an action.
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/engine/engine_testing.h"
#include "distbench/testing/engine_cluster.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// A client that sends "query" `queries` times, one after the other, to a server whose list is
// given. RPCs "left" and "right" go from the server to a store.
std::string ServerWithList(int queries, const std::string& server_list, const std::string& more) {
  return absl::StrCat(R"(
    name: "lists" default_protocol: "fake" seed: 77
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    services { name: "store" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    rpc_descriptions { name: "left" client: "server" server: "store" }
    rpc_descriptions { name: "right" client: "server" server: "store" }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "left" }
    action_lists { name: "right" }
    actions { name: "ask" rpc_name: "query" iterations { max_iteration_count: )",
                      queries, R"( } }
    action_lists { name: "query" )",
                      server_list, " } ", more);
}

constexpr char kLeftAndRight[] = R"(
    actions { name: "left" rpc_name: "left" predicates: "p" }
    actions { name: "right" rpc_name: "right" predicates: "!p" })";

TEST(EngineConditionsTest, ExactlyOneOfTwoComplementsRuns) {
  constexpr int kQueries = 20'000;
  EngineCluster cluster(ServerWithList(kQueries,
                                       R"(action_names: "left" action_names: "right"
         predicate_probabilities { key: "p" value: 0.3 })",
                                       kLeftAndRight));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const int64_t left = cluster.Counts("server/0", "left").successes;
  const int64_t right = cluster.Counts("server/0", "right").successes;
  EXPECT_EQ(left + right, kQueries);
  // 4.75 standard deviations of a binomial distribution.
  EXPECT_NEAR(static_cast<double>(left), 0.3 * kQueries, 4.75 * std::sqrt(kQueries * 0.3 * 0.7));
}

TEST(EngineConditionsTest, PredicatesAreIndependentOfEachOther) {
  constexpr int kQueries = 20'000;
  EngineCluster cluster(ServerWithList(
      kQueries,
      R"(action_names: "left" predicate_probabilities { key: "p" value: 0.5 }
         predicate_probabilities { key: "q" value: 0.5 })",
      R"(actions { name: "left" rpc_name: "left" predicates: "p" predicates: "q" })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_NEAR(static_cast<double>(cluster.Counts("server/0", "left").successes), kQueries / 4.0,
              4.75 * std::sqrt(kQueries * 0.25 * 0.75));
}

TEST(EngineConditionsTest, AChoiceMakesExactlyOneOfItsPredicatesTrueByItsWeight) {
  constexpr int kQueries = 20'000;
  EngineCluster cluster(ServerWithList(
      kQueries,
      R"(action_names: "left" action_names: "right" action_names: "both" action_names: "never"
         predicate_choices { alternatives { predicate: "l" weight: 6 }
                             alternatives { predicate: "r" weight: 3 }
                             alternatives { predicate: "none" weight: 1 }
                             alternatives { predicate: "zero" weight: 0 } })",
      R"(actions { name: "left" rpc_name: "left" predicates: "l" }
         actions { name: "right" rpc_name: "right" predicates: "r" }
         actions { name: "both" rpc_name: "left" predicates: "l" predicates: "r" }
         actions { name: "never" rpc_name: "left" predicates: "zero" })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const auto left = static_cast<double>(cluster.Counts("server/0", "left").successes);
  const auto right = static_cast<double>(cluster.Counts("server/0", "right").successes);
  // Chi-squared with two degrees of freedom: more in one of 10^6 seeds.
  const auto deviation = [](double seen, double share) {
    return std::pow(seen - share * kQueries, 2) / (share * kQueries);
  };
  EXPECT_LT(deviation(left, 0.6) + deviation(right, 0.3) + deviation(kQueries - left - right, 0.1),
            27.6);
}

TEST(EngineConditionsTest, WhatDependsOnASkippedActionIsSkippedToo) {
  EngineCluster cluster(ServerWithList(
      10,
      R"(action_names: "skipped" action_names: "middle" action_names: "end" action_names: "other"
         predicate_probabilities { key: "never" value: 0 })",
      R"(actions { name: "skipped" predicates: "never" }
         actions { name: "middle" dependencies: "skipped" }
         actions { name: "end" rpc_name: "left" dependencies: "middle" dependencies: "other" }
         actions { name: "other" rpc_name: "right" })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("client/0", "query").successes, 10);
  EXPECT_EQ(cluster.Counts("server/0", "left").successes, 0);
  EXPECT_EQ(cluster.Counts("server/0", "right").successes, 10);
}

// When the answers to three queries came, in delays of the network after the start. Every RPC
// takes one, so that an answer that waits for nothing comes after 1, 2 and 3.
std::vector<int64_t> AnswersOf(const std::string& actions) {
  EngineCluster cluster(ServerWithList(3,
                                       R"(action_names: "one" action_names: "two"
         predicate_probabilities { key: "never" value: 0 })",
                                       actions));
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  EXPECT_TRUE(cluster.RunUntilDone());
  std::vector<int64_t> ends;
  for (const RpcSample& sample : cluster.Counts("client/0", "query").samples) {
    ends.push_back(StartsSince({sample}, cluster.start_ns())[0] / kMs + sample.latency_ns() / kMs);
  }
  return ends;
}

TEST(EngineConditionsTest, TheAnswerGoesOutWhenTheFirstThatMaySendItIsDone) {
  EXPECT_EQ(AnswersOf(R"(actions { name: "one" rpc_name: "left" send_response_when_done: true }
                         actions { name: "two" rpc_name: "right" dependencies: "one" })"),
            (std::vector<int64_t>{2, 4, 6}));
  EXPECT_EQ(AnswersOf(R"(actions { name: "one" rpc_name: "left" }
                         actions { name: "two" rpc_name: "right" dependencies: "one" })"),
            (std::vector<int64_t>{3, 6, 9}));
}

TEST(EngineConditionsTest, ASkippedActionAnswersWhereNoOtherCan) {
  EXPECT_EQ(AnswersOf(R"(actions { name: "one" predicates: "never" send_response_when_done: true }
                         actions { name: "two" rpc_name: "right" })"),
            (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(AnswersOf(R"(actions { name: "one" predicates: "never" send_response_when_done: true }
                         actions { name: "two" rpc_name: "right" send_response_when_done: true })"),
            (std::vector<int64_t>{2, 4, 6}));
}

TEST(EngineConditionsTest, AListThatReachesItselfByChanceEnds) {
  // Each run begins another one with probability 0.999: a thousand within each other on average.
  EngineCluster cluster(R"(
    name: "deep" default_protocol: "fake" seed: 3
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    action_lists { name: "client" action_names: "descend" }
    action_lists { name: "query" }
    action_lists { name: "level" action_names: "ask" action_names: "deeper"
                   predicate_probabilities { key: "more" value: 0.9999 } }
    actions { name: "descend" action_list_name: "level" iterations { max_iteration_count: 5 } }
    actions { name: "ask" rpc_name: "query" }
    actions { name: "deeper" action_list_name: "level" predicates: "more" })");
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const int64_t runs = cluster.Counts("client/0", "query").successes;
  EXPECT_GT(runs, 5'000);
  EXPECT_LT(runs, 500'000);
}

TEST(EngineConditionsTest, ADelayCountsFromTheLastDependency) {
  EngineCluster cluster(R"(
    name: "delays" default_protocol: "fake"
    services { name: "client" count: 1 }
    services { name: "server" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "server" }
    rpc_descriptions { name: "other" client: "client" server: "server" }
    action_lists { name: "client" action_names: "a" action_names: "pause" action_names: "b" }
    action_lists { name: "query" } action_lists { name: "other" }
    actions { name: "a" rpc_name: "query" delay_distribution_name: "three" }
    actions { name: "pause" dependencies: "a" delay_distribution_name: "three" }
    actions { name: "b" rpc_name: "other" dependencies: "pause" delay_distribution_name: "three"
              iterations { max_iteration_count: 2 } }
    delay_distribution_configs { name: "three" field_names: "action_delay_ns"
                                 pmf_points { pmf: 1 data_points { exact: 3000000 } } })");
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "query").samples, cluster.start_ns()),
            (std::vector<int64_t>{3 * kMs}));
  EXPECT_EQ(StartsSince(cluster.Counts("client/0", "other").samples, cluster.start_ns()),
            (std::vector<int64_t>{10 * kMs, 11 * kMs}));
}

TEST(EngineConditionsTest, DelaysAreDrawnForEachRun) {
  constexpr int kQueries = 1000;
  EngineCluster cluster(ServerWithList(kQueries, R"(action_names: "wait")",
                                       R"(actions { name: "wait" delay_distribution_name: "d" }
         delay_distribution_configs { name: "d" field_names: "action_delay_ns"
           pmf_points { pmf: 0.5 data_points { exact: 1000 } }
           pmf_points { pmf: 0.5 data_points { lower: 2000 upper: 3000 } } })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  int exact = 0;
  std::set<int64_t> others;
  for (const RpcSample& sample : cluster.Counts("client/0", "query").samples) {
    if (sample.latency_ns() == 1000) {
      ++exact;
    } else {
      EXPECT_GE(sample.latency_ns(), 2000);
      EXPECT_LE(sample.latency_ns(), 3000);
      others.insert(sample.latency_ns());
    }
  }
  EXPECT_NEAR(exact, kQueries / 2, 4.75 * std::sqrt(kQueries * 0.25));
  EXPECT_GT(others.size(), 300u);
}

TEST(EngineConditionsTest, TrafficThatStopsEndsADelay) {
  EngineCluster cluster(R"(
    name: "delays" default_protocol: "fake"
    services { name: "client" count: 1 }
    action_lists { name: "client" action_names: "wait" }
    actions { name: "wait" delay_distribution_name: "long" }
    delay_distribution_configs { name: "long" field_names: "action_delay_ns"
                                 cdf_points { cdf: 1 value: 1000000000000 } })");
  cluster.Start();
  cluster.engine("client/0").CancelTraffic(absl::CancelledError("enough"));
  EXPECT_TRUE(cluster.outcome("client/0").has_value());
}

TEST(EngineConditionsTest, SpinningDelaysAndWorkArePassedBeforeWhatDependsOnThem) {
  EngineCluster cluster(ServerWithList(
      20, R"(action_names: "spin" action_names: "work" action_names: "left" action_names: "sleep"
             delay_actions_by_spinning: true)",
      R"(actions { name: "spin" delay_distribution_name: "d" }
         actions { name: "work" dependencies: "spin" activity_config_name: "sort" }
         actions { name: "sleep" dependencies: "work" activity_config_name: "nap" }
         actions { name: "left" rpc_name: "left" dependencies: "sleep" }
         activity_configs { name: "sort" activity_settings { name: "activity_func"
                                                             string_value: "ConsumeCpu" } }
         activity_configs { name: "nap"
           activity_settings { name: "activity_func" string_value: "SleepFor" }
           activity_settings { name: "duration_us" int64_value: 5 } }
         delay_distribution_configs { name: "d" field_names: "action_delay_ns"
                                      cdf_points { cdf: 1 value: 10000 } })"));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Counts("server/0", "left").successes, 20);
  for (const RpcSample& sample : cluster.Counts("client/0", "query").samples) {
    EXPECT_EQ(sample.latency_ns(), 5000);  // simulated time passes in sleep only
  }
  const ServicePerformanceLog log = cluster.Log("server/0");
  ASSERT_EQ(log.activity_logs().size(), 1u);
  const ActivityLog& sort = log.activity_logs().at("sort");
  ASSERT_EQ(sort.activity_metrics_size(), 1);
  EXPECT_EQ(sort.activity_metrics(0).name(), "iteration_count");
  EXPECT_EQ(sort.activity_metrics(0).value_int(), 20);
}

TEST(EngineConditionsTest, CalibratedWorkTellsItsCalibrationAndTheTimesOfItsIterations) {
  EngineCluster cluster(R"(
    name: "work" default_protocol: "fake"
    services { name: "client" count: 1 }
    action_lists { name: "client" action_names: "step" action_names: "loop" }
    actions { name: "step" activity_config_name: "calculate" }
    actions { name: "loop" activity_config_name: "calculate"
              iterations { max_iteration_count: 30 max_parallel_iterations: 2 } }
    activity_configs { name: "calculate"
      activity_settings { name: "activity_func" string_value: "CalibratedWork" }
      activity_settings { name: "duration_us" int64_value: 40 }
      activity_settings { name: "kind" string_value: "memory" } })");
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  const ActivityLog log = cluster.Log("client/0").activity_logs().at("calculate");
  EXPECT_EQ(log.activity_metrics(0).value_int(), 31);
  const CalibratedWorkStatistics& work = log.calibrated_work();
  EXPECT_EQ(work.kind(), "memory");
  EXPECT_EQ(work.nominal_ns(), 40'000);
  EXPECT_EQ(work.units_per_us(), 1);  // the cluster's, which nobody measured
  EXPECT_EQ(work.measurements(), 2);
  EXPECT_EQ(work.cpu_time_ns().count(), 31u);
  EXPECT_GT(work.cpu_time_ns().min(), 0);
  EXPECT_EQ(work.wall_time_ns().count(), 31u);
  EXPECT_EQ(work.wall_time_ns().max(), 0) << "simulated time does not pass";
}

TEST(EngineConditionsTest, AClosedLoopOfAnActivityRunsAllItsIterations) {
  EngineCluster cluster(R"(
    name: "work" default_protocol: "fake"
    services { name: "client" count: 1 }
    action_lists { name: "client" action_names: "work" action_names: "again" }
    actions { name: "work" activity_config_name: "pollute"
              iterations { max_iteration_count: 70 max_parallel_iterations: 3 } }
    actions { name: "again" activity_config_name: "pollute" dependencies: "work"
              iterations { max_iteration_count: 7 open_loop_interval_ns: 1000 } }
    activity_configs { name: "pollute"
      activity_settings { name: "activity_func" string_value: "PolluteDataCache" }
      activity_settings { name: "array_size" int64_value: 1000 } })");
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_EQ(cluster.Log("client/0").activity_logs().at("pollute").activity_metrics(0).value_int(),
            77);
}

// Sizes of requests and responses of "query", as the client saw them.
std::vector<std::pair<int64_t, int64_t>> SizesOf(const std::string& config) {
  EngineCluster cluster(config);
  cluster.Start();
  EXPECT_TRUE(cluster.RunUntilDone());
  std::vector<std::pair<int64_t, int64_t>> sizes;
  for (const RpcSample& sample : cluster.Counts("client/0", "query").samples) {
    sizes.emplace_back(sample.request_size(), sample.response_size());
  }
  return sizes;
}

TEST(EngineSizesTest, JointSizesAreDrawnTogetherAndComeBeforeAllElse) {
  const std::string joint = R"(
    distribution_config { name: "d" field_names: "request_payload_size"
      field_names: "response_payload_size"
      pmf_points { pmf: 0.5 data_points { exact: 100 } data_points { exact: 1000 } }
      pmf_points { pmf: 0.5 data_points { exact: 200 } data_points { exact: 2000 } } }
    payload_descriptions { name: "five" size: 5000 })";
  const std::string config =
      ClientServer("request_payload_override: 'five' iterations { max_iteration_count: 2000 }", 1,
                   "distribution_config_name: 'd' response_payload_name: 'five'") +
      joint;
  std::map<std::pair<int64_t, int64_t>, int> counts;
  for (const auto& sizes : SizesOf(config)) ++counts[sizes];
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ((counts[{100, 1000}] + counts[{200, 2000}]), 2000);
  EXPECT_NEAR((counts[{100, 1000}]), 1000, 4.75 * std::sqrt(2000 * 0.25));
}

TEST(EngineSizesTest, OneDimensionServesBoth) {
  const std::string config =
      ClientServer("iterations { max_iteration_count: 200 }", 1, "distribution_config_name: 'd'") +
      "distribution_config { name: 'd' field_names: 'payload_size' "
      "pmf_points { pmf: 1 data_points { lower: 50 upper: 5000 } } }";
  std::set<int64_t> seen;
  for (const auto& [request, response] : SizesOf(config)) {
    EXPECT_EQ(request, response);
    seen.insert(request);
  }
  EXPECT_GT(seen.size(), 150u);
}

TEST(EngineSizesTest, PayloadsMayBeDrawnOnEitherSide) {
  const std::string config =
      ClientServer("iterations { max_iteration_count: 300 }", 1,
                   "request_payload_name: 'drawn' response_payload_name: 'other'") +
      "payload_descriptions { name: 'drawn' size_distribution_name: 'd' } "
      "payload_descriptions { name: 'other' size_distribution_name: 'e' } "
      "size_distribution_configs { name: 'd' field_names: 'payload_size' "
      "pmf_points { pmf: 1 data_points { lower: 100 upper: 199 } } } "
      "size_distribution_configs { name: 'e' field_names: 'payload_size' "
      "pmf_points { pmf: 1 data_points { lower: 1000 upper: 1999 } } }";
  std::set<int64_t> requests, responses;
  for (const auto& [request, response] : SizesOf(config)) {
    EXPECT_TRUE(request >= 100 && request < 200) << request;
    EXPECT_TRUE(response >= 1000 && response < 2000) << response;
    requests.insert(request);
    responses.insert(response);
  }
  EXPECT_GT(requests.size(), 80u);
  EXPECT_GT(responses.size(), 200u);
}

TEST(EngineSizesTest, AnActionOverridesTheRequestThatItSends) {
  EXPECT_EQ(SizesOf(ClientServer("request_payload_override: 'large'", 1,
                                 "request_payload_name: 'small'") +
                    "payload_descriptions { name: 'small' size: 10 } "
                    "payload_descriptions { name: 'large' size: 10000 }"),
            (std::vector<std::pair<int64_t, int64_t>>{{10000, 32}}));
}

TEST(EngineSizesTest, AnActionThatIsDoneOverridesTheResponseOfItsList) {
  const std::vector<std::pair<int64_t, int64_t>> sizes = SizesOf(
      ServerWithList(1000,
                     R"(action_names: "large" action_names: "nested"
         predicate_probabilities { key: "p" value: 0.5 })",
                     R"(actions { name: "large" predicates: "p" response_payload_override: "large" }
         actions { name: "nested" predicates: "!p" action_list_name: "inner" }
         action_lists { name: "inner" action_names: "medium" }
         actions { name: "medium" response_payload_override: "medium" }
         payload_descriptions { name: "large" size: 3000 }
         payload_descriptions { name: "medium" size: 2000 })"));
  std::map<int64_t, int> counts;
  for (const auto& [request, response] : sizes) ++counts[response];
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[3000] + counts[2000], 1000);
  EXPECT_NEAR(counts[3000], 500, 4.75 * std::sqrt(1000 * 0.25));
}

TEST(EngineEndTest, AnActionEndsTheTrafficOfItsEngineAndAfterASecondItsService) {
  // The client ends its own traffic after 5 ms, while it has a loop that would go on; it serves its
  // peer for a second more.
  EngineCluster cluster(R"(
    name: "end" default_protocol: "fake" attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 1 }
    services { name: "peer" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "peer" }
    rpc_descriptions { name: "back" client: "peer" server: "client" }
    action_lists { name: "client" action_names: "loop" action_names: "end" }
    action_lists { name: "peer" action_names: "poll" }
    action_lists { name: "query" } action_lists { name: "back" }
    actions { name: "loop" rpc_name: "query" iterations { max_duration_us: 60000000 } }
    actions { name: "end" delay_distribution_name: "five" cancel_traffic_when_done: true }
    actions { name: "poll" rpc_name: "back"
              iterations { max_duration_us: 2000000 open_loop_interval_ns: 10000000 } }
    delay_distribution_configs { name: "five" field_names: "action_delay_ns"
                                 cdf_points { cdf: 1 value: 5500000 } })");
  cluster.network().SetTransit(Delayed(kMs));
  cluster.Start();
  ASSERT_TRUE(cluster.RunUntilDone());
  EXPECT_TRUE(cluster.outcome("client/0")->ok());
  EXPECT_TRUE(cluster.outcome("peer/0")->ok());
  const auto query = cluster.Counts("client/0", "query");
  EXPECT_EQ(query.successes, 5);
  EXPECT_EQ(query.cancelled, 1);
  EXPECT_EQ(query.failures, 0);
  // Starts at 0, 10, ... 2000 ms arrive 1 ms later: those until 1000 ms find the client serving.
  const auto back = cluster.Counts("peer/0", "back");
  EXPECT_EQ(back.successes, 101);
  EXPECT_EQ(back.failures, 100);
  EXPECT_EQ(cluster.Log("peer/0").error_dictionary().error_message(1),
            "Traffic cancelled: CANCELLED: action 'end' of list 'client' is done, which ends the "
            "traffic (cancel_traffic_when_done)");
}

}  // namespace
}  // namespace distbench
