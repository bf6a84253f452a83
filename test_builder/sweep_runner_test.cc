#include "test_builder/sweep_runner.h"

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
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

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
  using Script = std::function<Outcome(const std::string& name, const std::string& path)>;

  explicit ScriptedRunner(Script script) : script_(std::move(script)) {}

  Outcome Run(const TestSequence& sequence, const std::string& path) override {
    EXPECT_EQ(sequence.tests_size(), 1);
    names.push_back(sequence.tests(0).name());
    return script_(names.back(), path);
  }

  std::vector<std::string> names;

 private:
  const Script script_;
};

DistributedSystemDescription ConfigCalled(const std::string& name) {
  DistributedSystemDescription config;
  config.set_name(name);
  config.add_actions()->mutable_iterations()->set_max_duration_us(10'000'000);
  return config;
}

std::string ResultOf(const std::string& name) {
  TestSequenceResults results;
  TestResult& result = *results.add_test_results();
  *result.mutable_traffic_config() = ConfigCalled(name);
  *result.mutable_config_as_given() = ConfigCalled(name);
  result.add_log_summary("figures");
  return results.SerializeAsString();
}

TestRunner::Outcome Succeed(const std::string& name, const std::string& path) {
  WriteFile(path, ResultOf(name));
  return {.status = absl::OkStatus(), .summary = "figures of " + name + "\n"};
}

// Leaves half of a result.
TestRunner::Outcome Fail(absl::Status status, const std::string& path) {
  WriteFile(path, "half");
  return {.status = std::move(status)};
}

class SweepRunnerTest : public ::testing::Test {
 protected:
  SweepRunnerTest()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
    for (const char* name : {"a", "b", "c"}) {
      BuiltTest test{.name = name, .file_stem = name};
      test.config = ConfigCalled(name);
      tests_.push_back(test);
    }
  }

  absl::Status RunAll(const ScriptedRunner::Script& script, const SweepRunOptions& options = {}) {
    ScriptedRunner runner(script);
    const auto files = Open();
    EXPECT_TRUE(files.ok()) << files.status();
    std::ostringstream progress;
    summaries_.str("");
    const auto is_complete = FindComplete(tests_, folder_.string(), progress, options);
    const absl::Status status = is_complete.ok() ? RunSweep(tests_, *is_complete, runner, **files,
                                                            summaries_, progress, options)
                                                 : is_complete.status();
    run_ = runner.names;
    progress_ = progress.str();
    return status;
  }

  absl::StatusOr<std::unique_ptr<ResultFiles>> Open() const {
    std::vector<std::string> stems;
    for (const BuiltTest& test : tests_) stems.push_back(test.file_stem);
    return ResultFiles::Open(folder_.string(), stems);
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
      EXPECT_EQ(Inflated(Contents(folder_ / absl::StrCat(name, ".pb.gz"))), ResultOf(name));
    }
  }

  const std::filesystem::path folder_;
  std::vector<BuiltTest> tests_;
  std::vector<std::string> run_;
  std::ostringstream summaries_;
  std::string progress_;
};

TEST_F(SweepRunnerTest, EachTestLeavesItsResultAndNothingElse) { ExpectResumes({"a", "b", "c"}); }

TEST_F(SweepRunnerTest, WhatHasAResultIsSkipped) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  std::filesystem::remove(folder_ / "b.pb.gz");
  ExpectResumes({"b"});
  EXPECT_THAT(progress_, AllOf(HasSubstr("2 of 3 tests have a result"), HasSubstr("[2/3] b")));
  ExpectResumes({});
}

TEST_F(SweepRunnerTest, EachSummaryFollowsTheNameOfItsTest) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  EXPECT_EQ(summaries_.str(),
            "Test: a\nfigures of a\nTest: b\nfigures of b\nTest: c\nfigures of c\n");
}

