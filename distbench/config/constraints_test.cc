#include "distbench/config/constraints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/text_format.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ConstraintList Parse(const std::string& text) {
  ConstraintList list;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &list)) << text;
  return list;
}

// One set for each text of constraints.
ConstraintList Sets(const std::vector<std::vector<std::string>>& sets) {
  std::string text;
  for (const std::vector<std::string>& set : sets) {
    absl::StrAppend(&text, "constraint_sets {");
    for (const std::string& constraint : set) {
      absl::StrAppend(&text, " constraints { ", constraint, " }");
    }
    absl::StrAppend(&text, " }\n");
  }
  return Parse(text);
}

ConstraintList One(const std::string& constraint) { return Sets({{constraint}}); }

Attributes With(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Attributes attributes;
  for (const auto& [name, value] : pairs) attributes.Set(name, value);
  return attributes;
}

// Whether a node whose attribute `a` is `value` satisfies the constraint on `a`.
bool Matches(const std::string& constraint, const std::string& value) {
  return Satisfies(One(absl::StrCat("attribute_name: 'a' ", constraint)), With({{"a", value}}));
}

std::vector<std::string> Complaints(const ConstraintList& list) {
  Diagnostics diagnostics;
  Reporter report("t", "", diagnostics);
  CheckConstraints(list, "c", report);
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const bool is_error = diagnostic.severity == Diagnostic::Severity::kError;
    lines.push_back(absl::StrCat(is_error ? "error " : "warning ", diagnostic.field_path, ": ",
                                 diagnostic.message));
  }
  return lines;
}

TEST(ConstraintsTest, TextIsComparedAsItStands) {
  EXPECT_TRUE(Matches("relation: EQUAL string_values: 'x'", "x"));
  EXPECT_FALSE(Matches("relation: EQUAL string_values: 'x'", "X"));
  EXPECT_FALSE(Matches("relation: EQUAL string_values: '7'", "07"));
  EXPECT_FALSE(Matches("relation: NOT_EQUAL string_values: 'x'", "x"));
  EXPECT_TRUE(Matches("relation: NOT_EQUAL string_values: 'x'", "y"));
}

TEST(ConstraintsTest, NumbersAreComparedByValue) {
  EXPECT_TRUE(Matches("relation: EQUAL int64_values: 7", "07"));
  EXPECT_TRUE(Matches("relation: EQUAL int64_values: -7", "-7"));
  EXPECT_FALSE(Matches("relation: EQUAL int64_values: 7", "8"));
  EXPECT_TRUE(Matches("relation: NOT_EQUAL int64_values: 7", "8"));
  EXPECT_FALSE(Matches("relation: NOT_EQUAL int64_values: 7", "7"));
  const std::string least = absl::StrCat(std::numeric_limits<int64_t>::min());
  EXPECT_TRUE(Matches("relation: EQUAL int64_values: -9223372036854775808", least));
}

TEST(ConstraintsTest, WhatIsNoNumberStandsInNoRelationToOne) {
  for (const char* value : {"", "seven", "7x", "7.0", "99999999999999999999"}) {
    for (const char* relation : {"EQUAL", "NOT_EQUAL", "MODULO_EQUAL", "MODULO_NOT_EQUAL"}) {
      EXPECT_FALSE(
          Matches(absl::StrCat("relation: ", relation, " modulus: 3 int64_values: 1"), value))
          << relation << " " << value;
    }
  }
}

TEST(ConstraintsTest, AnAbsentAttributeNeverMatches) {
  for (const char* text : {"relation: EQUAL string_values: ''",
                           "relation: NOT_EQUAL "
                           "string_values: 'x'",
                           "relation: NOT_EQUAL int64_values: 1",
                           "relation: MODULO_NOT_EQUAL modulus: 2 int64_values: 1"}) {
    EXPECT_FALSE(Satisfies(One(absl::StrCat("attribute_name: 'a' ", text)), With({{"b", "4"}})))
        << text;
  }
}

TEST(ConstraintsTest, OneOfTheValuesIsEnough) {
  EXPECT_TRUE(Matches("relation: EQUAL string_values: ['x', 'y']", "y"));
  EXPECT_FALSE(Matches("relation: EQUAL string_values: ['x', 'y']", "z"));
  EXPECT_TRUE(Matches("relation: EQUAL string_values: 'x' int64_values: [3, 4]", "4"));
  EXPECT_TRUE(Matches("relation: EQUAL string_values: 'x' int64_values: [3, 4]", "x"));
  EXPECT_FALSE(Matches("relation: EQUAL string_values: 'x' int64_values: [3, 4]", "5"));
  // One of them always differs.
  EXPECT_TRUE(Matches("relation: NOT_EQUAL string_values: ['x', 'y']", "x"));
  EXPECT_TRUE(Matches("relation: NOT_EQUAL int64_values: [1, 2]", "1"));
}

// Against the definition: r is the remainder if 0 <= r < m and m divides n - r.
TEST(ConstraintsTest, RemaindersAreNeverNegative) {
  for (int modulus = 1; modulus <= 5; ++modulus) {
    for (int number = -11; number <= 11; ++number) {
      for (int value = 0; value < modulus; ++value) {
        const bool is_remainder = (number - value) % modulus == 0;
        const std::string operands = absl::StrCat(" modulus: ", modulus, " int64_values: ", value);
        const std::string attribute = absl::StrCat(number);
        EXPECT_EQ(Matches("relation: MODULO_EQUAL" + operands, attribute), is_remainder)
            << number << operands;
        EXPECT_EQ(Matches("relation: MODULO_NOT_EQUAL" + operands, attribute), !is_remainder)
            << number << operands;
      }
    }
  }
}

