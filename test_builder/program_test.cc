#include "test_builder/program.h"

#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/patterns/patterns.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

// The result of the only test of a sequence.
void WriteResult(const std::filesystem::path& path, const std::string& sequence_text) {
  TestSequence sequence;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(sequence_text, &sequence));
  TestSequenceResults results;
  TestResult& result = *results.add_test_results();
  *result.mutable_traffic_config() = sequence.tests(0);
  *result.mutable_config_as_given() = sequence.tests(0);
  result.add_log_summary("figures");
  const std::string contents = results.SerializeAsString();
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_EQ(gzwrite(file, contents.data(), static_cast<unsigned>(contents.size())),
            static_cast<int>(contents.size()));
  ASSERT_EQ(gzclose(file), Z_OK);
}

// What a command line led to.
struct Ended {
  ExitCode code;
  std::string out;
  std::string err;
};

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
  }

  Ended Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "test_builder");
    std::ostringstream out;
    std::ostringstream err;
    const ExitCode code = RunTestBuilder(arguments, out, err);
    return {code, out.str(), err.str()};
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      names.push_back(file.path().filename().string());
    }
    return names;
  }

  std::string Contents(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::ostringstream contents;
    contents << file.rdbuf();
    return contents.str();
  }

  const std::filesystem::path folder_;
};

TEST_F(ProgramTest, TheSequenceGoesToStandardOutput) {
  for (const std::vector<std::string>& out : {std::vector<std::string>{}, {"-o", "-"}}) {
    std::vector<std::string> arguments = out;
    arguments.insert(arguments.end(), {"-t", "5", "clique", "ring:tcp"});
    const Ended ended = Run(arguments);
    EXPECT_EQ(ended.code, ExitCode::kOk) << ended.err;
    EXPECT_THAT(ended.out, AllOf(StartsWith("# produced by test_builder "),
                                 HasSubstr("-t 5 clique ring:tcp\ntests {\n  name: \"clique_"),
                                 HasSubstr("}\ntests {\n  name: \"ring_")));
  }
}

TEST_F(ProgramTest, ArgumentsAreWrittenSoThatAShellUnderstandsThem) {
  const Ended ended = Run({"clique:extra_test_contents=seed: 7"});
  EXPECT_THAT(ended.out, StartsWith("# produced by test_builder "
                                    "'clique:extra_test_contents=seed: 7'\n"));
  EXPECT_THAT(Run({"clique:extra_test_contents=# it's\nseed:7"}).out,
              StartsWith("# produced by test_builder "
                         "$'clique:extra_test_contents=# it\\'s\\nseed:7'\n"));
}

TEST_F(ProgramTest, AFolderGetsAFileForEachTestAndTheSequence) {
  const Ended ended = Run({"-o", folder_.string(), "-c", "p_", "-l", "base", "parameter_sweep",
                           "node_count", "2,3", "ring:tcp"});
  EXPECT_EQ(ended.code, ExitCode::kOk) << ended.err;
  EXPECT_THAT(Files(), UnorderedElementsAre("p_base-ring_sync_burst_2x16000x1024x1024-tcp.config",
                                            "p_base-ring_sync_burst_3x16000x1024x1024-tcp.config",
                                            "p_base-test_sequence.config"));
  const std::string one = Contents("p_base-ring_sync_burst_3x16000x1024x1024-tcp.config");
  EXPECT_THAT(one, AllOf(StartsWith("# produced by test_builder -o "),
                         HasSubstr("name: \"ring_sync_burst_3x16000x1024x1024-tcp\"")));
  EXPECT_THAT(Contents("p_base-test_sequence.config"), HasSubstr(one.substr(one.find('\n') + 1)));
}

TEST_F(ProgramTest, OneTestNeedsNoSequence) {
  EXPECT_EQ(Run({"-o", folder_.string(), "ring:tcp"}).code, ExitCode::kOk);
  EXPECT_THAT(Files(), ElementsAre("ring_sync_burst_10x16000x1024x1024-tcp.config"));
}

