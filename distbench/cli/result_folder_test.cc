#include "distbench/cli/result_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

std::string Contents(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

class ResultFolderTest : public ::testing::Test {
 protected:
  ResultFolderTest() {
    std::string name = ::testing::TempDir() + "/result_folder_XXXXXX";
    directory_ = mkdtemp(name.data());
  }

  // Entries of the directory in which the folders are made.
  long Entries() const {
    return std::distance(std::filesystem::directory_iterator(directory_), {});
  }

  std::string directory_;
};

void PrintHello(std::ostream& out) { out << "hello\n"; }

TEST_F(ResultFolderTest, FolderAppearsWhenItIsComplete) {
  const std::string path = directory_ + "/tree";
  auto folder = ResultFolder::Open(path);
  ASSERT_TRUE(folder.ok()) << folder.status();
  ASSERT_TRUE(folder->MakeFile("a/b/c.txt", PrintHello).ok());
  ASSERT_TRUE(folder->MakeFile("a/d.txt", PrintHello).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(folder->Complete().ok());
  EXPECT_EQ(Contents(path + "/a/b/c.txt"), "hello\n");
  EXPECT_EQ(Contents(path + "/a/d.txt"), "hello\n");
  EXPECT_EQ(Entries(), 1);
}

TEST_F(ResultFolderTest, NothingIsLeftOfAFolderThatWasNotCompleted) {
  {
    auto folder = ResultFolder::Open(directory_ + "/tree");
    ASSERT_TRUE(folder.ok()) << folder.status();
    ASSERT_TRUE(folder->MakeFile("a/b.txt", PrintHello).ok());
    EXPECT_EQ(Entries(), 1);
  }
  EXPECT_EQ(Entries(), 0);
}

TEST_F(ResultFolderTest, EmptyFolderIsFilled) {
  const std::string path = directory_ + "/tree";
  std::filesystem::create_directory(path);
  auto folder = ResultFolder::Open(path + "/");
  ASSERT_TRUE(folder.ok()) << folder.status();
  ASSERT_TRUE(folder->MakeFile("a.txt", PrintHello).ok());
  ASSERT_TRUE(folder->Complete().ok());
  EXPECT_EQ(Contents(path + "/a.txt"), "hello\n");
}

TEST_F(ResultFolderTest, WhatIsThereIsNotOverwritten) {
  std::filesystem::create_directory(directory_ + "/tree");
  std::ofstream(directory_ + "/tree/mine") << "precious";
  std::ofstream(directory_ + "/file") << "precious";
  for (const char* name : {"/tree", "/file"}) {
    EXPECT_THAT(ResultFolder::Open(directory_ + name).status().message(),
                HasSubstr("would be overwritten; name a new or empty folder"));
  }
  EXPECT_EQ(Contents(directory_ + "/tree/mine"), "precious");
  EXPECT_EQ(Contents(directory_ + "/file"), "precious");
  EXPECT_EQ(Entries(), 2);
}

TEST_F(ResultFolderTest, PathThatCannotBeWrittenIsKnownAtOnce) {
  EXPECT_THAT(ResultFolder::Open(directory_ + "/no/tree").status().message(),
              HasSubstr("No such file or directory"));
}

TEST_F(ResultFolderTest, FileThatIsMadeTwiceIsAnError) {
  auto folder = ResultFolder::Open(directory_ + "/tree");
  ASSERT_TRUE(folder.ok()) << folder.status();
  ASSERT_TRUE(folder->MakeFile("a.txt", PrintHello).ok());
  EXPECT_THAT(folder->MakeFile("a.txt", PrintHello).message(), HasSubstr("File exists"));
}

}  // namespace
}  // namespace distbench
