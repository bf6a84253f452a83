#include "distbench/node/traffic_run.h"

#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TrafficRunTest : public ::testing::Test {
 protected:
  TrafficRun::Options Engines(size_t count) {
    return {.engine_count = count,
            .on_overload = [this](const absl::Status& status) { overloads_.push_back(status); },
            .done = [this](const absl::Status& status) { outcomes_.push_back(status); }};
  }

  std::vector<absl::Status> overloads_;
  std::vector<absl::Status> outcomes_;
};

TEST_F(TrafficRunTest, EndsWithItsLastEngine) {
  TrafficRun run(Engines(2));
  run.OnEngineDone(absl::OkStatus());
  EXPECT_FALSE(run.has_ended());
  EXPECT_THAT(outcomes_, IsEmpty());
  run.OnEngineDone(absl::OkStatus());
  EXPECT_TRUE(run.has_ended());
  EXPECT_THAT(outcomes_, ElementsAre(absl::OkStatus()));
}

TEST_F(TrafficRunTest, EndsAtOnceWithoutEngines) {
  TrafficRun run(Engines(0));
  EXPECT_TRUE(run.has_ended());
  EXPECT_THAT(outcomes_, ElementsAre(absl::OkStatus()));
}

TEST_F(TrafficRunTest, KeepsTheFirstReasonButOverloadWins) {
  TrafficRun run(Engines(4));
  run.OnEngineDone(absl::CancelledError("first"));
  run.OnEngineDone(absl::ResourceExhaustedError("overload"));
  run.OnEngineDone(absl::ResourceExhaustedError("another overload"));
  run.OnEngineDone(absl::OkStatus());
  EXPECT_THAT(outcomes_, ElementsAre(absl::ResourceExhaustedError("overload")));
}

TEST_F(TrafficRunTest, TellsOfOverloadOnceAndBeforeTheEnd) {
  TrafficRun run(Engines(3));
  run.OnEngineDone(absl::ResourceExhaustedError("overload"));
  EXPECT_THAT(overloads_, ElementsAre(absl::ResourceExhaustedError("overload")));
  EXPECT_THAT(outcomes_, IsEmpty());
  run.OnEngineDone(absl::ResourceExhaustedError("overload"));
  EXPECT_EQ(overloads_.size(), 1u);
}

TEST_F(TrafficRunTest, CanBeGivenUpOnceOnly) {
  TrafficRun run(Engines(1));
  EXPECT_FALSE(run.WaitUntilEnded(absl::Now()));
  run.GiveUp(absl::CancelledError("gone"));
  run.GiveUp(absl::CancelledError("again"));
  run.OnEngineDone(absl::OkStatus());
  EXPECT_TRUE(run.WaitUntilEnded(absl::InfiniteFuture()));
  EXPECT_THAT(outcomes_, ElementsAre(absl::CancelledError("gone")));
}

}  // namespace
}  // namespace distbench
