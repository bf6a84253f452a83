#include "distbench/net/port_range.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

TEST(ParsePortRangeTest, ReadsRangesSinglePortsAndNothing) {
  const struct {
    const char* text;
    int first;
    int last;
    int count;
    const char* formatted;
  } kCases[] = {
      {"10000-10100", 10000, 10100, 101, "10000-10100"},
      {"1-65535", 1, 65535, 65535, "1-65535"},
      {"8080", 8080, 8080, 1, "8080"},
      {"8080-8080", 8080, 8080, 1, "8080"},
      {"", 0, 0, 0, "any"},
  };
  for (const auto& c : kCases) {
    const auto ports = ParsePortRange(c.text);
    ASSERT_TRUE(ports.ok()) << ports.status();
    EXPECT_EQ(ports->first, c.first);
    EXPECT_EQ(ports->last, c.last);
    EXPECT_EQ(PortCount(*ports), c.count);
    EXPECT_EQ(FormatPortRange(*ports), c.formatted);
  }
}

TEST(ParsePortRangeTest, RefusesAnythingElse) {
  for (const char* text : {"-", "10-", "-10", "10-9", "0-10", "1-65536", "a-b", "1-2-3", " 1-2",
                           "10000:10100", "99999999999-1"}) {
    const auto ports = ParsePortRange(text);
    ASSERT_FALSE(ports.ok()) << text;
    EXPECT_THAT(std::string(ports.status().message()), HasSubstr(std::string("'") + text + "'"));
  }
}

}  // namespace
}  // namespace distbench
