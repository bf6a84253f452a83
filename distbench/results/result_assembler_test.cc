// Records of results, and results of records.

#include "distbench/results/result_assembler.h"

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "distbench/results/made_up_samples.h"
#include "distbench/results/result_records.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

TestSequenceResults ResultsOf(std::initializer_list<TestResult> tests) {
  TestSequenceResults results;
  for (const TestResult& test : tests) *results.add_test_results() = test;
  return results;
}

// The first error, or what Take() gives.
absl::StatusOr<TestSequenceResults> Assemble(const std::vector<ResultRecord>& records,
                                             const ResultAssemblerOptions& options = {}) {
  ResultAssembler assembler(options);
  for (const ResultRecord& record : records) {
    const absl::Status status = assembler.Add(record);
    if (!status.ok()) return status;
  }
  EXPECT_TRUE(assembler.is_whole());
  return assembler.Take();
}

const RpcPerformanceLog& LogOf(const TestResult& result) {
  return result.service_logs().instance_logs().at("c/0").peer_logs().at("s/0").rpc_logs().at(3);
}

TEST(ResultAssemblerTest, MakesTheSameOfTheRecordsOfResults) {
  const TestSequenceResults results = ResultsOf({TestWithSamples(5), TestWithSamples(70'000)});
  const auto assembled = Assemble(RecordsOf(results));
  ASSERT_TRUE(assembled.ok()) << assembled.status();
  EXPECT_EQ(assembled->SerializeAsString(), results.SerializeAsString());
}

TEST(ResultAssemblerTest, SamplesThatAreNotWantedAreCountedAsLeftOut) {
  const auto assembled = Assemble(RecordsOf(ResultsOf({TestWithSamples(5)})),
                                  {.samples = ResultAssemblerOptions::Samples::kDropped});
  const TestResult& result = assembled->test_results(0);
  EXPECT_EQ(LogOf(result).successful_rpc_samples_size(), 0);
  EXPECT_EQ(LogOf(result).statistics().measured_success().count(), 5);
  EXPECT_EQ(LogOf(result).statistics().samples_left_out(), 5);
  EXPECT_EQ(result.log_summary_size(), 1);
}

TEST(ResultAssemblerTest, TheTestThatMakesTheResultsTooLargeLosesItsSamplesAndSaysSo) {
  const size_t one = TestWithSamples(10'000).ByteSizeLong() + 16;
  const auto records = RecordsOf(ResultsOf({TestWithSamples(10'000), TestWithSamples(10'000)}));
  const auto assembled =
      Assemble(records, {.max_bytes = 2 * one - 1, .drops_what_is_too_large = true});
  ASSERT_TRUE(assembled.ok()) << assembled.status();
  EXPECT_EQ(LogOf(assembled->test_results(0)).successful_rpc_samples_size(), 10'000);
  EXPECT_EQ(LogOf(assembled->test_results(1)).successful_rpc_samples_size(), 0);
  EXPECT_EQ(LogOf(assembled->test_results(1)).statistics().samples_left_out(), 10'000);
  ASSERT_EQ(assembled->test_results(1).log_summary_size(), 2);
  EXPECT_TRUE(
      absl::StrContains(assembled->test_results(1).log_summary(1), "samples were left out"));
  EXPECT_LE(assembled->ByteSizeLong(), 2 * one);
  EXPECT_TRUE(absl::IsResourceExhausted(Assemble(records, {.max_bytes = 2 * one - 1}).status()));
}

TEST(ResultAssemblerTest, WhereStatisticsAreTooLargeAsWellAllLogsAreDropped) {
  const auto assembled = Assemble(RecordsOf(ResultsOf({TestWithSamples(1000)})),
                                  {.max_bytes = 1, .drops_what_is_too_large = true});
  EXPECT_FALSE(assembled->test_results(0).has_service_logs());
  EXPECT_EQ(assembled->test_results(0).log_summary(0), "figures");
  EXPECT_EQ(assembled->test_results(0).log_summary_size(), 3);
}

TEST(ResultAssemblerTest, PiecesShowEachSampleOnceAndAreNotKept) {
  TestSequenceResults results = ResultsOf({TestWithSamples(5), TestWithSamples(70'000)});
  (*results.mutable_test_results(1)->mutable_service_logs()->mutable_instance_logs())["c/0"]
      .add_replay_trace_logs()
      ->set_rpc_replay_trace_name("trace");
  std::vector<int64_t> samples(2), replays(2);
  int largest = 0;
  const auto assembled =
      Assemble(RecordsOf(results), {.visit_piece = [&](const TestResult& test, int index) {
                 EXPECT_EQ(test.traffic_config().name(), "test");
                 for (const auto& [instance, log] : test.service_logs().instance_logs()) {
                   replays[index] += log.replay_trace_logs_size();
                   if (log.peer_logs().empty()) continue;
                   largest = std::max(largest, LogOf(test).successful_rpc_samples_size());
                   samples[index] += LogOf(test).successful_rpc_samples_size();
                 }
               }});
  ASSERT_TRUE(assembled.ok()) << assembled.status();
  EXPECT_EQ(samples, (std::vector<int64_t>{5, 70'000}));
  EXPECT_EQ(replays, (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(largest, 65'536);
  EXPECT_EQ(LogOf(assembled->test_results(1)).successful_rpc_samples_size(), 0);
  EXPECT_EQ(LogOf(assembled->test_results(1)).statistics().samples_left_out(), 0);
}

TEST(ResultAssemblerTest, EveryPrefixOfTheRecordsGivesWhatItHolds) {
  const std::vector<ResultRecord> records =
      RecordsOf(ResultsOf({TestWithSamples(5), TestWithSamples(6)}));
  int tests_seen = 0;
  for (size_t length = 0; length < records.size(); ++length) {
    ResultAssembler assembler;
    for (size_t i = 0; i < length; ++i) ASSERT_TRUE(assembler.Add(records[i]).ok());
    EXPECT_FALSE(assembler.is_whole());
    const TestSequenceResults results = assembler.Take();
    tests_seen = std::max(tests_seen, results.test_results_size());
    if (length > 0 && records[length - 1].has_samples()) {
      EXPECT_TRUE(absl::StrContains(results.test_results().rbegin()->log_summary(1), "complete"));
    }
  }
  EXPECT_EQ(tests_seen, 2);
}

TEST(ResultAssemblerTest, RecordsInAWrongOrderAreRefused) {
  const std::vector<ResultRecord> records = RecordsOf(ResultsOf({TestWithSamples(5)}));
  // header, test, instance_log, samples, test_end, file_end
  ASSERT_EQ(records.size(), 6u);
  const auto error = [&](std::vector<size_t> order) {
    std::vector<ResultRecord> reordered;
    for (size_t i : order) reordered.push_back(records[i]);
    return std::string(Assemble(reordered).status().message());
  };
  EXPECT_EQ(error({1}), "no header comes first");
  EXPECT_EQ(error({0, 0}), "a second header");
  EXPECT_EQ(error({0, 2}), "what belongs to a test comes outside of one");
  EXPECT_EQ(error({0, 1, 1}), "a test begins before the one before has ended");
  EXPECT_EQ(error({0, 1, 3}), "samples of c/0, of which there is no log");
  EXPECT_EQ(error({0, 1, 5}),
            "file_end.tests is 1, but 1 tests came before, the last without its end");
  EXPECT_EQ(error({0, 5}), "file_end.tests is 1, but 0 tests came before");
  EXPECT_EQ(error({0, 1, 2, 3, 4, 5, 1}), "a record comes after the file_end");
}

TEST(ResultAssemblerTest, ANewerFormIsRefused) {
  ResultRecord header = HeaderRecord(Provenance());
  header.mutable_header()->set_format_version(kResultFormatVersion + 1);
  EXPECT_TRUE(absl::StrContains(Assemble({header}).status().message(), "a newer one is needed"));
}

}  // namespace
}  // namespace distbench
