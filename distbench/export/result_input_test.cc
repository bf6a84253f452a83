#include "distbench/export/result_input.h"

#include <cstddef>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "distbench/export/gzip_testing.h"
#include "gmock/gmock.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kSamplesOnly[] = R"(
  test_results {
    traffic_config { name: "made up" rpc_descriptions { name: "ask" } }
    service_logs {
      instance_logs {
        key: "client/0"
        value {
          peer_logs {
            key: "server/0"
            value {
              rpc_logs {
                key: 0
                value {
                  successful_rpc_samples { request_size: 16 latency_ns: 70 }
                  successful_rpc_samples { request_size: 16 latency_ns: 90 }
                }
              }
            }
          }
        }
      }
    }
    log_summary: "a line"
  })";

TestSequenceResults Parsed(const std::string& text) {
  TestSequenceResults results;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &results));
  return results;
}

absl::StatusOr<TestSequenceResults> Read(const std::string& contents, int block_size = -1) {
  google::protobuf::io::ArrayInputStream input(contents.data(), static_cast<int>(contents.size()),
                                               block_size);
  return ReadResults("FILE", input);
}

std::string ErrorOf(const std::string& contents) {
  return std::string(Read(contents).status().message());
}

TEST(ResultInputTest, FormatShowsInTheBytes) {
  const std::string binary = Parsed(kSamplesOnly).SerializeAsString();
  for (const std::string& contents :
       {std::string(kSamplesOnly), binary, Gzip(kSamplesOnly), Gzip(binary)}) {
    const auto results = Read(contents);
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(results->test_results(0).traffic_config().name(), "made up");
  }
}

TEST(ResultInputTest, ItDoesNotMatterInWhichPiecesTheBytesCome) {
  const std::string binary = Parsed(kSamplesOnly).SerializeAsString();
  const auto whole = Read(binary);
  ASSERT_TRUE(whole.ok()) << whole.status();
  for (const int block_size : {1, 2, 17}) {
    for (const std::string& contents : {std::string(kSamplesOnly), binary, Gzip(binary)}) {
      const auto pieces = Read(contents, block_size);
      ASSERT_TRUE(pieces.ok()) << pieces.status();
      EXPECT_EQ(pieces->ShortDebugString(), whole->ShortDebugString());
    }
  }
}

TEST(ResultInputTest, SamplesGetStatistics) {
  const auto results = Read(kSamplesOnly);
  ASSERT_TRUE(results.ok()) << results.status();
  const auto& log = results->test_results(0).service_logs().instance_logs().at("client/0");
  const OutcomeStatistics& successes = log.rpc_statistics().at(0).measured_success();
  EXPECT_EQ(successes.count(), 2);
  EXPECT_EQ(successes.service_time_ns().min(), 70);
  EXPECT_EQ(successes.service_time_ns().max(), 90);
}

TEST(ResultInputTest, MembersOfAGzipFileAreReadOneAfterAnother) {
  const std::string one = Parsed(kSamplesOnly).SerializeAsString();
  const auto results = Read(Gzip(one) + Gzip(one));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->test_results_size(), 2);
}

TEST(ResultInputTest, LargeFilesInflateBlockByBlock) {
  TestSequenceResults large = Parsed(kSamplesOnly);
  for (int i = 0; i < 20'000; ++i) large.mutable_test_results(0)->add_log_summary("another line");
  const auto results = Read(Gzip(large.SerializeAsString()));
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->test_results(0).log_summary_size(), 20'001);
}

TEST(ResultInputTest, WhatIsNoResultIsRefused) {
  EXPECT_EQ(ErrorOf(""), "FILE cannot be used as results: it is empty");
  EXPECT_EQ(ErrorOf(Gzip("")), "FILE cannot be used as results: it is empty");
  EXPECT_EQ(ErrorOf("# nothing\n"), "FILE cannot be used as results: it holds no test results");
  EXPECT_THAT(ErrorOf("test_results {}"), HasSubstr("test_results[0] has neither config nor"));
  EXPECT_THAT(ErrorOf("tests { name: \"a config\" }"),
              AllOf(HasSubstr("line 1, column 7"), HasSubstr("no field named \"tests\"")));
  EXPECT_THAT(ErrorOf(std::string("\x7f\x45LF\x02\x01\x01\x00", 8)), HasSubstr("neither text nor"));
}

TEST(ResultInputTest, TruncationIsAnError) {
  const std::string binary = Parsed(kSamplesOnly).SerializeAsString();
  const std::string compressed = Gzip(binary);
  for (size_t size = 1; size < binary.size(); ++size) {
    EXPECT_FALSE(Read(binary.substr(0, size)).ok()) << size;
  }
  for (size_t size = 1; size < compressed.size(); ++size) {
    EXPECT_FALSE(Read(compressed.substr(0, size)).ok()) << size;
  }
  EXPECT_THAT(ErrorOf(compressed.substr(0, compressed.size() - 1)),
              HasSubstr("it is truncated: the end of the gzip data is missing"));
  EXPECT_THAT(ErrorOf(std::string(kSamplesOnly).substr(0, 200)), HasSubstr("it is text, but no"));
}

TEST(ResultInputTest, ChecksumTellsOfDamage) {
  std::string compressed = Gzip(Parsed(kSamplesOnly).SerializeAsString());
  compressed[compressed.size() - 8] ^= 1;  // of the checksum, which the length follows
  EXPECT_THAT(ErrorOf(compressed), HasSubstr("it is damaged: zlib says incorrect data check"));
  EXPECT_THAT(ErrorOf(Gzip(kSamplesOnly) + "more"), HasSubstr("it is damaged: zlib says"));
}

TEST(ResultInputTest, FiguresThatContradictThemselvesAreRefused) {
  TestSequenceResults results = Parsed(kSamplesOnly);
  auto& log = results.mutable_test_results(0)->mutable_service_logs()->mutable_instance_logs()->at(
      "client/0");
  (*log.mutable_rpc_statistics())[0].mutable_measured_success()->set_count(7);
  EXPECT_THAT(ErrorOf(results.SerializeAsString()),
              AllOf(HasSubstr("test_results[0].service_logs.instance_logs[client/0]"),
                    HasSubstr("first_start_timestamp_ns")));
}

TEST(ResultInputTest, FileThatCannotBeReadIsNamed) {
  const std::string missing = ::testing::TempDir() + "/no_such_file";
  EXPECT_EQ(ReadResultFile(missing).status().message(),
            "cannot read " + missing + ": No such file or directory");
  EXPECT_THAT(ReadResultFile(::testing::TempDir()).status().message(), HasSubstr("Is a directory"));
}

TEST(ResultInputTest, FileIsRead) {
  const std::string path = ::testing::TempDir() + "/results.misleading.gz";
  std::ofstream(path) << kSamplesOnly;
  const auto results = ReadResultFile(path);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->test_results(0).log_summary(0), "a line");
}

}  // namespace
}  // namespace distbench
