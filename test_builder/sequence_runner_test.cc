#include "test_builder/sequence_runner.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/export/gunzip_stream.h"
#include "gmock/gmock.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

void WriteFile(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

std::string Contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

std::string Inflated(const std::string& compressed) {
  google::protobuf::io::ArrayInputStream input(compressed.data(),
                                               static_cast<int>(compressed.size()));
  GunzipStream stream(input);
  std::string contents;
  const void* data = nullptr;
  int size = 0;
  while (stream.Next(&data, &size)) contents.append(static_cast<const char*>(data), size);
  EXPECT_TRUE(stream.status().ok()) << stream.status();
  return contents;
}

// Writes results; what happens in the course of that is up to the test.
class ScriptedRunner final : public TestRunner {
 public:
  // Called with the name of the test and the path, in place of writing the result.
  using Script = std::function<absl::Status(const std::string& name, const std::string& path)>;

  explicit ScriptedRunner(Script script) : script_(std::move(script)) {}

  absl::Status Run(const TestSequence& sequence, const std::string& path) override {
    EXPECT_EQ(sequence.tests_size(), 1);
    names.push_back(sequence.tests(0).name());
    return script_(names.back(), path);
  }

  std::vector<std::string> names;

 private:
  const Script script_;
};

absl::Status Succeed(const std::string& name, const std::string& path) {
  WriteFile(path, "result of " + name);
  return absl::OkStatus();
}

class SequenceRunnerTest : public ::testing::Test {
 protected:
  SequenceRunnerTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
    for (const char* name : {"a", "b", "c"}) {
      BuiltTest test{.name = name, .file_stem = name};
      test.config.set_name(name);
      test.config.add_actions()->mutable_iterations()->set_max_duration_us(10'000'000);
      tests_.push_back(test);
    }
  }

  absl::Status RunAll(const ScriptedRunner::Script& script,
                      const SequenceRunOptions& options = {}) {
    ScriptedRunner runner(script);
    const auto files = ResultFiles::Open(folder_.string());
    EXPECT_TRUE(files.ok()) << files.status();
    std::ostringstream progress;
    const absl::Status status = RunTests(tests_, runner, **files, progress, options);
    run_ = runner.names;
    progress_ = progress.str();
    return status;
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      names.push_back(file.path().filename().string());
    }
    return names;
  }

  // That the tests run to the end now, no matter what was before: the same files as if nothing had
  // been, and only the tests of `expected_run` are run.
  void ExpectResumes(const std::vector<std::string>& expected_run) {
    EXPECT_TRUE(RunAll(Succeed).ok());
    EXPECT_EQ(run_, expected_run);
    EXPECT_THAT(Files(), UnorderedElementsAre("a.pb.gz", "b.pb.gz", "c.pb.gz"));
    for (const char* name : {"a", "b", "c"}) {
      EXPECT_EQ(Inflated(Contents(folder_ / absl::StrCat(name, ".pb.gz"))),
                absl::StrCat("result of ", name));
    }
  }

  const std::filesystem::path folder_;
  std::vector<BuiltTest> tests_;
  std::vector<std::string> run_;
  std::string progress_;
};

TEST_F(SequenceRunnerTest, EachTestLeavesItsResultAndNothingElse) {
  ExpectResumes({"a", "b", "c"});
}

TEST_F(SequenceRunnerTest, WhatHasAResultIsSkipped) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  std::filesystem::remove(folder_ / "b.pb.gz");
  ExpectResumes({"b"});
  EXPECT_THAT(progress_, AllOf(HasSubstr("2 of 3 tests have a result"), HasSubstr("[2/3] b")));
  ExpectResumes({});
}

