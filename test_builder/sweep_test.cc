#include "test_builder/sweep.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The combinations that a command line asks for, each like "a=1 b=2".
std::vector<std::string> Points(const std::string& command_line) {
  std::vector<std::string> arguments = absl::StrSplit(command_line, ' ', absl::SkipEmpty());
  const auto sweeps = TakeSweeps(&arguments);
  EXPECT_TRUE(sweeps.ok()) << sweeps.status();
  std::vector<std::string> texts;
  for (const std::vector<NamedValue>& point : SweepPoints(*sweeps)) {
    texts.push_back(absl::StrJoin(point, " ", [](std::string* out, const NamedValue& named) {
      out->append(named.name + "=" + named.value);
    }));
  }
  return texts;
}

std::string ErrorOf(const std::string& command_line) {
  std::vector<std::string> arguments = absl::StrSplit(command_line, ' ', absl::SkipEmpty());
  return std::string(TakeSweeps(&arguments).status().message());
}

TEST(SweepTest, StepsAreAddedUpToTheEnd) {
  EXPECT_THAT(Points("parameter_sweep n 1 2 6"), ElementsAre("n=1", "n=3", "n=5"));
  EXPECT_THAT(Points("parameter_sweep n 1 2 5"), ElementsAre("n=1", "n=3", "n=5"));
  EXPECT_THAT(Points("parameter_sweep n 3 -1 1"), ElementsAre("n=3", "n=2", "n=1"));
  EXPECT_THAT(Points("parameter_sweep n 4 1 4"), ElementsAre("n=4"));
}

TEST(SweepTest, FractionsReachTheirEndInSpiteOfRounding) {
  EXPECT_THAT(Points("parameter_sweep g 0.1 0.1 0.3"), ElementsAre("g=0.1", "g=0.2", "g=0.3"));
}

TEST(SweepTest, FactorsMultiply) {
  EXPECT_THAT(Points("parameter_sweep n 1 x4 64"), ElementsAre("n=1", "n=4", "n=16", "n=64"));
  EXPECT_THAT(Points("parameter_sweep n 1000000 x0.1 10000"),
              ElementsAre("n=1000000", "n=100000", "n=10000"));
  EXPECT_THAT(Points("parameter_sweep n 1 x1.5 5"), ElementsAre("n=1", "n=2", "n=3"));
  EXPECT_THAT(Points("parameter_sweep g 0.5 x2 2"), ElementsAre("g=0.5", "g=1", "g=2"));
}

TEST(SweepTest, ListsAreTakenAsTheyAre) {
  EXPECT_THAT(Points("parameter_sweep mode exponential,constant"),
              ElementsAre("mode=exponential", "mode=constant"));
  EXPECT_THAT(Points("parameter_sweep n 7,"), ElementsAre("n=7"));
}

TEST(SweepTest, SeveralNamesChangeTogether) {
  EXPECT_THAT(Points("parameter_sweep a,b 1 1 2"), ElementsAre("a=1 b=1", "a=2 b=2"));
  EXPECT_THAT(Points("parameter_sweep a,b 1/9,2/8"), ElementsAre("a=1 b=9", "a=2 b=8"));
}

TEST(SweepTest, SeveralSweepsAreCombined) {
  EXPECT_THAT(Points("parameter_sweep a 1,2 parameter_sweep b x,y"),
              ElementsAre("a=1 b=x", "a=1 b=y", "a=2 b=x", "a=2 b=y"));
  EXPECT_THAT(Points(""), ElementsAre(""));
}

TEST(SweepTest, OtherWordsAreLeft) {
  std::vector<std::string> arguments = {"-o", "dir", "parameter_sweep", "a", "1",
                                        "-1", "0",   "clique"};
  ASSERT_TRUE(TakeSweeps(&arguments).ok());
  EXPECT_THAT(arguments, ElementsAre("-o", "dir", "clique"));
}

TEST(SweepTest, WhatIsWrongIsNamed) {
  EXPECT_THAT(ErrorOf("parameter_sweep"), HasSubstr("needs more words"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 2"), HasSubstr("START STEP END"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 two 3"), HasSubstr("'two' is no number"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 0 3"), HasSubstr("1 0 3"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 -1 3"), HasSubstr("does not lead from 1 to 3"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 x1 3"), HasSubstr("1 x1 3"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 1 100000"), HasSubstr("1000 values"));
  EXPECT_THAT(ErrorOf("parameter_sweep a,b 1/2/3,4/5/6"),
              AllOf(HasSubstr("'1/2/3'"), HasSubstr("2 names")));
  EXPECT_THAT(ErrorOf("parameter_sweep a=1 1,2"), HasSubstr("'a=1'"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1,2 parameter_sweep a 3,4"),
              HasSubstr("a is swept twice"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 1 200 parameter_sweep b 1 1 200"),
              HasSubstr("more than 10000"));
}

}  // namespace
}  // namespace distbench