TEST_F(ProgramTest, AConfigOfTheSameNameWithOtherContentsIsNotReplaced) {
  ASSERT_EQ(Run({"-o", folder_.string(), "ring:tcp"}).code, ExitCode::kOk);
  const std::string before = Contents("ring_sync_burst_10x16000x1024x1024-tcp.config");
  EXPECT_EQ(Run({"-t", "30", "-o", folder_.string(), "ring:tcp"}).code, ExitCode::kOk);
  EXPECT_EQ(Contents("ring_sync_burst_10x16000x1024x1024-tcp.config"), before);
  const Ended ended = Run({"-t", "31", "-o", folder_.string(), "ring:tcp"});
  EXPECT_EQ(ended.code, ExitCode::kFailed);
  EXPECT_THAT(ended.err, HasSubstr("-   attributes { key: \"test_duration\" value: \"30\" }\n"
                                   "+   attributes { key: \"test_duration\" value: \"31\" }"));
  EXPECT_EQ(Contents("ring_sync_burst_10x16000x1024x1024-tcp.config"), before);
}

TEST_F(ProgramTest, WhatIsPartOfASweepNowIsTheSameTest) {
  ASSERT_EQ(Run({"-o", folder_.string(), "ring:tcp:node_count=2"}).code, ExitCode::kOk);
  const std::string name = "ring_sync_burst_2x16000x1024x1024-tcp";
  const std::string before = Contents(name + ".config");
  WriteResult(folder_ / (name + ".pb.gz"), before);
  const Ended ended =
      Run({"-o", folder_.string(), "parameter_sweep", "node_count", "2,3", "ring:tcp"});
  EXPECT_EQ(ended.code, ExitCode::kOk) << ended.err;
  EXPECT_EQ(Contents(name + ".config"), before);
  EXPECT_THAT(Contents("test_sequence.config"), HasSubstr("swept_parameter"));
}

TEST_F(ProgramTest, NoConfigIsWrittenBesideTheResultOfAnotherTest) {
  std::filesystem::create_directory(folder_);
  WriteResult(folder_ / "ring_sync_burst_10x16000x1024x1024-tcp.pb.gz",
              Run({"-t", "1", "ring:tcp"}).out);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{}, {"-s", "localhost:1"}, {"--dry_run"}}) {
    std::vector<std::string> arguments = {"-o", folder_.string(), "-t", "2", "ring:tcp"};
    arguments.insert(arguments.begin(), more.begin(), more.end());
    const Ended ended = Run(arguments);
    EXPECT_EQ(ended.code, ExitCode::kFailed);
    EXPECT_THAT(ended.err, HasSubstr("-   attributes { key: \"test_duration\" value: \"1\" }\n"
                                     "+   attributes { key: \"test_duration\" value: \"2\" }"));
    EXPECT_THAT(Files(), ElementsAre("ring_sync_burst_10x16000x1024x1024-tcp.pb.gz"));
  }
}

TEST_F(ProgramTest, ADryRunSaysWhatWouldBeDone) {
  std::filesystem::create_directory(folder_);
  // What stands under a result's name and is none does not count, as in a run.
  WriteResult(folder_ / "ring_sync_burst_2x16000x1024x1024-tcp.pb.gz",
              Run({"-t", "10", "ring:tcp:warmup_seconds=2:node_count=2"}).out);
  std::ofstream(folder_ / "ring_sync_burst_3x16000x1024x1024-tcp.pb.gz") << "x";
  const Ended ended = Run({"--dry_run", "-t", "10", "-s", "localhost:1", "-o", folder_.string(),
                           "parameter_sweep", "node_count", "2,3", "ring:tcp:warmup_seconds=2"});
  EXPECT_EQ(ended.code, ExitCode::kOk) << ended.err;
  EXPECT_EQ(ended.out,
            "ring_sync_burst_2x16000x1024x1024-tcp: 12 s, 2 nodes, has a result\n"
            "ring_sync_burst_3x16000x1024x1024-tcp: 12 s, 3 nodes\n"
            "2 tests, 1 with a result, about 14 s to run\n");
  EXPECT_THAT(ended.err, HasSubstr("ring_sync_burst_3x16000x1024x1024-tcp.pb.gz: it is "));
  EXPECT_EQ(Files().size(), 2u);
}

TEST_F(ProgramTest, HelpIsMadeOfWhatIsDeclared) {
  const Ended all = Run({"-h"});
  EXPECT_EQ(all.code, ExitCode::kOk);
  const Ended list = Run({"list"});
  EXPECT_EQ(list.code, ExitCode::kOk);
  const PatternRegistry patterns = BuiltInPatterns();
  for (const auto& pattern : patterns.all()) {
    EXPECT_THAT(list.out, HasSubstr(absl::StrCat(pattern->name(), " ")));
    const Ended one = Run({"-h", pattern->name()});
    EXPECT_THAT(all.out, HasSubstr(one.out.substr(0, one.out.find("\nEvery pattern:"))));
    EXPECT_THAT(one.out, HasSubstr(pattern->summary()));
    for (const Parameter& parameter : pattern->parameters()) {
      EXPECT_THAT(one.out, AllOf(HasSubstr(absl::StrCat("    ", parameter.name, "=")),
                                 HasSubstr(parameter.help)));
    }
  }
  EXPECT_THAT(all.out, HasSubstr("    threadpool_type= (simple|elastic|null)"));
}

