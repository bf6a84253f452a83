#include "test_builder/result_check.h"

#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

DistributedSystemDescription Config(const std::string& more = "") {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 't' services { name: 'client' count: 1 } attributes { key: 'n' value: '1' }" + more,
      &config));
  return config;
}

// A result as a sequencer answers it, which has added a seed and sizes.
TestSequenceResults Results() {
  TestSequenceResults results;
  TestResult& result = *results.add_test_results();
  *result.mutable_traffic_config() = Config("seed: 5");
  result.mutable_traffic_config()->mutable_services(0)->set_x_size(1);
  *result.mutable_config_as_given() = Config();
  (*result.mutable_service_logs()->mutable_instance_logs())["client/0"];
  result.add_log_summary("figures");
  return results;
}

class ResultCheckTest : public ::testing::Test {
 protected:
  ResultCheckTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }

  absl::Status Check(const std::string& contents,
                     const DistributedSystemDescription& config = Config()) {
    const std::string path = folder_ / "t.pb.gz";
    gzFile file = gzopen(path.c_str(), "wb");
    EXPECT_EQ(gzwrite(file, contents.data(), static_cast<unsigned>(contents.size())),
              static_cast<int>(contents.size()));
    EXPECT_EQ(gzclose(file), Z_OK);
    return CheckResult(folder_.string(), {.name = "t", .file_stem = "t", .config = config});
  }
  absl::Status Check(const TestSequenceResults& results,
                     const DistributedSystemDescription& config = Config()) {
    return Check(results.SerializeAsString(), config);
  }

  const std::filesystem::path folder_;
};

TEST_F(ResultCheckTest, AWholeResultOfTheTestIsOne) {
  EXPECT_TRUE(Check(Results()).ok()) << Check(Results());
  EXPECT_TRUE(absl::IsNotFound(CheckResult(folder_.string(), {.file_stem = "other"})));
}

TEST_F(ResultCheckTest, APartOfAResultIsNone) {
  const std::string whole = Results().SerializeAsString();
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_TRUE(absl::IsDataLoss(Check(whole.substr(0, bytes)))) << bytes;
  }
}

TEST_F(ResultCheckTest, SomethingElseIsNone) {
  for (const std::string& contents : {std::string("hello\n"), std::string(1000, '\0'),
                                      Results().DebugString(), std::string("\x08\x01")}) {
    EXPECT_TRUE(absl::IsDataLoss(Check(contents))) << contents;
  }
  const std::string whole = Results().SerializeAsString();
  EXPECT_THAT(Check(whole + whole).message(), HasSubstr("results of 2 tests"));
}

TEST_F(ResultCheckTest, WhatFailedOrHasNoFiguresIsNone) {
  TestSequenceResults failed = Results();
  failed.mutable_test_results(0)->mutable_report()->set_status_code(14);
  failed.mutable_test_results(0)->mutable_report()->set_status_message("node1 was lost");
  EXPECT_EQ(Check(failed), absl::DataLossError(
                               absl::StrCat((folder_ / "t.pb.gz").string(),
                                            ": it is that of a test that failed: node1 was lost")));
  TestSequenceResults bare = Results();
  bare.mutable_test_results(0)->clear_log_summary();
  EXPECT_TRUE(Check(bare).ok());
  bare.mutable_test_results(0)->clear_service_logs();
  EXPECT_TRUE(absl::IsDataLoss(Check(bare)));
}

TEST_F(ResultCheckTest, WhatItDoesNotKnowIsPassedOver) {
  const std::string unknown("\xa0\xf7\x03\x01\xa5\xf7\x03...\x00\xa1\xf7\x03.......\x00", 22);
  EXPECT_TRUE(Check(absl::StrCat(Results().SerializeAsString(), unknown)).ok());
}

TEST_F(ResultCheckTest, TheResultOfAnotherTestIsAnErrorThatShowsTheDifference) {
  DistributedSystemDescription other = Config();
  (*other.mutable_attributes())["n"] = "2";
  for (const bool keeps_what_was_given : {true, false}) {
    TestSequenceResults results = Results();
    if (!keeps_what_was_given) results.mutable_test_results(0)->clear_config_as_given();
    EXPECT_TRUE(Check(results).ok());
    const absl::Status status = Check(results, other);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("t.pb.gz is the result of a test with other contents"),
                      HasSubstr("\n-   attributes { key: \"n\" value: \"1\" }\n"
                                "+   attributes { key: \"n\" value: \"2\" }")));
  }
}

TEST_F(ResultCheckTest, ASeedThatWasAskedForCounts) {
  TestSequenceResults results = Results();
  EXPECT_FALSE(Check(results, Config("seed: 5")).ok());
  results.mutable_test_results(0)->clear_config_as_given();
  EXPECT_TRUE(Check(results, Config("seed: 5")).ok());
  EXPECT_FALSE(Check(results, Config("seed: 6")).ok());
}

TEST_F(ResultCheckTest, WhichSweepATestIsOfDoesNotCount) {
  EXPECT_TRUE(Check(Results(), Config("attributes { key: 'swept_parameter' value: 'n' }")).ok());
}

}  // namespace
}  // namespace distbench
