#include "distbench/cli/flag_set.h"

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class FlagSetTest : public ::testing::Test {
 protected:
  FlagSetTest() {
    flags_.Add("port", &port_, "PORT", "Where to listen.");
    flags_.Add("verbose", &verbose_, "", "Say more.");
    flags_.Add("limit", &limit_, "DURATION", "How long.");
    flags_.AddList("infile", &infiles_, "FILE", "What to read.");
  }

  // The other words, or the error's text.
  std::vector<std::string> Parse(const std::vector<std::string>& arguments) {
    auto words = flags_.Parse(arguments);
    if (words.ok()) return *words;
    return {std::string(words.status().message())};
  }

  int port_ = 10000;
  bool verbose_ = false;
  absl::Duration limit_ = absl::Seconds(1);
  std::vector<std::string> infiles_;
  FlagSet flags_;
};

TEST_F(FlagSetTest, ValueMayFollowAfterEqualsSignOrSpace) {
  EXPECT_THAT(Parse({"--port=7", "--limit", "2m"}), ElementsAre());
  EXPECT_EQ(port_, 7);
  EXPECT_EQ(limit_, absl::Minutes(2));
}

TEST_F(FlagSetTest, AValueMayFollowALetterAtOnce) {
  int seconds = 0;
  flags_.Add("t", &seconds, "SECONDS", "How long.");
  EXPECT_THAT(Parse({"-t5"}), ElementsAre());
  EXPECT_EQ(seconds, 5);
  EXPECT_THAT(Parse({"--t5"}), ElementsAre(HasSubstr("unknown flag '--t5'")));
  EXPECT_THAT(Parse({"-x5"}), ElementsAre(HasSubstr("unknown flag '--x5'")));
}

TEST_F(FlagSetTest, TellsEachFlagThatWasGiven) {
  EXPECT_THAT(Parse({"--port=7", "word", "--noverbose", "--port", "8"}), ElementsAre("word"));
  EXPECT_THAT(flags_.given(), ElementsAre("port", "verbose", "port"));
}

TEST_F(FlagSetTest, WhatIsNotGivenKeepsItsDefault) {
  EXPECT_THAT(Parse({}), ElementsAre());
  EXPECT_EQ(port_, 10000);
  EXPECT_FALSE(verbose_);
}

TEST_F(FlagSetTest, SwitchTakesNoSeparateValue) {
  EXPECT_THAT(Parse({"--verbose", "false"}), ElementsAre("false"));
  EXPECT_TRUE(verbose_);
}

TEST_F(FlagSetTest, SwitchCanBeTurnedOff) {
  verbose_ = true;
  EXPECT_THAT(Parse({"--noverbose"}), ElementsAre());
  EXPECT_FALSE(verbose_);
  EXPECT_THAT(Parse({"--verbose=true"}), ElementsAre());
  EXPECT_TRUE(verbose_);
}

TEST_F(FlagSetTest, RepeatedFlagKeepsEveryValueInOrder) {
  EXPECT_THAT(Parse({"--infile=b", "--infile", "a=1"}), ElementsAre());
  EXPECT_THAT(infiles_, ElementsAre("b", "a=1"));
}

TEST_F(FlagSetTest, WordsMayStandBetweenFlags) {
  EXPECT_THAT(Parse({"node3", "--port=1", "rack=5", "-"}), ElementsAre("node3", "rack=5", "-"));
}

TEST_F(FlagSetTest, EverythingIsAWordAfterTwoDashes) {
  EXPECT_THAT(Parse({"--", "--port=1"}), ElementsAre("--port=1"));
  EXPECT_EQ(port_, 10000);
}

TEST_F(FlagSetTest, UnknownFlagIsAnErrorThatNamesTheNearest) {
  const std::vector<std::string> result = Parse({"--infle=x"});
  ASSERT_EQ(result.size(), 1u);
  EXPECT_THAT(result[0], HasSubstr("'--infle'"));
  EXPECT_THAT(result[0], HasSubstr("'--infile'"));
}

TEST_F(FlagSetTest, BadValueIsAnErrorThatNamesFlagAndValue) {
  const std::vector<std::string> result = Parse({"--port=http"});
  ASSERT_EQ(result.size(), 1u);
  EXPECT_THAT(result[0], HasSubstr("--port=http"));
}

TEST_F(FlagSetTest, MissingValueIsAnError) {
  const std::vector<std::string> result = Parse({"--limit"});
  ASSERT_EQ(result.size(), 1u);
  EXPECT_THAT(result[0], HasSubstr("--limit=DURATION"));
}

TEST_F(FlagSetTest, OnlySwitchesHaveANegatedForm) {
  EXPECT_THAT(Parse({"--noport"})[0], HasSubstr("unknown flag"));
  EXPECT_THAT(Parse({"--noverbose=true"})[0], HasSubstr("takes no value"));
}

TEST_F(FlagSetTest, HelpNamesEveryFlagWithItsDefault) {
  const std::string help = flags_.Help();
  EXPECT_THAT(help, HasSubstr("--port=PORT (10000)"));
  EXPECT_THAT(help, HasSubstr("--[no]verbose"));
  EXPECT_THAT(help, HasSubstr("--limit=DURATION (1s)"));
  EXPECT_THAT(help, HasSubstr("--infile=FILE\n"));
}

TEST_F(FlagSetTest, NamesOfOneLetterAreShownWithOneDash) {
  std::string directory = "-";
  flags_.Add("o", &directory, "DIR", "Where files go.");
  EXPECT_THAT(flags_.Help(), HasSubstr("\n  -o DIR (-)\n"));
  EXPECT_THAT(Parse({"-o"})[0], HasSubstr("-o needs a value: -o=DIR"));
  EXPECT_THAT(Parse({"-o", "-", "word"}), ElementsAre("word"));
  EXPECT_EQ(directory, "-");
}

TEST_F(FlagSetTest, HelpIsBrokenIntoShortLines) {
  bool value = false;
  flags_.Add("long", &value, "", std::string(30, 'x') + " " + std::string(60, 'y'));
  EXPECT_THAT(flags_.Help(), HasSubstr("x\n      y"));
}

}  // namespace
}  // namespace distbench
