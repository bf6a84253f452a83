#include "test_builder/help.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test_builder/patterns/patterns.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string Help(const std::vector<std::string>& words) {
  const auto help = HelpOn(words, BuiltInPatterns());
  EXPECT_TRUE(help.ok()) << help.status();
  return help.ok() ? *help : "";
}

TEST(HelpOnTest, APatternHasAllParametersOfItsTests) {
  EXPECT_THAT(Help({"clique"}),
              AllOf(StartsWith("clique\n"), HasSubstr("\n    node_count=10 "),
                    HasSubstr("\n    pacing= "), HasSubstr("\n    extra_test_contents=  "),
                    HasSubstr("\ngrpc\n    client_type=polling "), Not(HasSubstr("\ntcp\n"))));
  EXPECT_THAT(Help({"clique:tcp:node_count=3"}),
              AllOf(StartsWith("clique\n"), HasSubstr("\ntcp\n    transport= "),
                    Not(HasSubstr("\ngrpc\n"))));
}

TEST(HelpOnTest, ADriverHasItsOwn) {
  EXPECT_THAT(Help({"tcp"}), AllOf(StartsWith("tcp\n    transport= "), Not(HasSubstr("pacing"))));
}

TEST(HelpOnTest, WordsOfTheCommandLineAreExplained) {
  for (const char* word : {"list", "show", "help", "parameter_sweep"}) {
    EXPECT_THAT(Help({word}), StartsWith("Usage: test_builder"));
  }
}

TEST(HelpOnTest, AnotherWordIsAnErrorThatNamesTheNearest) {
  for (const auto& [word, nearest] : std::vector<std::pair<std::string, std::string>>{
           {"clikue", "'clique'"},
           {"clique:tpc", "unknown driver 'tpc' (did you mean 'tcp'?)"},
           {"parameter_swep", "'parameter_sweep'"}}) {
    EXPECT_THAT(HelpOn({word}, BuiltInPatterns()).status().message(), HasSubstr(nearest));
  }
}

}  // namespace
}  // namespace distbench
