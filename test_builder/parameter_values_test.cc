#include "test_builder/parameter_values.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Parameter> Declared() {
  return {{.name = "client_count",
           .default_text = "1",
           .kind = Parameter::Kind::kInteger,
           .least = 1,
           .greatest = 1000},
          {.name = "gbps",
           .default_text = "0.5",
           .kind = Parameter::Kind::kNumber,
           .least = 0.001,
           .greatest = 1000},
          {.name = "mode", .default_text = "constant", .choices = {"constant", "exponential"}},
          {.name = "exact_size", .kind = Parameter::Kind::kInteger, .least = 0, .greatest = 9}};
}

std::string ErrorOf(const std::vector<NamedValue>& given) {
  return std::string(ParameterValues::Read(Declared(), given).status().message());
}

TEST(ParameterValuesTest, WhatIsNotGivenHasItsDefault) {
  const auto values = ParameterValues::Read(Declared(), {{"client_count", "7"}});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(values->Integer("client_count"), 7);
  EXPECT_EQ(values->Number("gbps"), 0.5);
  EXPECT_EQ(values->Text("mode"), "constant");
  EXPECT_FALSE(values->Has("exact_size"));
}

TEST(ParameterValuesTest, ValuesKeepTheOrderOfDeclaration) {
  const auto values =
      ParameterValues::Read(Declared(), {{"exact_size", "5"}, {"client_count", "2"}});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_THAT(values->all(),
              ElementsAre(NamedValue{"client_count", "2"}, NamedValue{"gbps", "0.5"},
                          NamedValue{"mode", "constant"}, NamedValue{"exact_size", "5"}));
}

TEST(ParameterValuesTest, NoTextIsNoValueWhereThereIsADefault) {
  const Parameter text = {.name = "filter", .default_text = "ring_x"};
  EXPECT_TRUE(CheckValue(text, "all").ok());
  EXPECT_THAT(CheckValue(text, "").message(), HasSubstr("filter=: expected a value"));
  EXPECT_TRUE(CheckValue({.name = "graph"}, "").ok());
}

TEST(ParameterValuesTest, ANumberIsWrittenInOneWay) {
  for (const char* four : {"4", "+4", "004", "4 "}) {
    const auto values = ParameterValues::Read(Declared(), {{"client_count", four}});
    ASSERT_TRUE(values.ok()) << values.status();
    EXPECT_EQ(values->Text("client_count"), "4");
  }
  const Parameter number = {.name = "n", .kind = Parameter::Kind::kNumber};
  EXPECT_EQ(CanonicalValue(number, "0.1"), "0.1");
  EXPECT_EQ(CanonicalValue(number, ".10"), "0.1");
  EXPECT_EQ(CanonicalValue(number, "1e-6"), "0.000001");
  EXPECT_EQ(CanonicalValue(number, "1E9"), "1000000000");
  EXPECT_EQ(CanonicalValue(number, "-0"), "0");
  EXPECT_EQ(CanonicalValue(number, ""), "");
  EXPECT_EQ(CanonicalValue({.name = "text"}, "004"), "004");
}

TEST(ParameterValuesTest, UnknownNameIsAnErrorThatNamesTheNearest) {
  EXPECT_THAT(ErrorOf({{"clientcount", "2"}}),
              AllOf(HasSubstr("'clientcount'"), HasSubstr("'client_count'")));
}

TEST(ParameterValuesTest, WrongValueIsAnErrorThatSaysWhatIsAccepted) {
  EXPECT_EQ(ErrorOf({{"client_count", "0"}}), "client_count=0: expected an integer, 1 to 1000");
  EXPECT_EQ(ErrorOf({{"client_count", "1.5"}}), "client_count=1.5: expected an integer, 1 to 1000");
  EXPECT_EQ(ErrorOf({{"client_count", ""}}), "client_count=: expected an integer, 1 to 1000");
  EXPECT_EQ(ErrorOf({{"gbps", "nan"}}), "gbps=nan: expected a number, 0.001 to 1000");
  EXPECT_THAT(ErrorOf({{"mode", "exponental"}}),
              AllOf(HasSubstr("constant or exponential"), HasSubstr("did you mean 'exponential'")));
  EXPECT_EQ(ErrorOf({{"mode", "x"}}), "mode=x: expected constant or exponential");
}

TEST(ParameterValuesTest, EverythingThatIsWrongIsSaid) {
  EXPECT_EQ(ErrorOf({{"gbps", "x"}, {"client_count", "1"}, {"client_count", "2"}}),
            "gbps=x: expected a number, 0.001 to 1000\n"
            "client_count is given twice; leave one out");
}

TEST(ParameterValuesTest, OneMayStandInPlaceOfOthers) {
  std::vector<Parameter> declared = Declared();
  declared.push_back({.name = "file", .in_place_of = {"gbps", "mode"}});
  const auto values = ParameterValues::Read(declared, {{"file", "f"}});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_FALSE(values->Has("gbps"));
  EXPECT_FALSE(values->Has("mode"));
  EXPECT_TRUE(values->Has("client_count"));
  EXPECT_EQ(ParameterValues::Read(declared, {{"file", "f"}, {"gbps", "1"}}).status().message(),
            "file stands in place of gbps; leave one of the two out");
  EXPECT_EQ(ParameterValues::Read(declared, {{"file", ""}, {"gbps", "2"}})->Number("gbps"), 2);
}

TEST(ParameterValuesTest, ANameHasLettersDigitsAndUnderscores) {
  EXPECT_TRUE(IsParameterName("x_size2"));
  for (const char* name : {"", "2x", "a b", "a{", "a-b"}) EXPECT_FALSE(IsParameterName(name));
}

}  // namespace
}  // namespace distbench
