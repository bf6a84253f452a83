#include "distbench/export/summary_json.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/export/summary_text.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/json_util.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/summary_json.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TestSequenceResults Parsed(const std::string& text) {
  TestSequenceResults results;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &results));
  return results;
}

std::string Json(const TestSequenceResults& results) {
  std::ostringstream out;
  const absl::Status status = WriteSummaryJson(results, out);
  EXPECT_TRUE(status.ok()) << status;
  return out.str();
}

summary_json::Document Document(const TestSequenceResults& results) {
  summary_json::Document document;
  const auto status = google::protobuf::util::JsonStringToMessage(Json(results), &document);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return document;
}

// Two instances that sent RPC 0 to each other, 1000 times and once.
constexpr char kTwoInstances[] = R"(
  test_results {
    traffic_config { name: "t" rpc_descriptions { name: "ask" } }
    service_logs {
      instance_logs { key: "a/0" value { rpc_statistics { key: 0 value {
        measured_success {
          count: 1000 request_bytes: 16000 response_bytes: 32000
          first_start_timestamp_ns: 1000000000 last_end_timestamp_ns: 3000000000
          service_time_ns {
            sub_bucket_bits: 9 count: 1000 min: 10 max: 500 sum_low: 10490
            bucket_index_deltas: [10, 490] bucket_counts: [999, 1]
          }
        }
      } } } }
      instance_logs { key: "b/0" value { rpc_statistics { key: 0 value {
        measured_success {
          count: 1 request_bytes: 16 response_bytes: 32
          first_start_timestamp_ns: 500000000 last_end_timestamp_ns: 600000001
          service_time_ns {
            sub_bucket_bits: 9 count: 1 min: 7 max: 7 sum_low: 7
            bucket_index_deltas: [7] bucket_counts: [1]
          }
        }
        samples_left_out: 1
      } } } }
    }
  })";

TEST(SummaryJsonTest, FiguresOfAllInstancesAreMerged) {
  const summary_json::Document document = Document(Parsed(kTwoInstances));
  EXPECT_EQ(document.schema(), "distbench-summary/1");
  const summary_json::Test& test = document.tests(0);
  EXPECT_DOUBLE_EQ(test.total_time_seconds(), 2.5);
  ASSERT_EQ(test.rpcs_size(), 1);
  const summary_json::Rpc& rpc = test.rpcs(0);
  EXPECT_EQ(rpc.name(), "ask");
  EXPECT_EQ(rpc.counts().measured_successes(), 1001);
  EXPECT_EQ(rpc.counts().samples_left_out(), 1);
  EXPECT_DOUBLE_EQ(rpc.rate_per_second(), 1001 / 2.5);
  EXPECT_EQ(rpc.measured_success().request_bytes(), 16016);
  EXPECT_EQ(rpc.measured_success().first_start(), "1970-01-01T00:00:00.500000000Z");
  EXPECT_EQ(rpc.measured_success().last_end(), "1970-01-01T00:00:03.000000000Z");
}

TEST(SummaryJsonTest, DistributionHasItsPercentilesAndItsExactMean) {
  const summary_json::Document document = Document(Parsed(kTwoInstances));
  const summary_json::Distribution& times =
      document.tests(0).rpcs(0).measured_success().service_time_ns();
  EXPECT_EQ(times.count(), 1001);
  EXPECT_EQ(times.min(), 7);
  EXPECT_EQ(times.p50(), 10);
  EXPECT_EQ(times.p99_9(), 10);
  EXPECT_EQ(times.p99_99(), 500);
  EXPECT_EQ(times.max(), 500);
  EXPECT_DOUBLE_EQ(times.mean(), 10497.0 / 1001);
}

// Values of a histogram: `ones` ones and a three.
std::string OnesAndAThree(int ones) {
  return absl::StrCat("sub_bucket_bits: 9 count: ", ones + 1, " min: 1 max: 3 sum_low: ", ones + 3,
                      " bucket_index_deltas: [1, 2] bucket_counts: [", ones, ", 1]");
}

TEST(SummaryJsonTest, TimesOfServersAndIterationsAreMergedOverInstances) {
  TestSequenceResults results = Parsed(kTwoInstances);
  const std::string times = absl::StrCat(
      "served_rpcs { key: 0 value { queue_time_ns { ", OnesAndAThree(4), " } handler_time_ns { ",
      OnesAndAThree(4), " } } } iterations { action_list: 'l' action: 'x' service_time_ns { ",
      OnesAndAThree(9), " } }");
  for (auto& [instance, log] :
       *results.mutable_test_results(0)->mutable_service_logs()->mutable_instance_logs()) {
    ASSERT_TRUE(google::protobuf::TextFormat::MergeFromString(times, &log));
  }
  const summary_json::Test test = Document(results).tests(0);
  ASSERT_EQ(test.served_rpcs_size(), 1);
  EXPECT_EQ(test.served_rpcs(0).name(), "ask");
  EXPECT_EQ(test.served_rpcs(0).index(), 0);
  EXPECT_EQ(test.served_rpcs(0).queue_time_ns().count(), 10);
  EXPECT_EQ(test.served_rpcs(0).queue_time_ns().p50(), 1);
  EXPECT_EQ(test.served_rpcs(0).handler_time_ns().p90(), 3);
  ASSERT_EQ(test.iterations_size(), 1);
  EXPECT_EQ(test.iterations(0).action_list(), "l");
  EXPECT_EQ(test.iterations(0).action(), "x");
  EXPECT_DOUBLE_EQ(test.iterations(0).service_time_ns().mean(), 1.2);
  EXPECT_FALSE(test.iterations(0).has_response_time_ns());
}

