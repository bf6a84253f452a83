#include "distbench/cli/cpu_flags.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/cli/flag_set.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// What the flags do, on a thread of their own, since they change it.
struct Outcome {
  absl::Status status;
  EventLoops loops;
  std::string affinity;  // of the thread afterwards
};

Outcome Apply(const std::vector<std::string>& arguments) {
  Outcome outcome;
  std::thread([&] {
    CpuFlags cpu_flags;
    FlagSet flags;
    cpu_flags.Declare(&flags);
    outcome.status = flags.Parse(arguments).status();
    if (outcome.status.ok()) outcome.status = cpu_flags.Check();
    if (outcome.status.ok()) {
      const absl::StatusOr<EventLoops> loops = cpu_flags.Apply();
      outcome.status = loops.status();
      if (loops.ok()) outcome.loops = *loops;
    }
    outcome.affinity = CpuList::OfThisThread().ToString();
  }).join();
  return outcome;
}

TEST(CpuFlagsTest, WithoutFlagsThereAreLoopsForHalfOfTheUsableCpusAndNoneIsPinned) {
  const CpuList usable = CpuList::OfThisThread();
  const Outcome outcome = Apply({});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.loops.shards, DefaultLoopCount(usable));
  EXPECT_FALSE(outcome.loops.placement.pinned());
  EXPECT_EQ(outcome.affinity, usable.ToString());
}

TEST(CpuFlagsTest, CpusConfineTheProcessPinItsLoopsAndCountThem) {
  const std::string last = absl::StrCat(CpuList::OfThisThread().cpus().back());
  const Outcome outcome = Apply({absl::StrCat("--cpus=", last)});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.loops.shards, 1u);
  EXPECT_TRUE(outcome.loops.placement.pinned());
  EXPECT_EQ(outcome.affinity, last);
}

TEST(CpuFlagsTest, ShardsNeedNotBeAsManyAsCpus) {
  const Outcome outcome = Apply({"--shards=7"});
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.loops.shards, 7u);
  EXPECT_FALSE(outcome.loops.placement.pinned());
}

TEST(CpuFlagsTest, WhatCannotBeIsRefusedWithFlagValueAndRemedy) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--shards=0",
       "--shards=0: expected 1 to 1024; leave it out for one event loop for every two CPUs"},
      {"--shards=-2",
       "--shards=-2: expected 1 to 1024; leave it out for one event loop for every two CPUs"},
      {"--shards=1025",
       "--shards=1025: expected 1 to 1024; leave it out for one event loop for every two CPUs"},
      {"--shards=many", "--shards=many: expected N"},
      {"--cpus=0-", "--cpus: \"0-\" in \"0-\" is no CPU or range of CPUs; expected 0-3,8"},
      {"--cpus=1,1", "--cpus: CPU 1 is twice in \"1,1\""},
      {"--cpus=1023", absl::StrCat("--cpus=1023: CPU 1023 cannot be used; this process may run on ",
                                   CpuList::OfThisThread().ToString())},
  };
  for (const auto& [argument, message] : cases) {
    const Outcome outcome = Apply({argument});
    EXPECT_EQ(outcome.status.code(), absl::StatusCode::kInvalidArgument) << argument;
    EXPECT_EQ(outcome.status.message(), message);
    EXPECT_EQ(outcome.affinity, CpuList::OfThisThread().ToString());
  }
}

}  // namespace
}  // namespace distbench
