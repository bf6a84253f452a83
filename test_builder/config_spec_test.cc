#include "test_builder/config_spec.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::StatusOr<ConfigSpec> Parse(absl::string_view text) {
  return ParseConfigSpec(text, [](const std::string& path) -> absl::StatusOr<std::string> {
    if (path == "sizes.txt") return "1\n2";
    return absl::NotFoundError("no file " + path);
  });
}

TEST(ParseConfigSpecTest, APatternAloneIsATest) {
  const auto spec = Parse("clique");
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->pattern, "clique");
  EXPECT_EQ(spec->driver, "grpc");
  EXPECT_EQ(spec->ip_version, 0);
  EXPECT_THAT(spec->values, IsEmpty());
}

TEST(ParseConfigSpecTest, DriverVersionAndValuesFollow) {
  const auto spec = Parse("clique:tcp:ipv6:node_count=4:mode=a=b");
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_EQ(spec->driver, "tcp");
  EXPECT_EQ(spec->ip_version, 6);
  EXPECT_THAT(spec->values, ElementsAre(NamedValue{"node_count", "4"}, NamedValue{"mode", "a=b"}));
  EXPECT_EQ(Parse("clique:ipv4")->ip_version, 4);
}

TEST(ParseConfigSpecTest, AValueMayHaveColons) {
  const auto spec = Parse("rectangular:fanout_filter=stochastic{0.5:1,0.5:2}:x_size=3");
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_THAT(spec->values, ElementsAre(NamedValue{"fanout_filter", "stochastic{0.5:1,0.5:2}"},
                                        NamedValue{"x_size", "3"}));
}

TEST(ParseConfigSpecTest, AValueMayBeInAFile) {
  const auto spec = Parse("call_graph:graph=<sizes.txt");
  ASSERT_TRUE(spec.ok()) << spec.status();
  EXPECT_THAT(spec->values, ElementsAre(NamedValue{"graph", "1\n2"}));
  EXPECT_THAT(Parse("call_graph:graph=<none.txt").status().message(), HasSubstr("none.txt"));
}

TEST(ParseConfigSpecTest, WhatIsOutOfPlaceIsNamed) {
  for (const char* text : {"clique:tcp:grpc", "clique:ipv4:tcp", "clique:ipv4:ipv6",
                           "clique::", "clique:netdev_name=lo:tcp", "clique:node_count=4:ipv6"}) {
    EXPECT_THAT(Parse(text).status().message(), AllOf(HasSubstr(text), HasSubstr("PATTERN[")));
  }
}

}  // namespace
}  // namespace distbench
