#include "distbench/cli/termination_signal.h"

#include <signal.h>
#include <unistd.h>

#include <functional>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

void SignalThisProcess(int signal) { ASSERT_EQ(kill(getpid(), signal), 0); }

TEST(TerminationSignalTest, FirstSignalRunsTheActionInsteadOfEndingTheProcess) {
  for (const int signal : {SIGINT, SIGTERM}) {
    TerminationSignal termination;
    absl::Notification acted;
    termination.OnSignal([&acted] { acted.Notify(); });
    EXPECT_FALSE(termination.requested());
    SignalThisProcess(signal);
    acted.WaitForNotification();
    EXPECT_TRUE(termination.requested());
  }
}

TEST(TerminationSignalTest, ActionSetAfterTheSignalRunsAtOnce) {
  TerminationSignal termination;
  absl::Notification acted;
  termination.OnSignal([&acted] { acted.Notify(); });
  SignalThisProcess(SIGINT);
  acted.WaitForNotification();
  bool late_action_ran = false;
  termination.OnSignal([&late_action_ran] { late_action_ran = true; });
  EXPECT_TRUE(late_action_ran);
}

TEST(TerminationSignalTest, OnlyTheLastActionRuns) {
  TerminationSignal termination;
  bool former_ran = false;
  absl::Notification acted;
  termination.OnSignal([&former_ran] { former_ran = true; });
  termination.OnSignal([&acted] { acted.Notify(); });
  SignalThisProcess(SIGINT);
  acted.WaitForNotification();
  termination.OnSignal(nullptr);
  EXPECT_FALSE(former_ran);
}

TEST(TerminationSignalTest, SecondSignalRunsItsActionWhereThereIsOne) {
  TerminationSignal termination;
  absl::Notification first, second;
  termination.OnSignal([&first] { first.Notify(); }, [&second] { second.Notify(); });
  SignalThisProcess(SIGINT);
  first.WaitForNotification();
  EXPECT_FALSE(second.HasBeenNotified());
  SignalThisProcess(SIGINT);
  second.WaitForNotification();
}

TEST(TerminationSignalDeathTest, SignalAfterTheSecondActionEndsTheProcess) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        TerminationSignal termination;
        absl::Notification first;
        absl::Notification second;
        absl::Notification never;
        termination.OnSignal([&first] { first.Notify(); }, [&second] { second.Notify(); });
        SignalThisProcess(SIGINT);
        first.WaitForNotification();
        SignalThisProcess(SIGINT);
        second.WaitForNotification();
        SignalThisProcess(SIGTERM);
        never.WaitForNotification();
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(TerminationSignalDeathTest, SecondSignalEndsTheProcessOnceItsActionIsForgotten) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        TerminationSignal termination;
        absl::Notification first;
        absl::Notification never;
        termination.OnSignal([&first] { first.Notify(); }, [] {});
        SignalThisProcess(SIGINT);
        first.WaitForNotification();
        termination.OnSignal(nullptr);
        SignalThisProcess(SIGTERM);
        never.WaitForNotification();
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(TerminationSignalDeathTest, SecondSignalEndsTheProcess) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        TerminationSignal termination;
        absl::Notification never;
        termination.OnSignal([&never] {
          SignalThisProcess(SIGTERM);
          never.WaitForNotification();
        });
        SignalThisProcess(SIGINT);
        never.WaitForNotification();
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(TerminationSignalDeathTest, SecondSignalEndsTheProcessAlsoAfterAnActionThatIsDone) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        TerminationSignal termination;
        absl::Notification first;
        absl::Notification never;
        termination.OnSignal([&first] { first.Notify(); });
        SignalThisProcess(SIGINT);
        first.WaitForNotification();
        termination.OnSignal(nullptr);  // returns when the action is done
        SignalThisProcess(SIGTERM);
        never.WaitForNotification();
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

// As they are by what a shell script starts with `&`.
void IgnoreSignals() {
  for (const int number : {SIGINT, SIGTERM}) ASSERT_NE(signal(number, SIG_IGN), SIG_ERR);
}

TEST(TerminationSignalDeathTest, SecondSignalEndsAProcessThatIgnoredItBefore) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const bool had_second_action : {false, true}) {
    EXPECT_EXIT(
        {
          IgnoreSignals();
          TerminationSignal termination;
          absl::Notification first;
          absl::Notification never;
          termination.OnSignal([&first] { first.Notify(); },
                               had_second_action ? [] {} : std::function<void()>());
          SignalThisProcess(SIGINT);
          first.WaitForNotification();
          termination.OnSignal(nullptr);
          SignalThisProcess(SIGTERM);
          never.WaitForNotification();
        },
        ::testing::KilledBySignal(SIGTERM), "")
        << had_second_action;
  }
}

TEST(TerminationSignalDeathTest, WhatWasIgnoredBeforeIsIgnoredAgainAfterwards) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        IgnoreSignals();
        { TerminationSignal termination; }
        SignalThisProcess(SIGINT);
        SignalThisProcess(SIGTERM);
        _exit(7);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST(TerminationSignalDeathTest, SignalsEndTheProcessAgainWhenNobodyTakesThem) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        { TerminationSignal termination; }
        SignalThisProcess(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace distbench
