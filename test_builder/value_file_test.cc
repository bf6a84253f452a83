#include "test_builder/value_file.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string FileWith(const std::string& contents) {
  const std::string path = ::testing::TempDir() + "/value";
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

TEST(ReadValueFileTest, TheLastNewlineIsNotOfTheValue) {
  for (const char* contents : {"1\n2", "1\n2\n"}) {
    const auto value = ReadValueFile(FileWith(contents));
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(*value, "1\n2");
  }
}

TEST(ReadValueFileTest, NothingIsNoValue) {
  for (const char* contents : {"", "\n"}) {
    const std::string path = FileWith(contents);
    EXPECT_THAT(ReadValueFile(path).status().message(), HasSubstr(path + " is empty"));
  }
}

TEST(ReadValueFileTest, AFileWithoutEndIsRefused) {
  EXPECT_THAT(ReadValueFile("/dev/zero").status().message(),
              AllOf(HasSubstr("cannot read /dev/zero"), HasSubstr("too large")));
}

}  // namespace
}  // namespace distbench
