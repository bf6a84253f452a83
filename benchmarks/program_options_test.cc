#include "benchmarks/program_options.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

Benchmarks Three() {
  return {{.name = "grpc_small", .figures = {{.name = "rate", .smoke = AtLeast(0.5)}}},
          {.name = "grpc_large", .figures = {{.name = "rate"}}},
          {.name = "engine", .figures = {{.name = "cost"}}}};
}

std::vector<std::string> Selected(const std::vector<std::string>& arguments) {
  const auto options = ParseOptions(arguments);
  EXPECT_TRUE(options.ok()) << options.status();
  const auto selected = Select(Three(), *options);
  EXPECT_TRUE(selected.ok()) << selected.status();
  std::vector<std::string> names;
  for (const Benchmark& benchmark : *selected) names.push_back(benchmark.name);
  return names;
}

TEST(SelectTest, NamesMayBeBeginnings) {
  EXPECT_EQ(Selected({}), (std::vector<std::string>{"grpc_small", "grpc_large", "engine"}));
  EXPECT_EQ(Selected({"--only=grpc"}), (std::vector<std::string>{"grpc_small", "grpc_large"}));
  EXPECT_EQ(Selected({"--only=engine,grpc_l"}), (std::vector<std::string>{"grpc_large", "engine"}));
}

TEST(SelectTest, AWholeNameIsNoBeginning) {
  const Benchmarks two = {{.name = "grpc_p100"}, {.name = "grpc_p1000"}};
  const auto selected = Select(two, *ParseOptions({"--only=grpc_p100"}));
  ASSERT_TRUE(selected.ok()) << selected.status();
  ASSERT_EQ(selected->size(), 1u);
  EXPECT_EQ(selected->front().name, "grpc_p100");
}

TEST(SelectTest, ASmokeRunTakesWhatHasGenerousBounds) {
  EXPECT_EQ(Selected({"--smoke"}), (std::vector<std::string>{"grpc_small"}));
}

TEST(SelectTest, ANameThatMatchesNothingIsAnError) {
  const auto selected = Select(Three(), *ParseOptions({"--only=engine,grcp"}));
  EXPECT_EQ(selected.status().code(), absl::StatusCode::kNotFound);
  EXPECT_TRUE(absl::StrContains(selected.status().message(), "grcp"));
}

TEST(ParseOptionsTest, ASmokeRunIsShortUnlessToldOtherwise) {
  EXPECT_EQ(ParseOptions({})->run.pairs, 15u);
  EXPECT_EQ(ParseOptions({"--smoke"})->run.pairs, 3u);
  EXPECT_EQ(ParseOptions({"--smoke", "--pairs=7"})->run.pairs, 7u);
  EXPECT_EQ(ParseOptions({"--seconds=0.25"})->run.seconds, 0.25);
}

TEST(ParseOptionsTest, WrongValuesAreErrorsThatNameTheFlag) {
  for (const char* wrong : {"--pairs=-1", "--seconds=nan", "--seconds=-2", "--pears=3", "grpc"}) {
    const auto options = ParseOptions({wrong});
    ASSERT_FALSE(options.ok()) << wrong;
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace distbench