TEST_F(SweepRunnerTest, SummariesThatCannotBeWrittenAreToldOnceAndStopNothing) {
  summaries_.setstate(std::ios::badbit);
  EXPECT_TRUE(RunAll(Succeed).ok());
  EXPECT_THAT(run_, ElementsAre("a", "b", "c"));
  const std::string told = "summaries cannot be written any more";
  EXPECT_EQ(progress_.rfind(told), progress_.find(told));
  EXPECT_THAT(progress_, HasSubstr(told));
}

TEST_F(SweepRunnerTest, AStopKeepsWhatIsComplete) {
  const absl::Status status = RunAll([](const std::string& name, const std::string& path) {
    TestRunner::Outcome outcome = Succeed(name, path);
    if (name != "b") return outcome;
    outcome.status = absl::CancelledError("Ctrl-C");
    outcome.ends_sweep = true;
    return outcome;
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(status.message(), "Ctrl-C; 2 of 3 tests have no result yet: the same command goes on");
  EXPECT_THAT(Files(), ElementsAre("a.pb.gz"));
  EXPECT_EQ(summaries_.str(), "Test: a\nfigures of a\n");
  ExpectResumes({"b", "c"});
}

TEST_F(SweepRunnerTest, NothingBeginsOnceStopped) {
  SweepRunOptions options;
  options.is_stopped = [this] { return std::filesystem::exists(folder_ / "a.pb.gz"); };
  EXPECT_EQ(RunAll(Succeed, options).code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(run_, ElementsAre("a"));
  ExpectResumes({"b", "c"});
}

TEST_F(SweepRunnerTest, AFailedTestLeavesAFileApartAndTheOthersRun) {
  // UNAVAILABLE is what a lost node is, which others may do without.
  for (const absl::StatusCode code :
       {absl::StatusCode::kResourceExhausted, absl::StatusCode::kUnavailable}) {
    std::filesystem::remove_all(folder_);
    const absl::Status status = RunAll([&](const std::string& name, const std::string& path) {
      return name == "b" ? Fail(absl::Status(code, "why"), path) : Succeed(name, path);
    });
    EXPECT_EQ(status, absl::Status(code, "1 of 3 tests failed:\n  b"));
    EXPECT_THAT(progress_, HasSubstr("\nb: why; b.failed.pb.gz has what there is\n"));
    EXPECT_THAT(Files(), UnorderedElementsAre("a.pb.gz", "b.failed.pb.gz", "c.pb.gz"));
  }
  ExpectResumes({"b"});
}

TEST_F(SweepRunnerTest, RecordsOfWhatIsTooLargeAreKept) {
  const auto run = [](const std::string& name, const std::string& path) {
    if (name != "b") return Succeed(name, path);
    WriteFile(path + ".records.123", "records");
    return TestRunner::Outcome{.status = absl::ResourceExhaustedError("too large"),
                               .records_path = path + ".records.123"};
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(RunAll(run).code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(progress_, HasSubstr("b: too large; b.failed.records has what there is\n"));
    EXPECT_THAT(Files(), UnorderedElementsAre("a.pb.gz", "b.failed.records", "c.pb.gz"));
    EXPECT_EQ(Contents(folder_ / "b.failed.records"), "records");
  }
  ExpectResumes({"b"});
}

TEST_F(SweepRunnerTest, WithoutAClusterNothingGoesOn) {
  const absl::Status status = RunAll([](const std::string&, const std::string&) {
    return TestRunner::Outcome{.status = absl::UnavailableError("no sequencer"),
                               .ends_sweep = true};
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(run_, ElementsAre("a"));
  EXPECT_THAT(Files(), IsEmpty());
  ExpectResumes({"a", "b", "c"});
}

TEST_F(SweepRunnerTest, WhereResultsCannotBeWrittenNothingGoesOnOrStays) {
  // A name that is taken stands for a disk that is full.
  std::filesystem::create_directories(folder_ / "b.unfinished.gz");
  const absl::Status kept = RunAll(Succeed);
  EXPECT_THAT(std::string(kept.message()),
              AllOf(HasSubstr("cannot write"), HasSubstr("b.unfinished.gz"),
                    HasSubstr("2 of 3 tests have no result yet")));
  EXPECT_THAT(run_, ElementsAre("a", "b"));
  EXPECT_THAT(Files(), UnorderedElementsAre("a.pb.gz", "b.unfinished.gz"));
  const absl::Status failed = RunAll([](const std::string&, const std::string& path) {
    return Fail(absl::DeadlineExceededError("too slow"), path);
  });
  EXPECT_EQ(failed.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(failed.message()), StartsWith("too slow; cannot write "));
  EXPECT_THAT(run_, ElementsAre("b"));
  EXPECT_THAT(Files(), UnorderedElementsAre("a.pb.gz", "b.unfinished.gz"));
}

// Where the program may be killed in the course of the second test.
using SweepRunnerDeathTest = SweepRunnerTest;

TEST_F(SweepRunnerDeathTest, AKillBeforeTheResultLosesThatTestOnly) {
  EXPECT_EXIT(RunAll([](const std::string& name, const std::string& path) {
                if (name == "b") _exit(9);
                return Succeed(name, path);
              }).IgnoreError(),
              ::testing::ExitedWithCode(9), "");
  ExpectResumes({"b", "c"});
}

TEST_F(SweepRunnerDeathTest, AKillWhileTheResultIsWrittenLosesThatTestOnly) {
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

TEST_F(SweepRunnerTest, AHalfCompressedResultIsNoResult) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  const std::string whole = Contents(folder_ / "b.pb.gz");
  for (const size_t bytes : {size_t{0}, size_t{5}, whole.size() / 2, whole.size() - 1}) {
    std::filesystem::remove(folder_ / "b.pb.gz");
    WriteFile(folder_ / "b.unfinished", ResultOf("b"));
    WriteFile(folder_ / "b.unfinished.gz", whole.substr(0, bytes));
    ExpectResumes({"b"});
  }
}

TEST_F(SweepRunnerTest, ADamagedResultIsRunAgain) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  const std::string whole = Contents(folder_ / "b.pb.gz");
  for (const size_t bytes : {size_t{0}, size_t{5}, whole.size() / 2, whole.size() - 1}) {
    WriteFile(folder_ / "b.pb.gz", whole.substr(0, bytes));
    ExpectResumes({"b"});
    EXPECT_THAT(progress_, AllOf(StartsWith("checking the results that are there: 3\n"),
                                 HasSubstr("b.pb.gz: it is truncated: "),
                                 HasSubstr("; its test is to be run again\n2 of 3 tests")));
  }
}

TEST_F(SweepRunnerTest, TheResultOfAnotherTestIsAnErrorAndNothingRuns) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  tests_[1].config.set_seed(7);
  const absl::Status status = RunAll(Succeed);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("b.pb.gz is the result of a test with"));
  EXPECT_THAT(run_, IsEmpty());
}

TEST_F(SweepRunnerTest, ADamagedResultStaysUntilThereIsAnother) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  WriteFile(folder_ / "b.pb.gz", "damaged");
  EXPECT_FALSE(RunAll([](const std::string&, const std::string& path) {
                 return Fail(absl::UnavailableError("node1 was lost"), path);
               }).ok());
  EXPECT_EQ(Contents(folder_ / "b.pb.gz"), "damaged");
  ExpectResumes({"b"});
}

TEST_F(SweepRunnerTest, AResultThatCannotBeReadIsAnErrorAndStays) {
  std::filesystem::create_directories(folder_ / "b.pb.gz");
  std::filesystem::create_symlink("c.pb.gz", folder_ / "c.pb.gz");
  for (const char* name : {"b.pb.gz", "c.pb.gz"}) {
    const absl::Status status = RunAll(Succeed);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("cannot read "), HasSubstr(name), HasSubstr("move it away")));
    EXPECT_THAT(run_, IsEmpty());
    EXPECT_THAT(Files(), Contains(name));
    std::filesystem::remove(folder_ / name);
  }
  ExpectResumes({"a", "b", "c"});
}

