#include "distbench/cli/checked_sequence.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "distbench/cli/flag_set.h"
#include "distbench/cli/sequence_input.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

constexpr char kGood[] = R"(tests {
  name: "good"
  services { name: "client" }
  services { name: "server" }
  rpc_descriptions { name: "query" client: "client" server: "server" }
  action_lists { name: "client" action_names: "ask" }
  action_lists { name: "query" }
  actions { name: "ask" rpc_name: "query" }
}
)";

class CheckedSequenceTest : public ::testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& contents) {
    const std::string path = ::testing::TempDir() + "/" + name;
    std::ofstream(path) << contents;
    return path;
  }

  absl::StatusOr<CheckedSequence> Read(const std::vector<std::string>& arguments) {
    SequenceInput input;
    FlagSet flags;
    input.DeclareFlags(&flags);
    EXPECT_TRUE(flags.Parse(arguments).ok());
    return ReadCheckedSequence(input, {.names = {"grpc"}}, warnings_);
  }

  std::ostringstream warnings_;
};

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(CheckedSequenceTest, AGoodConfigGivesPlansAndNoWarnings) {
  auto checked = Read({"--infile=" + File("good", kGood)});
  ASSERT_TRUE(checked.ok()) << checked.status();
  ASSERT_EQ(checked->tests.size(), 1u);
  EXPECT_EQ(checked->tests[0].plan->test_name, "good");
  EXPECT_EQ(warnings_.str(), "");
}

TEST_F(CheckedSequenceTest, AnErrorIsToldWithFileLineAndColumn) {
  const std::string bad = File("bad", Replaced(Replaced(kGood, "good", "bad"),
                                               "rpc_name: \"query\"", "rpc_name: \"qurey\""));
  auto checked = Read({"--infile=" + File("good", kGood) + "," + bad});
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(std::string(checked.status().message()),
              HasSubstr(bad + ":8:25: test 'bad', actions[0].rpc_name: there is no RPC 'qurey'"));
}

TEST_F(CheckedSequenceTest, TestsOfOneNameAreFoundInTheirOwnFiles) {
  const std::string bad =
      File("twin", Replaced(kGood, "rpc_name: \"query\"", "rpc_name: \"qurey\""));
  auto checked = Read({"--infile=" + File("good", kGood) + "," + bad});
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(std::string(checked.status().message()), HasSubstr(bad + ":8:25: "));
}

TEST_F(CheckedSequenceTest, AnUnusedDefinitionIsWarnedOfWithItsPlace) {
  const std::string file = File(
      "unused",
      Replaced(kGood, "services { name: \"server\" }",
               "services { name: \"server\" }\n  payload_descriptions { name: \"big\" size: 9 }"));
  ASSERT_TRUE(Read({"--infile=" + file}).ok());
  EXPECT_THAT(warnings_.str(), HasSubstr(file + ":5:"));
  EXPECT_THAT(warnings_.str(), HasSubstr("warning: "));
  EXPECT_THAT(warnings_.str(), HasSubstr("'big'"));
}

}  // namespace
}  // namespace distbench
