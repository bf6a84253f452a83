#include "test_builder/sweep.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
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

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (absl::EndsWith(path, ".graph")) return "in " + path;
  return absl::NotFoundError("no file " + path);
}

// The combinations that a command line asks for, each like "a=1 b=2".
std::vector<std::string> Points(const std::string& command_line) {
  std::vector<std::string> arguments = absl::StrSplit(command_line, ' ', absl::SkipEmpty());
  const auto sweeps = TakeSweeps(&arguments, ReadFile);
  EXPECT_TRUE(sweeps.ok()) << sweeps.status();
  std::vector<std::string> texts;
  for (size_t point = 0; point < CountPoints(*sweeps); ++point) {
    texts.push_back(absl::StrJoin(SweepPoint(*sweeps, point), " ",
                                  [](std::string* out, const NamedValue& named) {
                                    out->append(named.name + "=" + named.value);
                                  }));
  }
  return texts;
}

std::string ErrorOf(const std::string& command_line) {
  std::vector<std::string> arguments = absl::StrSplit(command_line, ' ', absl::SkipEmpty());
  return std::string(TakeSweeps(&arguments, ReadFile).status().message());
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
  EXPECT_THAT(Points("parameter_sweep g 0.5 x2 2"), ElementsAre("g=0.5", "g=1", "g=2"));
}

TEST(SweepTest, OnlyIntegersByIntegersAreIntegers) {
  EXPECT_THAT(Points("parameter_sweep g 1 x0.5 0.125"),
              ElementsAre("g=1", "g=0.5", "g=0.25", "g=0.125"));
  EXPECT_THAT(Points("parameter_sweep w 1 x0.1 0.001"),
              ElementsAre("w=1", "w=0.1", "w=0.01", "w=0.001"));
  EXPECT_THAT(Points("parameter_sweep q 1 x1.5 6"),
              ElementsAre("q=1", "q=1.5", "q=2.25", "q=3.375", "q=5.0625"));
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

TEST(SweepTest, ValuesMayBeInFiles) {
  EXPECT_THAT(Points("parameter_sweep graph <x.graph,<d/y.graph"),
              ElementsAre("graph=in x.graph", "graph=in d/y.graph"));
  EXPECT_THAT(Points("parameter_sweep graph,name <../d/x.graph/x,<y.graph/y"),
              ElementsAre("graph=in ../d/x.graph name=x", "graph=in y.graph name=y"));
  EXPECT_THAT(Points("parameter_sweep name,graph x/</d/x.graph"),
              ElementsAre("name=x graph=in /d/x.graph"));
  EXPECT_THAT(ErrorOf("parameter_sweep graph <none,"), HasSubstr("no file none"));
  EXPECT_THAT(ErrorOf("parameter_sweep a,b <d/x.graph/<e/y.graph,"), HasSubstr("4 values for 2"));
  std::vector<std::string> arguments = {"parameter_sweep", "a", "<d/x.graph,1"};
  const auto sweeps = TakeSweeps(&arguments, ReadFile);
  ASSERT_TRUE(sweeps.ok()) << sweeps.status();
  EXPECT_EQ(sweeps->front().steps[0][0].file, "d/x.graph");
  EXPECT_EQ(sweeps->front().steps[1][0].file, "");
}

TEST(SweepTest, SeveralSweepsAreCombined) {
  EXPECT_THAT(Points("parameter_sweep a 1,2 parameter_sweep b x,y"),
              ElementsAre("a=1 b=x", "a=1 b=y", "a=2 b=x", "a=2 b=y"));
  EXPECT_THAT(Points(""), ElementsAre(""));
}

TEST(SweepTest, OtherWordsAreLeft) {
  std::vector<std::string> arguments = {"-o", "dir", "parameter_sweep", "a", "1",
                                        "-1", "0",   "clique"};
  ASSERT_TRUE(TakeSweeps(&arguments, ReadFile).ok());
  EXPECT_THAT(arguments, ElementsAre("-o", "dir", "clique"));
}

TEST(SweepTest, WhatIsWrongIsNamed) {
  EXPECT_THAT(ErrorOf("parameter_sweep"), HasSubstr("needs more words"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 1 2"), HasSubstr("START STEP END"));
  EXPECT_THAT(ErrorOf("parameter_sweep a 5 clique"), HasSubstr("a comma follows a single value"));
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
