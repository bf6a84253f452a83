#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/result_file/record_reader.h"
#include "distbench/result_file/record_writer.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "gtest/gtest.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

ResultRecord RecordOf(int64_t tests) {
  ResultRecord record;
  record.mutable_file_end()->set_tests(tests);
  return record;
}

// A file with records 1 to `count`.
std::string FileOf(int count) {
  const std::string path = ::testing::TempDir() + "/records";
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  RecordWriter writer(descriptor, path);
  for (int i = 1; i <= count; ++i) EXPECT_TRUE(writer.Write(RecordOf(i)).ok());
  close(descriptor);
  return Contents(path);
}

struct Read {
  std::vector<int64_t> records;
  absl::Status status;
  bool ended_within_record = false;
};
Read ReadAll(const std::string& file, int piece_bytes = -1) {
  google::protobuf::io::ArrayInputStream input(file.data(), static_cast<int>(file.size()),
                                               piece_bytes);
  RecordReader reader(input);
  Read read;
  while (true) {
    ResultRecord record;
    const absl::StatusOr<bool> more = reader.Next(&record);
    read.status = more.status();
    read.ended_within_record = reader.ended_within_record();
    if (!more.ok() || !*more) return read;
    read.records.push_back(record.file_end().tests());
  }
}

TEST(RecordFileTest, RecordsAreReadAsWrittenWhateverThePieces) {
  const std::string file = FileOf(3);
  EXPECT_TRUE(IsRecordFile(file));
  for (const int piece : {-1, 1, 7}) {
    const Read read = ReadAll(file, piece);
    EXPECT_TRUE(read.status.ok()) << read.status;
    EXPECT_EQ(read.records, (std::vector<int64_t>{1, 2, 3}));
    EXPECT_FALSE(read.ended_within_record);
  }
}

TEST(RecordFileTest, ACutFileIsReadUpToItsLastWholeRecord) {
  const std::string file = FileOf(3);
  const size_t record_bytes = (file.size() - 8) / 3;
  for (size_t size = 8; size < file.size(); ++size) {
    const Read read = ReadAll(file.substr(0, size));
    EXPECT_TRUE(read.status.ok()) << read.status;
    EXPECT_EQ(read.records.size(), (size - 8) / record_bytes) << size;
    EXPECT_EQ(read.ended_within_record, (size - 8) % record_bytes != 0) << size;
  }
}

TEST(RecordFileTest, EveryChangedBitIsFound) {
  const std::string file = FileOf(3);
  const size_t record_bytes = (file.size() - 8) / 3;
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string damaged = file;
    damaged[bit / 8] ^= static_cast<char>(1 << bit % 8);
    const Read read = ReadAll(damaged);
    // A length that grew may ask for more than there is.
    EXPECT_TRUE(absl::IsDataLoss(read.status) || read.ended_within_record) << bit;
    EXPECT_LE(read.records.size(), bit / 8 < 8 ? 0 : (bit / 8 - 8) / record_bytes) << bit;
  }
}

TEST(RecordFileTest, DamageIsToldWithItsPlace) {
  std::string file = FileOf(2);
  file.back() ^= 1;
  EXPECT_EQ(ReadAll(file).status.message(),
            absl::StrCat("it is damaged: the record at byte ", 8 + (file.size() - 8) / 2,
                         ": its checksum is wrong"));
}

TEST(RecordFileTest, AFullDiskIsAnErrorThatStays) {
  const int descriptor = open("/dev/full", O_WRONLY);
  RecordWriter writer(descriptor, "FILE");
  const absl::Status status = writer.Write(RecordOf(1));
  EXPECT_EQ(status, absl::InvalidArgumentError("cannot write FILE: No space left on device"));
  EXPECT_EQ(writer.Write(RecordOf(2)), status);
  close(descriptor);
}

}  // namespace
}  // namespace distbench
