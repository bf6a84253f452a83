#include "test_builder/options.h"

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Options Parsed(const std::vector<std::string>& arguments) {
  const auto options = ParseOptions(arguments);
  EXPECT_TRUE(options.ok()) << options.status();
  return options.ok() ? *options : Options();
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  return std::string(ParseOptions(arguments).status().message());
}

TEST(ParseOptionsTest, TheDurationIsWrittenInOneWay) {
  for (const char* text : {"30", "030", "3e1"}) {
    const Options options = Parsed({"-t", text, "clique"});
    EXPECT_EQ(options.build.duration, absl::Seconds(30));
    EXPECT_EQ(options.build.duration_text, "30");
  }
  EXPECT_EQ(Parsed({"-t", "2.5", "clique"}).build.duration_text, "2.5");
}

TEST(ParseOptionsTest, ADurationOutOfBoundsIsAnErrorThatSaysThem) {
  for (const char* text : {"0", "-1", "1e9", "nan", "soon", "0x10"}) {
    EXPECT_THAT(ErrorOf({"-t", text, "clique"}),
                AllOf(HasSubstr(text), HasSubstr("expected seconds, 1e-06 to 1e+08")));
  }
}

TEST(ParseOptionsTest, HelpIsAWordToo) {
  const Options options = Parsed({"help", "clique"});
  EXPECT_TRUE(options.help);
  EXPECT_THAT(options.words, ElementsAre("clique"));
  EXPECT_FALSE(Parsed({"clique"}).help);
}

TEST(ParseOptionsTest, HelpOnSweepsIsNoSweep) {
  for (const char* help : {"-h", "--help", "help"}) {
    const Options options = Parsed({help, "parameter_sweep"});
    EXPECT_TRUE(options.help);
    EXPECT_THAT(options.words, ElementsAre("parameter_sweep"));
    EXPECT_THAT(options.sweeps, IsEmpty());
  }
}

TEST(ParseOptionsTest, AValueMayFollowItsLetter) {
  const Options options = Parsed({"-t5", "-ofoo", "clique"});
  EXPECT_EQ(options.build.duration_text, "5");
  EXPECT_EQ(options.folder, "foo");
}

TEST(ParseOptionsTest, AnEmptyNameIsAnError) {
  EXPECT_THAT(ErrorOf({"-o", "", "clique"}), HasSubstr("-o has an empty value"));
  EXPECT_THAT(ErrorOf({"-s", "", "-o", "x", "clique"}), HasSubstr("-s has an empty value"));
  EXPECT_THAT(ErrorOf({"--pattern_dir=", "clique"}), HasSubstr("--pattern_dir has an empty value"));
  EXPECT_EQ(Parsed({"-c", "", "-l", "", "clique"}).build.label, "");
}

TEST(ParseOptionsTest, AFlagIsGivenOnce) {
  EXPECT_THAT(ErrorOf({"-t", "5", "-t", "5", "clique"}), HasSubstr("-t is given twice"));
  EXPECT_THAT(ErrorOf({"--dry_run", "clique", "--dry_run"}), HasSubstr("--dry_run is given twice"));
}

TEST(ParseOptionsTest, ResultsNeedAFolder) {
  EXPECT_THAT(ErrorOf({"-s", "localhost:1", "clique"}), HasSubstr("-s needs -o DIR"));
}

}  // namespace
}  // namespace distbench
