#include "distbench/config/glob.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace distbench {
namespace {

TEST(GlobTest, AStarStandsForAnyNumberOfCharacters) {
  EXPECT_TRUE(MatchesGlob("server/*", "server/0"));
  EXPECT_TRUE(MatchesGlob("server/*", "server/123"));
  EXPECT_TRUE(MatchesGlob("server/1*", "server/1"));
  EXPECT_TRUE(MatchesGlob("*/0", "server/0"));
  EXPECT_TRUE(MatchesGlob("s*r/*0", "server/10"));
  EXPECT_FALSE(MatchesGlob("server/1*", "server/21"));
  EXPECT_FALSE(MatchesGlob("server/*", "servers/0"));
}

TEST(GlobTest, AStarStandsForNoSlash) {
  EXPECT_FALSE(MatchesGlob("*", "server/0"));
  EXPECT_FALSE(MatchesGlob("grid/*", "grid/0/1"));
  EXPECT_TRUE(MatchesGlob("grid/*/*", "grid/0/1"));
  EXPECT_TRUE(MatchesGlob("grid/*/1", "grid/0/1"));
  EXPECT_FALSE(MatchesGlob("grid/*/1", "grid/0/2"));
  EXPECT_FALSE(MatchesGlob("grid/*/*", "grid/0"));
  EXPECT_FALSE(MatchesGlob("grid*1", "grid/1"));
}

TEST(GlobTest, OtherCharactersStandForThemselves) {
  EXPECT_TRUE(MatchesGlob("a.b/0", "a.b/0"));
  EXPECT_FALSE(MatchesGlob("a.b/*", "axb/0"));
  EXPECT_FALSE(MatchesGlob("a?/0", "ab/0"));
  EXPECT_FALSE(MatchesGlob("[ab]/*", "a/0"));
  EXPECT_FALSE(IsGlob("a?[b]/0"));
  EXPECT_TRUE(IsGlob("a/*"));
}

// Says in one line what the other says in many.
bool MatchesByDefinition(const std::string& glob, const std::string& name) {
  if (glob.empty()) return name.empty();
  const bool rest = !name.empty() && (glob[0] == '*' ? name[0] != '/' : name[0] == glob[0]);
  if (glob[0] != '*') return rest && MatchesByDefinition(glob.substr(1), name.substr(1));
  return MatchesByDefinition(glob.substr(1), name) ||
         (rest && MatchesByDefinition(glob, name.substr(1)));
}

// All texts of up to `length` of these characters.
std::vector<std::string> AllTexts(const std::string& characters, size_t length) {
  std::vector<std::string> texts = {""};
  for (size_t begin = 0, l = 0; l < length; ++l) {
    const size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (char c : characters) texts.push_back(texts[begin] + c);
    }
  }
  return texts;
}

TEST(GlobTest, EveryShortGlobMatchesWhatItIsDefinedToMatch) {
  const std::vector<std::string> names = AllTexts("ab/", 5);
  size_t matches = 0;
  for (const std::string& glob : AllTexts("ab*/", 4)) {
    for (const std::string& name : names) {
      const bool expected = MatchesByDefinition(glob, name);
      ASSERT_EQ(MatchesGlob(glob, name), expected) << glob << " " << name;
      matches += expected;
    }
  }
  EXPECT_GT(matches, 1000u);
}

}  // namespace
}  // namespace distbench
