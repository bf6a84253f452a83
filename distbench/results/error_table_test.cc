#include "distbench/results/error_table.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;

TEST(ErrorTableTest, NumbersEachTextOnceFromOne) {
  ErrorTable table;
  EXPECT_EQ(table.Number("b"), 1);
  EXPECT_EQ(table.Number("a"), 2);
  EXPECT_EQ(table.Number("b"), 1);
  EXPECT_THAT(table.texts(), ElementsAre("", "b", "a"));
}

TEST(ErrorTableTest, AnEmptyTextIsStillAnError) {
  ErrorTable table;
  EXPECT_EQ(table.Number(""), 1);
  EXPECT_EQ(table.texts()[1], "unknown error");
}

TEST(ErrorTableTest, CutsLongTextsBetweenCharacters) {
  const std::string two_byte_characters = [] {
    std::string text = "x";
    while (text.size() < 3 * ErrorTable::kMaxTextBytes) text += "\xC3\xA9";
    return text;
  }();
  ErrorTable table;
  const uint16_t number = table.Number(two_byte_characters);
  EXPECT_EQ(table.texts()[number], two_byte_characters.substr(0, ErrorTable::kMaxTextBytes - 1));
  EXPECT_EQ(table.Number(two_byte_characters + "more"), number);
}

TEST(ErrorTableTest, TextsBeyondTheLimitShareANumber) {
  ErrorTable table;
  for (size_t i = 0; i < 3 * ErrorTable::kMaxTexts; ++i) {
    EXPECT_LE(table.Number(absl::StrCat("error ", i)), ErrorTable::kMaxTexts);
  }
  EXPECT_EQ(table.texts().size(), ErrorTable::kMaxTexts + 1);
  EXPECT_EQ(table.Number("never seen"), ErrorTable::kMaxTexts);
  EXPECT_EQ(table.texts().back(), "further errors");
  EXPECT_EQ(table.Number("error 0"), 1);
}

}  // namespace
}  // namespace distbench
