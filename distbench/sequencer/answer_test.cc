#include "distbench/sequencer/answer.h"

#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

TestResult ResultWithSamples(int samples) {
  TestResult result;
  result.add_log_summary("figures");
  ServicePerformanceLog& log = (*result.mutable_service_logs()->mutable_instance_logs())["c/0"];
  RpcPerformanceLog& rpc_log = (*(*log.mutable_peer_logs())["s/0"].mutable_rpc_logs())[3];
  for (int i = 0; i < samples; ++i) rpc_log.add_successful_rpc_samples()->set_latency_ns(1);
  rpc_log.add_failed_rpc_samples();
  rpc_log.mutable_statistics()->mutable_measured_success()->set_count(samples);
  (*log.mutable_rpc_statistics())[3].mutable_measured_success()->set_count(samples);
  return result;
}

const RpcPerformanceLog& LogOf(const TestResult& result) {
  return result.service_logs().instance_logs().at("c/0").peer_logs().at("s/0").rpc_logs().at(3);
}

TEST(AnswerTest, SamplesThatAreWantedStay) {
  TestSequenceResults answer;
  AddTestResult(ResultWithSamples(5), {.keep_samples = true, .max_bytes = kMaxAnswerBytes}, answer);
  EXPECT_EQ(answer.test_results(0).SerializeAsString(), ResultWithSamples(5).SerializeAsString());
}

TEST(AnswerTest, SamplesThatAreNotWantedAreDroppedAndCountedAsLeftOut) {
  TestSequenceResults answer;
  AddTestResult(ResultWithSamples(5), {.keep_samples = false, .max_bytes = kMaxAnswerBytes},
                answer);
  const TestResult& result = answer.test_results(0);
  EXPECT_EQ(LogOf(result).successful_rpc_samples_size(), 0);
  EXPECT_EQ(LogOf(result).failed_rpc_samples_size(), 0);
  EXPECT_EQ(LogOf(result).statistics().measured_success().count(), 5);
  EXPECT_EQ(LogOf(result).statistics().samples_left_out(), 6);
  EXPECT_EQ(
      result.service_logs().instance_logs().at("c/0").rpc_statistics().at(3).samples_left_out(), 6);
  EXPECT_EQ(result.log_summary_size(), 1);
}

TEST(AnswerTest, TheResultThatMakesTheAnswerTooLargeLosesItsSamplesAndSaysSo) {
  TestSequenceResults answer;
  const size_t one = ResultWithSamples(1000).ByteSizeLong();
  AddTestResult(ResultWithSamples(1000), {.max_bytes = 2 * one}, answer);
  AddTestResult(ResultWithSamples(1000), {.max_bytes = 2 * one}, answer);
  EXPECT_EQ(LogOf(answer.test_results(0)).successful_rpc_samples_size(), 1000);
  EXPECT_EQ(LogOf(answer.test_results(1)).successful_rpc_samples_size(), 0);
  EXPECT_EQ(LogOf(answer.test_results(1)).statistics().measured_success().count(), 1000);
  ASSERT_EQ(answer.test_results(1).log_summary_size(), 2);
  EXPECT_TRUE(absl::StrContains(answer.test_results(1).log_summary(1), "samples were left out"));
  EXPECT_LE(answer.ByteSizeLong(), 2 * one);
}

TEST(AnswerTest, WhereStatisticsAreTooLargeAsWellAllLogsAreDropped) {
  TestSequenceResults answer;
  AddTestResult(ResultWithSamples(1000), {.max_bytes = 1}, answer);
  EXPECT_FALSE(answer.test_results(0).has_service_logs());
  EXPECT_EQ(answer.test_results(0).log_summary(0), "figures");
  EXPECT_EQ(answer.test_results(0).log_summary_size(), 3);
}

}  // namespace
}  // namespace distbench