TEST_F(SweepRunnerTest, AStopIsHeardWhileResultsAreChecked) {
  ASSERT_TRUE(RunAll(Succeed).ok());
  SweepRunOptions options;
  options.is_stopped = [] { return true; };
  EXPECT_EQ(RunAll(Succeed, options).code(), absl::StatusCode::kCancelled);
}

TEST_F(SweepRunnerTest, OnlyWhatTheseTestsLeftUnfinishedIsRemoved) {
  tests_[1].file_stem = "my.unfinished-b";
  std::filesystem::create_directories(folder_);
  const std::vector<std::string> others = {
      "d.unfinished",     "a.unfinished.notes",      "a.unfinished.partial.",
      "my.unfinished.gz", "a.unfinished.partial.1x", "my.unfinished-b.pb.gz",
      "a.unfinished-b"};
  for (const std::string& name : others) WriteFile(folder_ / name, "x");
  for (const char* name : {"a.unfinished", "a.unfinished.gz", "my.unfinished-b.unfinished",
                           "c.unfinished.partial.12", "c.unfinished.records.12"}) {
    WriteFile(folder_ / name, "x");
  }
  ASSERT_TRUE(Open().ok());
  EXPECT_THAT(Files(), UnorderedElementsAreArray(others));
}

TEST_F(SweepRunnerTest, TheTimeThatIsLeftIsThatOfWhatIsMissing) {
  absl::Time now = absl::UnixEpoch();
  SweepRunOptions options;
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

TEST_F(SweepRunnerTest, WhatFailedTellsNothingOfTheTimeThatIsLeft) {
  absl::Time now = absl::UnixEpoch();
  SweepRunOptions options;
  options.now = [&now] { return now; };
  const absl::Status status = RunAll(
      [&now](const std::string& name, const std::string& path) {
        if (name == "a") return Fail(absl::InternalError("at once"), path);
        now += absl::Seconds(15);
        return Succeed(name, path);
      },
      options);
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(progress_, AllOf(HasSubstr("[1/3] a; about 36 s left\n"),
                               HasSubstr("[2/3] b; about 24 s left\n"),
                               HasSubstr("[3/3] c; about 15 s left\n")));
}

TEST_F(SweepRunnerTest, TestsThatEndBeforeTheirTimeLeaveNoNegativeTime) {
  tests_[1].config.mutable_actions(0)->mutable_iterations()->set_max_duration_us(2'000'000);
  absl::Time now = absl::UnixEpoch();
  SweepRunOptions options;
  options.now = [&now] { return now; };
  const auto in_a_second = [&now](const std::string& name, const std::string& path) {
    now += absl::Seconds(1);
    return Succeed(name, path);
  };
  ASSERT_TRUE(RunAll(in_a_second, options).ok());
  // 9 s less than the 10 s of the third; of the second nothing would be left.
  EXPECT_THAT(progress_, HasSubstr("[2/3] b; about 1 s left\n"));
}

TEST_F(SweepRunnerTest, OneProgramAtATimeHasTheFolder) {
  const auto files = Open();
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT(std::string(Open().status().message()), HasSubstr("another test_builder"));
}

TEST_F(SweepRunnerTest, AFileIsWrittenInOneGo) {
  const auto files = ResultFiles::Open((folder_ / "deeper").string(), {});
  ASSERT_TRUE(files.ok()) << files.status();
  ASSERT_TRUE((*files)->Write("x.config", "one").ok());
  ASSERT_TRUE((*files)->Write("x.config", "two").ok());
  EXPECT_EQ(Contents(folder_ / "deeper" / "x.config"), "two");
  EXPECT_TRUE(HasFile((folder_ / "deeper").string(), "x.config"));
  EXPECT_THAT((*files)->Write("no/x.config", "").message(), HasSubstr("no/x.config"));
  EXPECT_THAT(ResultFiles::Open((folder_ / "deeper/x.config").string(), {}).status().message(),
              HasSubstr("cannot write"));
}

}  // namespace
}  // namespace distbench