TEST(SummaryJsonTest, StatisticsOfDriversAreNamedByInstance) {
  TestSequenceResults results = Parsed(kTwoInstances);
  auto& logs = *results.mutable_test_results(0)->mutable_service_logs()->mutable_instance_logs();
  DriverStatisticLog& statistic = *logs["client/1"].add_driver_statistics();
  statistic.set_name("client_rpc_cnt");
  statistic.set_value(1001);
  const summary_json::Test test = Document(results).tests(0);
  ASSERT_EQ(test.driver_statistics_size(), 1);
  EXPECT_EQ(test.driver_statistics(0).instance(), "client/1");
  ASSERT_EQ(test.driver_statistics(0).statistics_size(), 1);
  EXPECT_EQ(test.driver_statistics(0).statistics().at("client_rpc_cnt"), 1001);
}

TEST(SummaryJsonTest, WhatIsNotKnownIsLeftOutAndZerosAreNot) {
  const std::string json = Json(Parsed(kTwoInstances));
  EXPECT_THAT(json, HasSubstr("\"measured_failures\": 0"));
  EXPECT_THAT(json, Not(HasSubstr("lateness_ns")));
  EXPECT_THAT(json, Not(HasSubstr("warmup_success\"")));
  EXPECT_THAT(json, Not(HasSubstr("status")));
  EXPECT_THAT(json, Not(HasSubstr("verdict")));
}

TEST(SummaryJsonTest, CountsAreNumbersAndIdentifiersAreText) {
  TestSequenceResults results = Parsed(kTwoInstances);
  results.mutable_test_results(0)->mutable_report()->set_seed(UINT64_MAX);
  const std::string json = Json(results);
  EXPECT_THAT(json, HasSubstr("\"request_bytes\": 16016,"));
  EXPECT_THAT(json, HasSubstr("\"seed\": \"18446744073709551615\""));
}

TEST(SummaryJsonTest, StatusHasTheNameOfItsCode) {
  TestSequenceResults results = Parsed(kTwoInstances);
  TestReport& report = *results.mutable_test_results(0)->mutable_report();
  report.set_status_code(0);
  EXPECT_EQ(Document(results).tests(0).status().code(), "OK");
  report.set_status_code(4);
  report.set_status_message("took too long");
  EXPECT_EQ(Document(results).tests(0).status().code(), "DEADLINE_EXCEEDED");
  EXPECT_EQ(Document(results).tests(0).status().message(), "took too long");
  report.set_status_code(4711);
  EXPECT_EQ(Document(results).tests(0).status().code(), "UNKNOWN");
}

TEST(SummaryJsonTest, TextThatIsNoUtf8DoesNotBreakTheDocument) {
  TestSequenceResults results = Parsed(kTwoInstances);
  results.mutable_test_results(0)->mutable_traffic_config()->set_name("a\xff\"\n\\");
  EXPECT_EQ(Document(results).tests(0).name(), "a\xef\xbf\xbd\"\n\\");
}

TEST(SummaryJsonTest, SameResultGivesTheSameText) {
  TestSequenceResults results = Parsed(kTwoInstances);
  auto& attributes =
      *results.mutable_test_results(0)->mutable_traffic_config()->mutable_attributes();
  for (const char* key : {"c", "b", "e", "a", "d"}) attributes[key] = "x";
  const std::string json = Json(results);
  size_t previous = 0;
  for (const char* key : {"\"a\": \"x\"", "\"b\"", "\"c\"", "\"d\"", "\"e\""}) {
    EXPECT_GT(json.find(key), previous) << key;
    previous = json.find(key);
  }
}

TEST(SummaryJsonTest, StatisticsThatContradictThemselvesAreAnError) {
  TestSequenceResults results = Parsed(kTwoInstances);
  auto& log =
      results.mutable_test_results(0)->mutable_service_logs()->mutable_instance_logs()->at("b/0");
  log.mutable_rpc_statistics()->at(0).set_cancelled(-1);
  std::ostringstream out;
  EXPECT_THAT(WriteSummaryJson(results, out).message(),
              HasSubstr("test_results[0]: cancelled is -1"));
}

TEST(SummaryTextTest, LinesAreThoseOfTheResult) {
  std::ostringstream out;
  ASSERT_TRUE(WriteSummaryText(Parsed("test_results { log_summary: ['a:', '  b'] }"
                                      "test_results { log_summary: 'c' }"),
                               out)
                  .ok());
  EXPECT_EQ(out.str(), "Test summary:\na:\n  b\n\nTest summary:\nc\n\n");
}

TEST(SummaryTextTest, SummaryThatIsPrintedHasATitleAndAnEmptyLineForEachTest) {
  std::ostringstream out;
  PrintSummaries(Parsed("test_results { log_summary: ['Global summary:', '  Failed samples: 0'] }"
                        "test_results { }"),
                 out);
  EXPECT_EQ(out.str(),
            "Test summary:\nGlobal summary:\n  Failed samples: 0\n\n"
            "Test summary:\n\n");
}

TEST(SummaryTextTest, TestWithoutASummaryIsNamed) {
  std::ostringstream out;
  EXPECT_EQ(WriteSummaryText(Parsed("test_results { log_summary: 'c' }"
                                    "test_results { traffic_config { name: 'clique' } }"),
                             out)
                .message(),
            "log_summary of test 2, 'clique', is empty; --format=json counts its figures anew");
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace distbench
