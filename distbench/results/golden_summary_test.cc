// Results made by hand, with answers worked out by hand, against what the program says of them.
#include "distbench/results/golden_summary.h"

#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr char kFolder[] = "distbench/results/testdata/";

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class GoldenSummaryTest : public testing::TestWithParam<const char*> {};

TEST_P(GoldenSummaryTest, IsWhatTheProgramSays) {
  const std::string path = absl::StrCat(kFolder, GetParam(), ".textproto");
  const auto golden = GoldenSummary(path, ReadFile(path));
  ASSERT_TRUE(golden.ok()) << golden.status();
  EXPECT_EQ(*golden, ReadFile(absl::StrCat(kFolder, GetParam(), ".golden")))
      << "if the change is wanted, make the file anew and read the difference:\n  "
      << GoldenCommand(path);
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenSummaryTest,
                         testing::Values("warmup", "failures", "reservoir"),
                         [](const auto& param) { return std::string(param.param); });

TEST(GoldenSummaryErrorsTest, AFileThatIsNoResultIsRefusedByName) {
  const auto golden = GoldenSummary("x.textproto", "nonsense");
  ASSERT_FALSE(golden.ok());
  EXPECT_NE(golden.status().message().find("x.textproto"), absl::string_view::npos);
}

}  // namespace
}  // namespace distbench
