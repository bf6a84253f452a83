// Damages a valid file in many ways, always the same ones. Whatever comes of it, reading ends with
// results or with one line of error, and whatever was read can be exported: nothing crashes.

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "distbench/export/analysis_tree.h"
#include "distbench/export/gzip_testing.h"
#include "distbench/export/hdr_log.h"
#include "distbench/export/result_input.h"
#include "distbench/export/sample_csv.h"
#include "distbench/export/summary_json.h"
#include "distbench/export/summary_text.h"
#include "distbench/export/time_series_csv.h"
#include "distbench/export/trace_json.h"
#include "distbench/result_file/record_writer.h"
#include "distbench/results/result_records.h"
#include "gmock/gmock.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

constexpr int kMutations = 2000;
constexpr char kFile[] = "distbench/export/testdata/results.textproto";

std::string ValidText() {
  std::ifstream file(kFile);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string ValidBinary() {
  TestSequenceResults results;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(ValidText(), &results));
  return results.SerializeAsString();
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string Mutate(std::string bytes) {
    const int changes = 1 + Below(4);
    for (int i = 0; i < changes && !bytes.empty(); ++i) Change(bytes);
    return bytes;
  }

 private:
  void Change(std::string& bytes) {
    const size_t at = Below(bytes.size());
    const size_t length = 1 + Below(16);
    switch (Below(6)) {
      case 0:
        bytes[at] ^= static_cast<char>(1 << Below(8));
        break;
      case 1:
        bytes[at] = static_cast<char>(Below(256));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(at, bytes.substr(Below(bytes.size()), length));
        break;
      default:
        bytes.insert(at, length, static_cast<char>(Below(2) == 0 ? 0xff : 0));
    }
  }

  size_t Below(size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random_);
  }

  std::mt19937 random_;
};

absl::StatusOr<TestSequenceResults> Read(const std::string& contents) {
  google::protobuf::io::ArrayInputStream input(contents.data(), static_cast<int>(contents.size()));
  return ReadResults("FILE", input);
}

void ExportToAll(const TestSequenceResults& results) {
  std::ostringstream out;
  // Errors are allowed: damage may leave nothing to show.
  WriteSummaryText(results, out).IgnoreError();
  WriteSummaryJson(results, out).IgnoreError();
  WriteSampleCsv(results, out);
  WriteTimeSeriesCsv(results, out).IgnoreError();
  WriteHdrLog(results, out).IgnoreError();
  WriteTraceJson(results, out).IgnoreError();
  for (const AnalysisFormat format : {AnalysisFormat::kDefault, AnalysisFormat::kHoma,
                                      AnalysisFormat::kStatistics, AnalysisFormat::kTraceContext}) {
    const auto make_file = [&](const std::string& path,
                               absl::FunctionRef<void(std::ostream&)> write) {
      EXPECT_EQ(("/" + path).find("/."), std::string::npos) << path;
      write(out);
      return absl::OkStatus();
    };
    WriteAnalysisTree(results, {.format = format, .considers_warmups = true}, make_file)
        .IgnoreError();
  }
}

std::string AsItIs(const std::string& contents) { return contents; }

// Returns how many mutants could still be read, each packed by `pack` after its mutation.
int TryMutants(const std::string& valid, unsigned seed, int mutations = kMutations,
               std::string (*pack)(const std::string& contents) = AsItIs) {
  Mutator mutator(seed);
  int readable = 0;
  for (int i = 0; i < mutations; ++i) {
    const auto results = Read(pack(mutator.Mutate(valid)));
    if (results.ok()) {
      ++readable;
      ExportToAll(*results);
    } else {
      EXPECT_THAT(std::string(results.status().message()),
                  ::testing::StartsWith("FILE cannot be used"));
    }
  }
  return readable;
}

TEST(ResultMutationTest, DamagedBinaryNeverCrashes) {
  ASSERT_TRUE(Read(ValidBinary()).ok()) << Read(ValidBinary()).status();
  // Many bytes are figures and names, whose damage shows in nothing else.
  EXPECT_GT(TryMutants(ValidBinary(), 1), kMutations / 50);
}

TEST(ResultMutationTest, DamagedTextNeverCrashes) {
  ASSERT_TRUE(Read(ValidText()).ok()) << Read(ValidText()).status();
  // Most bytes are names of fields and punctuation, so few remain.
  EXPECT_GT(TryMutants(ValidText(), 2), kMutations / 100);
}

TEST(ResultMutationTest, DamagedGzipIsFound) {
  const std::string compressed = Gzip(ValidBinary());
  ASSERT_TRUE(Read(compressed).ok());
  // But for a few bytes of its header.
  EXPECT_LT(TryMutants(compressed, 3), kMutations / 20);
}

TEST(ResultMutationTest, DamageBelowTheChecksumNeverCrashes) {
  constexpr int kPacked = kMutations / 10;
  const int readable = TryMutants(ValidBinary(), 4, kPacked, Gzip);
  // As without the packing: some remain, and some do not.
  EXPECT_GT(readable, kPacked / 40);
  EXPECT_LT(readable, kPacked);
}

// --- The native format

std::vector<ResultRecord> ValidRecords() {
  std::vector<ResultRecord> records;
  VisitResults(*Read(ValidBinary()), Provenance(),
               [&](ResultRecord record) { records.push_back(std::move(record)); });
  return records;
}

std::string NativeFile(const std::vector<ResultRecord>& records) {
  const std::string path = ::testing::TempDir() + "/native";
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  RecordWriter writer(descriptor, path);
  for (const ResultRecord& record : records) EXPECT_TRUE(writer.Write(record).ok());
  close(descriptor);
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

TEST(ResultMutationTest, DamagedNativeFileIsFoundOrEndsEarly) {
  const std::string valid = NativeFile(ValidRecords());
  ASSERT_TRUE(Read(valid).ok()) << Read(valid).status();
  // A cut, or a length that asks for more than there is.
  EXPECT_LT(TryMutants(valid, 5), kMutations / 2);
}

TEST(ResultMutationTest, DamageBelowTheChecksumsOfRecordsNeverCrashes) {
  const std::vector<ResultRecord> valid = ValidRecords();
  Mutator mutator(6);
  int readable = 0, refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    std::vector<ResultRecord> records = valid;
    ResultRecord& damaged = records[i % records.size()];
    const std::string bytes = mutator.Mutate(damaged.SerializeAsString());
    if (!damaged.ParseFromString(bytes)) continue;
    const auto results = Read(NativeFile(records));
    if (results.ok()) ExportToAll(*results);
    ++(results.ok() ? readable : refused);
  }
  EXPECT_GT(readable, kMutations / 40);
  EXPECT_GT(refused, kMutations / 40);
}

}  // namespace
}  // namespace distbench
