// The configs in golden/ are what their first lines say that makes them, byte for byte. After a
// wanted change run the commands again, from the root of the tree, and read the difference.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/program.h"

namespace distbench {
namespace {

constexpr char kGolden[] = "test_builder/golden";

std::string Contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

// The command line in the first line of a config, none of whose words has a space.
std::vector<std::string> CommandLine(const std::string& config) {
  absl::string_view line = absl::string_view(config).substr(0, config.find('\n'));
  EXPECT_TRUE(absl::ConsumePrefix(&line, "# produced by "));
  return absl::StrSplit(absl::StrReplaceAll(line, {{"'", ""}}), ' ');
}

TEST(GoldenTest, EachConfigIsWhatItsCommandMakes) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(kGolden)) {
    if (file.path().extension() != ".config") continue;
    ++count;
    const std::string config = Contents(file.path());
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(RunTestBuilder(CommandLine(config), out, err), ExitCode::kOk) << err.str();
    EXPECT_EQ(out.str(), config) << file.path();
    EXPECT_EQ(err.str(), "");
  }
  EXPECT_GT(count, 0);
}

TEST(GoldenTest, ThereIsOneOfEachPattern) {
  const PatternRegistry patterns = BuiltInPatterns();
  for (const auto& pattern : patterns.all()) {
    const auto path = std::filesystem::path(kGolden) / (pattern->name() + ".config");
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
  }
}

}  // namespace
}  // namespace distbench
