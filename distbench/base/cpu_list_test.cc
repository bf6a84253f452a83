#include "distbench/base/cpu_list.h"

#include <string>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(CpuListTest, TextIsRangesInOrder) {
  const std::pair<const char*, const char*> cases[] = {
      {"0", "0"}, {"3,1,2", "1-3"}, {"0-3,8", "0-3,8"}, {"9-9,1", "1,9"}, {"6,4-5,0-1", "0-1,4-6"}};
  for (const auto& [text, canonical] : cases) {
    const absl::StatusOr<CpuList> cpus = CpuList::Parse(text);
    ASSERT_TRUE(cpus.ok()) << cpus.status();
    EXPECT_EQ(cpus->ToString(), canonical);
  }
  EXPECT_EQ(CpuList::Parse("0-3,8")->size(), 5u);
}

TEST(CpuListTest, WhatIsNoListIsRefusedByName) {
  for (const char* text : {"", "x", "1,", ",1", "3-1", "-1", "1-", "1-2-3", "0-1024", "99999999999",
                           "1;2", "0x1", "1.5"}) {
    const absl::StatusOr<CpuList> cpus = CpuList::Parse(text);
    EXPECT_EQ(cpus.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_TRUE(absl::StrContains(cpus.status().message(), absl::StrCat("\"", text, "\"")))
        << cpus.status();
  }
  EXPECT_EQ(CpuList::Parse("0-4,2").status().message(), "CPU 2 is twice in \"0-4,2\"");
}

// Affinity is the thread's own and inherited: each test changes that of a thread of its own.
template <typename Test>
void OnAnotherThread(Test test) {
  std::thread(test).join();
}

std::string AffinityOfNewThread() {
  std::string affinity;
  std::thread([&affinity] { affinity = CpuList::OfThisThread().ToString(); }).join();
  return affinity;
}

TEST(CpuListTest, AThreadThatIsConfinedStartsThreadsThatAre) {
  OnAnotherThread([] {
    const std::string last = absl::StrCat(CpuList::OfThisThread().cpus().back());
    ASSERT_TRUE(CpuList::Parse(last)->ConfineThisThread().ok());
    EXPECT_EQ(CpuList::OfThisThread().ToString(), last);
    EXPECT_EQ(AffinityOfNewThread(), last);
  });
}

TEST(CpuListTest, CpusThatMayNotBeUsedAreNamedAndNothingChanges) {
  OnAnotherThread([] {
    const std::string before = CpuList::OfThisThread().ToString();
    const absl::StatusOr<CpuList> cpus = CpuList::Parse("0,1022-1023");
    const absl::Status status = cpus->ConfineThisThread();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), absl::StrCat("CPU 1022, 1023 cannot be used; this process may run "
                                             "on ",
                                             before));
    EXPECT_EQ(CpuList::OfThisThread().ToString(), before);
  });
}

TEST(LoopPlacementTest, LoopsArePinnedToTheCpusInTurn) {
  const CpuList cpus = CpuList::OfThisThread();
  const LoopPlacement placement(cpus);
  EXPECT_TRUE(placement.pinned());
  for (size_t loop = 0; loop < 2 * cpus.size(); ++loop) {
    OnAnotherThread([&] {
      placement.EnterLoop(loop);
      EXPECT_EQ(CpuList::OfThisThread().ToString(), absl::StrCat(cpus.cpus()[loop % cpus.size()]));
    });
  }
}

TEST(LoopPlacementTest, AThreadStartedByALoopCanLeaveItsCpu) {
  const CpuList cpus = CpuList::OfThisThread();
  OnAnotherThread([placement = LoopPlacement(cpus), &cpus] {
    placement.EnterLoop(0);
    OnAnotherThread([&] {
      placement.LeaveLoops();
      EXPECT_EQ(CpuList::OfThisThread().ToString(), cpus.ToString());
    });
  });
}

TEST(LoopPlacementTest, WithoutAListNothingIsPinned) {
  OnAnotherThread([] {
    const std::string before = CpuList::OfThisThread().ToString();
    const LoopPlacement placement;
    EXPECT_FALSE(placement.pinned());
    placement.EnterLoop(0);
    EXPECT_EQ(CpuList::OfThisThread().ToString(), before);
    placement.LeaveLoops();
    EXPECT_EQ(CpuList::OfThisThread().ToString(), before);
  });
}

TEST(DefaultLoopCountTest, IsHalfOfTheCpusAndAtLeastOne) {
  const std::pair<const char*, size_t> cases[] = {
      {"5", 1}, {"0-1", 1}, {"0-2", 1}, {"0-3", 2}, {"0-63", 32}};
  for (const auto& [cpus, loops] : cases) {
    EXPECT_EQ(DefaultLoopCount(*CpuList::Parse(cpus)), loops) << cpus;
  }
}

}  // namespace
}  // namespace distbench
