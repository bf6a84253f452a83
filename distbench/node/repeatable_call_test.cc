#include "distbench/node/repeatable_call.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RepeatableCallTest : public ::testing::Test {
 protected:
  std::function<void(absl::StatusOr<int>)> Collect() {
    return [this](absl::StatusOr<int> answer) { answers_.push_back(answer.value_or(-1)); };
  }

  RepeatableCall<int> call_;
  std::vector<int> answers_;
};

TEST_F(RepeatableCallTest, ARepeatGetsTheAnswerOfTheFirst) {
  call_.Begin("a", Collect())->Finish(1);
  EXPECT_EQ(call_.Begin("a", Collect()), nullptr);
  EXPECT_THAT(answers_, ElementsAre(1, 1));
}

TEST_F(RepeatableCallTest, ARepeatWaitsWithTheFirst) {
  auto ticket = call_.Begin("a", Collect());
  EXPECT_EQ(call_.Begin("a", Collect()), nullptr);
  EXPECT_THAT(answers_, IsEmpty());
  ticket->Finish(1);
  EXPECT_THAT(answers_, ElementsAre(1, 1));
}

TEST_F(RepeatableCallTest, AnErrorIsAnAnswerToo) {
  call_.Begin("a", Collect())->Finish(absl::InternalError("broken"));
  EXPECT_EQ(call_.Begin("a", Collect()), nullptr);
  EXPECT_THAT(answers_, ElementsAre(-1, -1));
}

TEST_F(RepeatableCallTest, AnotherIdIsAnotherCallAndTheOneBeforeStillEnds) {
  auto first = call_.Begin("a", Collect());
  auto second = call_.Begin("b", Collect());
  ASSERT_NE(second, nullptr);
  second->Finish(2);
  first->Finish(1);
  EXPECT_THAT(answers_, ElementsAre(2, 1));
}

TEST_F(RepeatableCallTest, CallsWithoutIdAreNeverTheSame) {
  call_.Begin("", Collect())->Finish(1);
  auto second = call_.Begin("", Collect());
  ASSERT_NE(second, nullptr);
  second->Finish(2);
  EXPECT_THAT(answers_, ElementsAre(1, 2));
}

}  // namespace
}  // namespace distbench