TEST_F(SequenceRunnerTest, AStopKeepsWhatIsComplete) {
  const absl::Status status = RunAll([](const std::string& name, const std::string& path) {
    if (name != "b") return Succeed(name, path);
    WriteFile(path, "half of it");
    return absl::CancelledError("Ctrl-C");
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(status.message(), "Ctrl-C; 2 of 3 tests have no result yet: the same command goes on");
  EXPECT_THAT(Files(), ElementsAre("a.pb.gz"));
  ExpectResumes({"b", "c"});
}

TEST_F(SequenceRunnerTest, NothingBeginsOnceStopped) {
  SequenceRunOptions options;
  options.is_stopped = [this] { return std::filesystem::exists(folder_ / "a.pb.gz"); };
  EXPECT_EQ(RunAll(Succeed, options).code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(run_, ElementsAre("a"));
  ExpectResumes({"b", "c"});
}

TEST_F(SequenceRunnerTest, AFailedTestLeavesAFileApartAndTheOthersRun) {
  const absl::Status status = RunAll([](const std::string& name, const std::string& path) {
    Succeed(name, path).IgnoreError();
    return name == "b" ? absl::ResourceExhaustedError("overload") : absl::OkStatus();
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(), "1 of 3 tests failed:\n  b: overload");
  EXPECT_THAT(Files(), UnorderedElementsAre("a.pb.gz", "b.failed.pb.gz", "c.pb.gz"));
  ExpectResumes({"b"});
}

TEST_F(SequenceRunnerTest, WithoutAClusterNothingGoesOn) {
  const absl::Status status = RunAll([](const std::string&, const std::string&) {
    return absl::UnavailableError("no sequencer");
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(run_, ElementsAre("a"));
  EXPECT_THAT(Files(), IsEmpty());
  ExpectResumes({"a", "b", "c"});
}

// Where the program may be killed in the course of the second test.
using SequenceRunnerDeathTest = SequenceRunnerTest;

TEST_F(SequenceRunnerDeathTest, AKillBeforeTheResultLosesThatTestOnly) {
  EXPECT_EXIT(RunAll([](const std::string& name, const std::string& path) {
                if (name == "b") _exit(9);
                return Succeed(name, path);
              }).IgnoreError(),
              ::testing::ExitedWithCode(9), "");
  ExpectResumes({"b", "c"});
}

TEST_F(SequenceRunnerDeathTest, AKillWhileTheResultIsWrittenLosesThatTestOnly) {
  EXPECT_EXIT(RunAll([](const std::string& name, const std::string& path) {
                if (name != "b") return Succeed(name, path);
                // What a destination of results has beside its file.
                WriteFile(path, "half");
                WriteFile(path + ".partial.123", "half");
                WriteFile(path + ".records.123", "half");
                _exit(9);
              }).IgnoreError(),
              ::testing::ExitedWithCode(9), "");
  EXPECT_THAT(Files(), UnorderedElementsAre("a.pb.gz", "b.unfinished", "b.unfinished.partial.123",
                                            "b.unfinished.records.123"));
  ExpectResumes({"b", "c"});
}

TEST_F(SequenceRunnerTest, AHalfCompressedResultIsNoResult) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  const std::string whole = Contents(folder_ / "b.pb.gz");
  for (const size_t bytes : {size_t{0}, size_t{5}, whole.size() / 2, whole.size() - 1}) {
    std::filesystem::remove(folder_ / "b.pb.gz");
    WriteFile(folder_ / "b.unfinished", "result of b");
    WriteFile(folder_ / "b.unfinished.gz", whole.substr(0, bytes));
    ExpectResumes({"b"});
  }
}

TEST_F(SequenceRunnerTest, ADamagedResultIsRunAgain) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  const std::string whole = Contents(folder_ / "b.pb.gz");
  for (const size_t bytes : {size_t{0}, size_t{5}, whole.size() / 2, whole.size() - 1}) {
    WriteFile(folder_ / "b.pb.gz", whole.substr(0, bytes));
    ExpectResumes({"b"});
  }
}

TEST_F(SequenceRunnerTest, TheTimeThatIsLeftIsThatOfWhatIsMissing) {
  absl::Time now = absl::UnixEpoch();
  SequenceRunOptions options;
  options.now = [&now] { return now; };
  ASSERT_TRUE(RunAll(
                  [&now](const std::string& name, const std::string& path) {
                    now += absl::Seconds(15);
                    return Succeed(name, path);
                  },
                  options)
                  .ok());
  // 2 s around each of 10 s at first; then the 5 s that were seen.
  EXPECT_EQ(progress_,
            "[1/3] a; about 36 s left\n[2/3] b; about 30 s left\n[3/3] c; about 15 s left\n");
}

TEST_F(SequenceRunnerTest, OneProgramAtATimeHasTheFolder) {
  const auto files = ResultFiles::Open(folder_.string());
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT(ResultFiles::Open(folder_.string()).status().message(),
              HasSubstr("another test_builder"));
}

TEST_F(SequenceRunnerTest, AFileIsWrittenInOneGo) {
  const auto files = ResultFiles::Open((folder_ / "deeper").string());
  ASSERT_TRUE(files.ok()) << files.status();
  ASSERT_TRUE((*files)->Write("x.config", "one").ok());
  ASSERT_TRUE((*files)->Write("x.config", "two").ok());
  EXPECT_EQ(Contents(folder_ / "deeper" / "x.config"), "two");
  EXPECT_TRUE(HasFile((folder_ / "deeper").string(), "x.config"));
  EXPECT_THAT((*files)->Write("no/x.config", "").message(), HasSubstr("no/x.config"));
  EXPECT_THAT(ResultFiles::Open((folder_ / "deeper/x.config").string()).status().message(),
              HasSubstr("cannot write"));
}

}  // namespace
}  // namespace distbench