TEST(ConstraintsTest, AListHoldsWhereEverySetHasOneThatHolds) {
  const std::string a = "attribute_name: 'a' relation: EQUAL int64_values: 1";
  const std::string b = "attribute_name: 'b' relation: EQUAL int64_values: 1";
  const std::string c = "attribute_name: 'c' relation: EQUAL int64_values: 1";
  const ConstraintList list = Sets({{a, b}, {c}});
  for (int bits = 0; bits < 8; ++bits) {
    const bool has_a = bits & 1, has_b = bits & 2, has_c = bits & 4;
    const Attributes attributes =
        With({{"a", has_a ? "1" : "0"}, {"b", has_b ? "1" : "0"}, {"c", has_c ? "1" : "0"}});
    EXPECT_EQ(Satisfies(list, attributes), (has_a || has_b) && has_c) << bits;
  }
  EXPECT_TRUE(Satisfies(ConstraintList(), Attributes()));
}

TEST(ConstraintsTest, TheLastValueOfAnAttributeCounts) {
  const ConstraintList list = One("attribute_name: 'index' relation: EQUAL int64_values: 1");
  EXPECT_TRUE(Satisfies(list, With({{"index", "7"}, {"index", "1"}})));
  EXPECT_FALSE(Satisfies(list, With({{"index", "1"}, {"index", "7"}})));
}

TEST(ConstraintsTest, ARightListIsNotComplainedAbout) {
  EXPECT_THAT(Complaints(ConstraintList()), IsEmpty());
  EXPECT_THAT(Complaints(Sets(
                  {{"attribute_name: 'a' relation: EQUAL string_values: 'x' int64_values: 1",
                    "attribute_name: 'a' relation: NOT_EQUAL string_values: '' modulus: 0"},
                   {"attribute_name: 'a' relation: MODULO_EQUAL modulus: 2 int64_values: [0, 1]",
                    "attribute_name: 'a' relation: MODULO_NOT_EQUAL modulus: 1 int64_values: 0"}})),
              IsEmpty());
}

TEST(ConstraintsTest, ComplaintsNameFieldValueAndRemedy) {
  const std::string path = "c.constraint_sets[0].constraints[0]";
  const auto complaints = [](const std::string& constraint) {
    return absl::StrJoin(Complaints(One(constraint)), "\n");
  };
  EXPECT_EQ(
      complaints("relation: EQUAL string_values: 'x'"),
      absl::StrCat("error ", path, ".attribute_name: empty; name the attribute that is looked at"));
  EXPECT_EQ(complaints("attribute_name: 'a' string_values: 'x'"),
            absl::StrCat("error ", path,
                         ".relation: missing; set EQUAL, NOT_EQUAL, MODULO_EQUAL or "
                         "MODULO_NOT_EQUAL"));
  EXPECT_EQ(complaints("attribute_name: 'a' relation: EQUAL"),
            absl::StrCat("error ", path,
                         ": attribute 'a' is compared with nothing; set string_values or "
                         "int64_values"));
  EXPECT_EQ(complaints("attribute_name: 'a' relation: EQUAL int64_values: 1 modulus: 3"),
            absl::StrCat("error ", path,
                         ".modulus: 3 means nothing to the relation EQUAL; leave it out, or set "
                         "MODULO_EQUAL or MODULO_NOT_EQUAL"));
  EXPECT_EQ(complaints("attribute_name: 'a' relation: MODULO_EQUAL string_values: 'x' modulus: 3"),
            absl::StrCat("error ", path,
                         ".string_values: 'x' is text, which MODULO_EQUAL cannot compare; set "
                         "int64_values"));
  for (const char* modulus : {"", "modulus: 0", "modulus: -4"}) {
    const int value = absl::StrContains(modulus, "-4") ? -4 : 0;
    EXPECT_EQ(complaints(absl::StrCat(
                  "attribute_name: 'a' relation: MODULO_NOT_EQUAL int64_values: 1 ", modulus)),
              absl::StrCat("error ", path, ".modulus: ", value,
                           " is not positive; MODULO_NOT_EQUAL divides by it"));
  }
}

TEST(ConstraintsTest, ASetThatNothingSatisfiesIsRefused) {
  EXPECT_THAT(Complaints(Sets({{}})),
              ElementsAre("error c.constraint_sets[0]: a set without constraints, which nothing "
                          "satisfies; add one, or leave the set out"));
}

TEST(ConstraintsTest, AValueThatIsNoRemainderIsWarnedOf) {
  EXPECT_THAT(Complaints(One("attribute_name: 'a' relation: MODULO_EQUAL modulus: 4 "
                             "int64_values: [3, 4]")),
              ElementsAre("warning c.constraint_sets[0].constraints[0].int64_values[1]: 4 never "
                          "matches, as the remainder is from 0 to 3"));
  EXPECT_THAT(Complaints(One("attribute_name: 'a' relation: MODULO_NOT_EQUAL modulus: 4 "
                             "int64_values: -1")),
              ElementsAre("warning c.constraint_sets[0].constraints[0].int64_values[0]: -1 always "
                          "matches, as the remainder is from 0 to 3"));
}

TEST(ConstraintsTest, DescribeReadsAsASentence) {
  EXPECT_EQ(Describe(ConstraintList()), "anything");
  EXPECT_EQ(Describe(Sets({{"attribute_name: 'rack' relation: EQUAL string_values: ['a', 'b']"},
                           {"attribute_name: 'slot' relation: MODULO_EQUAL modulus: 4 "
                            "int64_values: 1",
                            "attribute_name: 'slot' relation: NOT_EQUAL int64_values: [5, 6]"}})),
            "rack is 'a' or 'b', and (slot mod 4 is 1, or slot is not 5 or is not 6)");
}

}  // namespace
}  // namespace distbench
