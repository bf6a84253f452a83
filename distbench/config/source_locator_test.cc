#include "distbench/config/source_locator.h"

#include <gtest/gtest.h>

#include <string>

namespace distbench {
namespace {

constexpr char kText[] = R"(tests {
  name: 'a'
  services { name: 's' }
}
tests {
  name: 'b'
  attributes { key: 'x' value: '1' }
  attributes { key: 'test_timeout' value: 'ten' }
  services { name: 's'
             count: 0 }
  actions: [ { name: 'p' }, { name: 'q' iterations { } dependencies: ['r',
                                                                      's'] } ]
}
)";

std::optional<SourcePosition> Locate(const std::string& test_name, const std::string& field_path) {
  return SourceLocator(kText).Locate({.code = absl::StatusCode::kInvalidArgument,
                                      .test_name = test_name,
                                      .field_path = field_path,
                                      .message = "is wrong"});
}

SourcePosition At(int line, int column) { return {.line = line, .column = column}; }

TEST(SourceLocatorTest, FindsFieldsOfTheNamedTest) {
  EXPECT_EQ(Locate("b", "services[0].count"), At(10, 14));
  EXPECT_EQ(Locate("b", "actions[1].dependencies[1]"), At(11, 56));
  EXPECT_EQ(Locate("a", "services[0]"), At(3, 3));
}

TEST(SourceLocatorTest, FindsFieldsOfTheNumberedTest) {
  EXPECT_EQ(Locate("a", "tests[1].services[0].count"), At(10, 14));
}

TEST(SourceLocatorTest, FindsEntriesOfMapsByTheirKey) {
  EXPECT_EQ(Locate("b", "attributes[test_timeout]"), At(8, 3));
}

TEST(SourceLocatorTest, AMissingFieldIsWhereItsMessageIs) {
  EXPECT_EQ(Locate("a", "services[0].count"), At(3, 3));
  EXPECT_EQ(Locate("b", "actions[1].iterations.max_duration_us"), At(11, 41));
  EXPECT_EQ(Locate("b", "default_protocol"), At(5, 1));
}

TEST(SourceLocatorTest, FindsNothingOfATestThatIsNotThere) {
  EXPECT_EQ(Locate("c", "services[0]"), std::nullopt);
  EXPECT_EQ(Locate("", "tests[7].services[0]"), std::nullopt);
}

TEST(SourceLocatorTest, ASingleTestNeedsNoSequenceAroundIt) {
  const SourceLocator locator("name: 'a'\nservices { }");
  EXPECT_EQ(locator.Locate({.test_name = "a", .field_path = "services[0].name"}), At(2, 1));
  EXPECT_EQ(locator.Locate({.field_path = "tests[0].services[0].name"}), At(2, 1));
}

TEST(SourceLocatorTest, FindsNothingInWhatIsNoTextConfig) {
  const SourceLocator locator(absl::string_view("\n\2\b\1", 4));
  EXPECT_EQ(locator.Locate({.field_path = "tests[0]"}), std::nullopt);
}

}  // namespace
}  // namespace distbench
