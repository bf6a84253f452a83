#include "benchmarks/child_process.h"

#include <errno.h>
#include <signal.h>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

constexpr absl::Duration kSoon = absl::Seconds(60);

std::unique_ptr<ChildProcess> Shell(const std::string& script) {
  auto child = ChildProcess::Start({"/bin/sh", "-c", script});
  EXPECT_TRUE(child.ok()) << child.status();
  return *std::move(child);
}

TEST(ChildProcessTest, LinesGoBothWays) {
  const auto child = Shell("while read line; do echo \"got $line\"; echo; done");
  ASSERT_TRUE(child->WriteLine("one").ok());
  ASSERT_TRUE(child->WriteLine("two").ok());
  EXPECT_EQ(*child->ReadLine(kSoon), "got one");
  EXPECT_EQ(*child->ReadLine(kSoon), "");
  EXPECT_EQ(*child->ReadLine(kSoon), "got two");
}

TEST(ChildProcessTest, AnEndAndASilenceAreErrorsThatNameTheProgram) {
  const auto ended = Shell("exit 3")->ReadLine(kSoon);
  EXPECT_EQ(ended.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(absl::StrContains(ended.status().message(), "/bin/sh"));
  EXPECT_EQ(Shell("read line")->ReadLine(absl::ZeroDuration()).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(ChildProcessTest, WritingToOneThatHasEndedIsAnError) {
  const auto child = Shell("exit 0");
  ASSERT_FALSE(child->ReadLine(kSoon).ok());
  // A process that ends closes its ends one after the other.
  while (child->WriteLine("anybody there?").ok()) {
  }
}

TEST(ChildProcessTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_FALSE(ChildProcess::Start({"/nonexistent/program", "mode"}).ok());
}

TEST(ChildProcessTest, TheProcessGoesWithTheObject) {
  auto child = Shell("echo up; while true; do read line; done");
  ASSERT_EQ(*child->ReadLine(kSoon), "up");
  const pid_t pid = child->pid();
  EXPECT_EQ(kill(pid, 0), 0);
  child.reset();
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace distbench