TEST_F(ProgramTest, ShowExplainsAConfig) {
  const Ended ended = Run({"show", "incast:tcp:sender_count=3"});
  EXPECT_EQ(ended.code, ExitCode::kOk) << ended.err;
  EXPECT_THAT(ended.out,
              AllOf(StartsWith("# incast: "), HasSubstr("#   sender_count=10 (instances, 1 to"),
                    HasSubstr("\n  # Who calls whom"),
                    HasSubstr("services { name: \"sender\" count: 3 }")));
}

TEST_F(ProgramTest, ShowTakesTheFlagsThatAConfigShows) {
  EXPECT_THAT(Run({"show", "-t7", "-lbase", "ring:tcp"}).out,
              AllOf(HasSubstr("key: \"test_duration\" value: \"7\""), HasSubstr("\"base-ring_")));
  EXPECT_THAT(Run({"list", "-s", "localhost:1", "-o", "x"}).err,
              HasSubstr("list makes nothing of -"));
}

TEST_F(ProgramTest, PatternsOfOnesOwnAreLikeTheOthers) {
  const Ended ended = Run({"--pattern_dir", "test_builder/examples", "parameter_sweep",
                           "client_count", "1,2", "proxy:tcp"});
  EXPECT_EQ(ended.code, ExitCode::kOk) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("name: \"proxy_1x2xrandom-tcp\""),
                               HasSubstr("name: \"proxy_2x2xrandom-tcp\""),
                               HasSubstr("{ key: \"size\" value: \"1024\" }")));
  EXPECT_THAT(Run({"--pattern_dir", "test_builder/examples", "list"}).out, HasSubstr("\nproxy "));
}

TEST_F(ProgramTest, WhatIsNotUnderstoodIsAUsageError) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"clikue"},
                                             {"clique:node_cont=3"},
                                             {"-s", "localhost:1", "clique"},
                                             {"-s", "nowhere", "-o", "x", "clique"},
                                             {"-t", "0", "clique"},
                                             {"-x", "clique"},
                                             {"show"},
                                             {"show", "clique", "-o", "x"},
                                             {"show", "clique", "-c", "x"},
                                             {"list", "clique"},
                                             {"list", "-s", "localhost:1", "-o", "x"},
                                             {"list", "--dry_run"},
                                             {"list", "parameter_sweep", "node_count", "2,3"},
                                             {"-h", "clikue"},
                                             {"--pattern_dir", "test_builder/patterns", "clique"},
                                             {"parameter_sweep", "node_count", "clique"}}) {
    const Ended ended = Run(arguments);
    EXPECT_EQ(ended.code, ExitCode::kUsage) << ::testing::PrintToString(arguments);
    EXPECT_THAT(ended.err, AllOf(StartsWith("test_builder: "), HasSubstr("test_builder -h")));
    EXPECT_THAT(ended.out, IsEmpty());
  }
  EXPECT_THAT(Run({"clikue"}).err, HasSubstr("'clique'"));
}

TEST_F(ProgramTest, OutputThatCannotBeWrittenIsAnError) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"clique"}, {"list"}, {"show", "clique"}}) {
    std::vector<std::string> command_line = arguments;
    command_line.insert(command_line.begin(), "test_builder");
    std::ofstream out("/dev/full");
    std::ostringstream err;
    EXPECT_EQ(RunTestBuilder(command_line, out, err), ExitCode::kFailed);
    EXPECT_EQ(err.str(), "test_builder: cannot write all of it to standard output\n");
  }
}

TEST_F(ProgramTest, AFolderThatCannotBeWrittenIsAnError) {
  const Ended ended = Run({"-o", "/dev/null/x", "clique"});
  EXPECT_EQ(ended.code, ExitCode::kFailed);
  EXPECT_THAT(ended.err, HasSubstr("/dev/null/x"));
}

}  // namespace
}  // namespace distbench
