#include "distbench/cli/sequence_input.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "distbench/cli/flag_set.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SequenceInputTest : public ::testing::Test {
 protected:
  // A file with these contents, by its whole path.
  std::string File(const std::string& name, const std::string& contents) {
    const std::string path = ::testing::TempDir() + "/" + name;
    std::ofstream(path) << contents;
    return path;
  }

  absl::StatusOr<TestSequence> Read(const std::vector<std::string>& arguments) {
    FlagSet flags;
    input_.DeclareFlags(&flags);
    EXPECT_TRUE(flags.Parse(arguments).ok());
    return input_.Read();
  }

  SequenceInput input_;
};

std::vector<std::string> Names(const TestSequence& sequence) {
  std::vector<std::string> names;
  for (const auto& test : sequence.tests()) names.push_back(test.name());
  return names;
}

TEST_F(SequenceInputTest, FilesAreReadInTheOrderGiven) {
  const std::string a = File("a", "tests { name: 'a' }");
  const std::string b = File("b", "tests { name: 'b' } tests { name: 'bb' }");
  const std::string c = File("c", "tests { name: 'c' }");
  auto sequence = Read({"--infile=" + b + "," + c, "--infile=" + a});
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_THAT(Names(*sequence), ElementsAre("b", "bb", "c", "a"));
  EXPECT_THAT(input_.file_names(), ElementsAre(b, c, a));
}

TEST_F(SequenceInputTest, SettingsApplyToWhatWasRead) {
  auto sequence = Read({"--infile=" + File("s", "tests { name: 'a' seed: 1 }"),
                        "--set=tests[0].seed=7", "--set=tests[0].attributes[test_timeout]=60"});
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(sequence->tests(0).seed(), 7u);
  EXPECT_EQ(sequence->tests(0).attributes().at("test_timeout"), "60");
}

TEST_F(SequenceInputTest, RelativePathBelongsToTheDirectoryOfTheUser) {
  File("here", "tests { name: 'relative' }");
  ASSERT_EQ(setenv("BUILD_WORKING_DIRECTORY", ::testing::TempDir().c_str(), 1), 0);
  auto sequence = Read({"--infile=here"});
  ASSERT_EQ(unsetenv("BUILD_WORKING_DIRECTORY"), 0);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_THAT(Names(*sequence), ElementsAre("relative"));
}

TEST_F(SequenceInputTest, FileThatIsNotThereIsAnErrorWithItsName) {
  auto sequence = Read({"--infile=/no/such/file"});
  EXPECT_THAT(sequence.status().message(), HasSubstr("cannot read /no/such/file: No such file"));
}

TEST_F(SequenceInputTest, DirectoryIsAnErrorWithItsName) {
  auto sequence = Read({"--infile=" + ::testing::TempDir()});
  EXPECT_THAT(sequence.status().message(), HasSubstr("Is a directory"));
}

TEST_F(SequenceInputTest, ErrorInAFileNamesFileAndLine) {
  const std::string file = File("bad", "tests {\n  nmae: 'a'\n}");
  auto sequence = Read({"--infile=" + file});
  EXPECT_THAT(sequence.status().message(), HasSubstr(file + ":2:"));
}

TEST_F(SequenceInputTest, StandardInputIsTheDefault) {
  EXPECT_THAT(input_.file_names(), ElementsAre("/dev/stdin"));
}

}  // namespace
}  // namespace distbench
