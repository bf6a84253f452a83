#include "distbench/cli/result_file.h"

#include <dirent.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

class ResultFileTest : public ::testing::Test {
 protected:
  ResultFileTest() {
    std::string name = ::testing::TempDir() + "/result_file_XXXXXX";
    directory_ = mkdtemp(name.data());
    results_.add_test_results()->add_log_summary("a line");
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    DIR* entries = opendir(directory_.c_str());
    while (const dirent* entry = readdir(entries)) {
      if (entry->d_name[0] != '.') names.push_back(entry->d_name);
    }
    closedir(entries);
    return names;
  }

  std::string directory_;
  TestSequenceResults results_;
};

TEST_F(ResultFileTest, TextCanBeReadBack) {
  auto file = ResultFile::Open(directory_ + "/out");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write(results_, ResultFile::Format::kText).ok());
  TestSequenceResults read;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(Contents(directory_ + "/out"), &read));
  EXPECT_EQ(read.test_results(0).log_summary(0), "a line");
}

TEST_F(ResultFileTest, BinaryCanBeReadBack) {
  auto file = ResultFile::Open(directory_ + "/out");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write(results_, ResultFile::Format::kBinary).ok());
  TestSequenceResults read;
  ASSERT_TRUE(read.ParseFromString(Contents(directory_ + "/out")));
  EXPECT_EQ(read.test_results(0).log_summary(0), "a line");
}

TEST_F(ResultFileTest, FormerFileStaysUntilTheNewOneIsComplete) {
  std::ofstream(directory_ + "/out") << "former";
  auto file = ResultFile::Open(directory_ + "/out");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(Contents(directory_ + "/out"), "former");
  ASSERT_TRUE(file->Write(results_, ResultFile::Format::kText).ok());
  EXPECT_THAT(Contents(directory_ + "/out"), HasSubstr("a line"));
  EXPECT_THAT(Files(), ElementsAre("out"));
}

TEST_F(ResultFileTest, NothingIsLeftOfAFileThatWasNotCompleted) {
  {
    auto file = ResultFile::Open(directory_ + "/out");
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(Files().size(), 1u);
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(ResultFileTest, DeviceIsWrittenToAndNotReplaced) {
  auto file = ResultFile::Open("/dev/null");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->Write(results_, ResultFile::Format::kText).ok());
}

TEST_F(ResultFileTest, FullDeviceIsAnError) {
  auto file = ResultFile::Open("/dev/full");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(file->Write(results_, ResultFile::Format::kText).message(),
              HasSubstr("/dev/full: No space left"));
}

TEST_F(ResultFileTest, WhatIsPrintedIsTheFile) {
  auto file = ResultFile::Open(directory_ + "/out");
  ASSERT_TRUE(file.ok()) << file.status();
  const std::string large(1 << 20, 'x');
  const auto print = [&](std::ostream& out) {
    out << large << "\n";
    return absl::OkStatus();
  };
  ASSERT_TRUE(file->Print(print).ok());
  EXPECT_EQ(Contents(directory_ + "/out"), large + "\n");
  EXPECT_THAT(Files(), ElementsAre("out"));
}

TEST_F(ResultFileTest, ErrorWhilePrintingLeavesNoFile) {
  {
    auto file = ResultFile::Open(directory_ + "/out");
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(file->Print([](std::ostream& out) {
                    out << "half of it";
                    return absl::InternalError("no more");
                  })
                  .message(),
              "no more");
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(ResultFileTest, FullDeviceIsAnErrorOfPrintingToo) {
  auto file = ResultFile::Open("/dev/full");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(file->Print([](std::ostream& out) {
                    out << "x";
                    return absl::OkStatus();
                  })
                  .message(),
              HasSubstr("/dev/full: No space left"));
}

TEST_F(ResultFileTest, PathThatCannotBeWrittenIsKnownAtOnce) {
  EXPECT_THAT(ResultFile::Open(directory_ + "/no/out").status().message(),
              HasSubstr("No such file or directory"));
  EXPECT_THAT(ResultFile::Open(directory_).status().message(), HasSubstr("Is a directory"));
}

TEST_F(ResultFileTest, StandardOutputGoesByThreeNames) {
  for (const char* name : {"", "-", "/dev/stdout"}) {
    auto file = ResultFile::Open(name);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE(file->is_standard_output());
  }
  EXPECT_FALSE(ResultFile::Open(directory_ + "/out")->is_standard_output());
}

}  // namespace
}  // namespace distbench
