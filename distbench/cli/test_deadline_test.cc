#include "distbench/cli/test_deadline.h"

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// A sequence of tests with these timeouts; empty: none of its own.
TestSequence WithTimeouts(const std::vector<std::string>& timeouts) {
  TestSequence sequence;
  for (const std::string& timeout : timeouts) {
    auto* test = sequence.add_tests();
    if (!timeout.empty()) (*test->mutable_attributes())["test_timeout"] = timeout;
  }
  return sequence;
}

absl::Duration Deadline(const TestSequence& sequence) {
  auto deadline = SequenceDeadline(sequence);
  EXPECT_TRUE(deadline.ok()) << deadline.status();
  return deadline.value_or(absl::ZeroDuration());
}

TEST(SequenceDeadlineTest, AddsUpTheTimeoutsOfTheTests) {
  EXPECT_EQ(Deadline(WithTimeouts({"60", "2.5"})) - Deadline(WithTimeouts({"1", "1"})),
            absl::Seconds(60.5));
}

TEST(SequenceDeadlineTest, IsAnHourIfATestDoesNotSayItsTimeout) {
  EXPECT_EQ(Deadline(WithTimeouts({"60", ""})) - Deadline(WithTimeouts({"1", "1"})),
            absl::Hours(1) - absl::Seconds(2));
}

TEST(SequenceDeadlineTest, LeavesTimeToDeliverWhatTimedOutTestsMeasured) {
  EXPECT_GT(Deadline(WithTimeouts({"60"})), absl::Seconds(65));
  EXPECT_GT(Deadline(WithTimeouts({"60", "60", "60"})), absl::Seconds(3 * 65));
}

TEST(SequenceDeadlineTest, TimeoutThatIsNoPositiveNumberIsAnError) {
  EXPECT_FALSE(SequenceDeadline(WithTimeouts({"soon"})).ok());
  EXPECT_FALSE(SequenceDeadline(WithTimeouts({"-1"})).ok());
}

TEST(SetTestTimeoutsTest, ReplacesTheTimeoutOfEveryTest) {
  TestSequence sequence = WithTimeouts({"60", ""});
  SetTestTimeouts(absl::Milliseconds(1500), &sequence);
  for (const auto& test : sequence.tests()) {
    EXPECT_EQ(test.attributes().at("test_timeout"), "1.5");
  }
}

}  // namespace
}  // namespace distbench
