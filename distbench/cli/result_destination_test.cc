#include "distbench/cli/result_destination.h"

#include <dirent.h>
#include <stdlib.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "distbench/export/result_input.h"
#include "distbench/results/made_up_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Format = ResultDestination::Format;

// Without statistics, which readers then count from the samples.
TestSequenceResults ResultsWithSamples(int samples) {
  TestSequenceResults results;
  TestResult& test = *results.add_test_results();
  test = TestWithSamples(samples);
  ServicePerformanceLog& log = test.mutable_service_logs()->mutable_instance_logs()->at("c/0");
  log.clear_rpc_statistics();
  log.mutable_peer_logs()->at("s/0").mutable_rpc_logs()->at(3).clear_statistics();
  return results;
}

class ResultDestinationTest : public ::testing::Test {
 protected:
  ResultDestinationTest() {
    std::string name = ::testing::TempDir() + "/result_destination_XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = folder_ + "/out";
  }

  std::unique_ptr<ResultDestination> Open(Format format) {
    auto destination = ResultDestination::Open(path_, format, summaries_);
    EXPECT_TRUE(destination.ok()) << destination.status();
    return *std::move(destination);
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    DIR* entries = opendir(folder_.c_str());
    while (const dirent* entry = readdir(entries)) {
      if (entry->d_name[0] != '.') names.push_back(entry->d_name);
    }
    closedir(entries);
    std::sort(names.begin(), names.end());
    return names;
  }

  int64_t SamplesIn(const std::string& path, std::string* note = nullptr) {
    ReadOptions options;
    if (note != nullptr) options.on_note = [note](const std::string& text) { *note = text; };
    const auto results = ReadResultFile(path, options);
    EXPECT_TRUE(results.ok()) << results.status();
    return results->test_results(0)
        .service_logs()
        .instance_logs()
        .at("c/0")
        .peer_logs()
        .at("s/0")
        .rpc_logs()
        .at(3)
        .successful_rpc_samples_size();
  }

  std::string folder_;
  std::string path_;
  std::ostringstream summaries_;
};

TEST_F(ResultDestinationTest, EveryFormatHoldsEverythingAndLeavesNothingElse) {
  for (const Format format : {Format::kText, Format::kBinary, Format::kNative}) {
    const auto destination = Open(format);
    for (const ResultRecord& record : RecordsOf(ResultsWithSamples(70'000))) {
      destination->Add(record);
    }
    const absl::Status finished = destination->Finish();
    ASSERT_TRUE(finished.ok()) << finished;
    EXPECT_EQ(SamplesIn(path_), 70'000);
  }
  EXPECT_THAT(Files(), ElementsAre("out"));
}

TEST_F(ResultDestinationTest, TheSummaryIsPrintedBeforeTheSamplesCome) {
  const auto destination = Open(Format::kNative);
  const std::vector<ResultRecord> records = RecordsOf(ResultsWithSamples(5));
  destination->Add(records[0]);
  EXPECT_EQ(summaries_.str(), "");
  destination->Add(records[1]);
  EXPECT_EQ(summaries_.str(), "Test summary:\nfigures\n\n");
  EXPECT_EQ(destination->tests().test_results_size(), 1);
}

TEST_F(ResultDestinationTest, WhatCameIsKeptWhereTheRestDoesNot) {
  const auto destination = Open(Format::kNative);
  const std::vector<ResultRecord> records = RecordsOf(ResultsWithSamples(70'000));
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i].has_test_end()) break;
    destination->Add(records[i]);
  }
  ASSERT_TRUE(destination->Finish().ok());
  std::string note;
  EXPECT_EQ(SamplesIn(path_, &note), 70'000);
  EXPECT_THAT(note, HasSubstr("it ends between two records"));
}

TEST_F(ResultDestinationTest, AFileThatGrowsCanBeReadMeanwhile) {
  const auto destination = Open(Format::kText);
  for (const ResultRecord& record : RecordsOf(ResultsWithSamples(70'000))) {
    destination->Add(record);
    if (record.has_samples()) break;
  }
  ASSERT_EQ(Files().size(), 2u);
  EXPECT_THAT(Files()[1], StartsWith("out.records."));
  std::string note;
  EXPECT_EQ(SamplesIn(folder_ + "/" + Files()[1], &note), 65'536);
  EXPECT_THAT(note, HasSubstr("it ends between two records"));
}

TEST_F(ResultDestinationTest, WithoutAnyTestThereIsNoFile) {
  {
    const auto destination = Open(Format::kBinary);
    EXPECT_TRUE(destination->Finish().ok());
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(ResultDestinationTest, WhatTheFormatCannotHoldIsKeptAsRecords) {
  std::string records_path;
  {
    const auto destination =
        *ResultDestination::Open(path_, Format::kBinary, summaries_, /*max_bytes=*/10'000);
    for (const ResultRecord& record : RecordsOf(ResultsWithSamples(5'000))) {
      destination->Add(record);
    }
    EXPECT_EQ(destination->kept_records(), "");
    const absl::Status finished = destination->Finish();
    records_path = destination->kept_records();
    EXPECT_TRUE(absl::IsResourceExhausted(finished)) << finished;
    EXPECT_THAT(std::string(finished.message()),
                AllOf(HasSubstr("--native_output"), HasSubstr(records_path)));
  }
  ASSERT_EQ(Files().size(), 1u);
  EXPECT_EQ(folder_ + "/" + Files()[0], records_path);
  EXPECT_EQ(SamplesIn(records_path), 5'000);
}

TEST_F(ResultDestinationTest, AFullDiskIsToldAtTheEndAndLosesNoSummary) {
  path_ = "/dev/full";
  const auto destination = Open(Format::kNative);
  for (const ResultRecord& record : RecordsOf(ResultsWithSamples(5))) destination->Add(record);
  EXPECT_EQ(summaries_.str(), "Test summary:\nfigures\n\n");
  EXPECT_EQ(destination->Finish().message(), "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace distbench
