#include "distbench/node/registration_renewal.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "distbench/testing/simulated_time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kSecondNs = 1'000'000'000;

class RegistrationRenewalTest : public ::testing::Test {
 protected:
  using Done = std::function<void(absl::StatusOr<NodeConfig>)>;

  std::unique_ptr<RegistrationRenewal> Start(absl::Duration period) {
    start_ns_ = time_.MonotonicNs();
    return std::make_unique<RegistrationRenewal>(RegistrationRenewalOptions{
        .clock = &time_,
        .timers = &time_,
        .sequencer = "head:10000",
        .period = period,
        .draw_unit = [this] { return unit_; },
        .ask =
            [this](Done done) {
              asked_s_.push_back(static_cast<double>(time_.MonotonicNs() - start_ns_) / kSecondNs);
              if (keeps_waiting_) {
                held_ = std::move(done);
              } else {
                done(answer_);
              }
            },
        .on_registered =
            [this](const NodeConfig& config) { aliases_.push_back(config.node_alias()); }});
  }

  static NodeConfig Config(const std::string& alias, std::optional<int64_t> period_ms = {}) {
    NodeConfig config;
    config.set_node_alias(alias);
    if (period_ms.has_value()) config.set_registration_period_ms(*period_ms);
    return config;
  }

  SimulatedTime time_;
  int64_t start_ns_ = 0;
  double unit_ = 0.5;
  absl::StatusOr<NodeConfig> answer_ = Config("node0");
  bool keeps_waiting_ = false;
  Done held_;
  std::vector<double> asked_s_;
  std::vector<std::string> aliases_;
};

TEST_F(RegistrationRenewalTest, AsksOnceAPeriodAndHandsOnEachAnswer) {
  const auto renewal = Start(absl::Seconds(5));
  time_.AdvanceBy(11 * kSecondNs);
  answer_ = Config("node3");
  time_.AdvanceBy(5 * kSecondNs);
  EXPECT_THAT(asked_s_, ElementsAre(5, 10, 15));
  EXPECT_THAT(aliases_, ElementsAre("node0", "node0", "node3"));
}

TEST_F(RegistrationRenewalTest, SpreadsFromHalfToOneAndAHalfPeriods) {
  unit_ = 0;
  const auto soonest = Start(absl::Seconds(10));
  unit_ = 0.75;
  const auto later = Start(absl::Seconds(10));
  time_.AdvanceBy(13 * kSecondNs);
  EXPECT_THAT(asked_s_, ElementsAre(5, 12.5));
}

TEST_F(RegistrationRenewalTest, TheSequencerSaysHowOften) {
  const auto renewal = Start(absl::Seconds(5));
  answer_ = Config("node0", 20'000);
  time_.AdvanceBy(50 * kSecondNs);
  EXPECT_THAT(asked_s_, ElementsAre(5, 25, 45));
}

TEST_F(RegistrationRenewalTest, NoWishOfASequencerMakesItRaceOrSleepForEver) {
  const auto renewal = Start(absl::Seconds(5));
  for (const int64_t senseless_ms : {int64_t{0}, int64_t{-7}, INT64_MIN, INT64_MAX}) {
    asked_s_.clear();
    answer_ = Config("node0", senseless_ms);
    time_.AdvanceBy(1200 * kSecondNs);
    EXPECT_GE(asked_s_.size(), 1u) << senseless_ms;
    EXPECT_LE(asked_s_.size(), 1201u) << senseless_ms;
  }
}

TEST_F(RegistrationRenewalTest, AsksMoreOftenWhileTheSequencerIsSilent) {
  const auto renewal = Start(absl::Seconds(10));
  answer_ = absl::UnavailableError("connection refused");
  time_.AdvanceBy(15 * kSecondNs);
  EXPECT_THAT(asked_s_, ElementsAre(10, 12, 14));
  answer_ = Config("node0");
  time_.AdvanceBy(15 * kSecondNs);
  EXPECT_THAT(asked_s_, ElementsAre(10, 12, 14, 16, 26));
}

TEST_F(RegistrationRenewalTest, ARefusalIsNotTheEnd) {
  const auto renewal = Start(absl::Seconds(5));
  answer_ = absl::InvalidArgumentError("node0 is worker-9");
  time_.AdvanceBy(11 * kSecondNs);
  EXPECT_THAT(asked_s_, ElementsAre(5, 10));
  EXPECT_TRUE(aliases_.empty());
}

TEST_F(RegistrationRenewalTest, OnlyChangesAreTold) {
  const auto renewal = Start(absl::Seconds(1));
  const auto told = [&](absl::StatusOr<NodeConfig> answer) {
    answer_ = std::move(answer);
    testing::internal::CaptureStderr();
    time_.AdvanceBy(10 * kSecondNs);
    return testing::internal::GetCapturedStderr();
  };
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(told(Config("node0")), "");
  const std::string lost = told(absl::UnavailableError("connection refused"));
  EXPECT_EQ(lines(lost), 1) << lost;
  EXPECT_THAT(lost, testing::HasSubstr("head:10000 does not answer"));
  const std::string refused = told(absl::InvalidArgumentError("node0 is worker-9"));
  EXPECT_EQ(lines(refused), 1) << refused;
  EXPECT_THAT(refused, testing::HasSubstr("node0 is worker-9"));
  const std::string back = told(Config("node0"));
  EXPECT_EQ(lines(back), 1) << back;
  EXPECT_THAT(back, testing::HasSubstr("again"));
}

TEST_F(RegistrationRenewalTest, AsksNoMoreOnceStopped) {
  const auto renewal = Start(absl::Seconds(5));
  time_.AdvanceBy(6 * kSecondNs);
  renewal->Stop();
  time_.AdvanceBy(60 * kSecondNs);
  EXPECT_THAT(asked_s_, ElementsAre(5));
}

TEST_F(RegistrationRenewalTest, AnAnswerAfterTheStopCountsForNothing) {
  keeps_waiting_ = true;
  const auto renewal = Start(absl::Seconds(5));
  time_.AdvanceBy(6 * kSecondNs);
  renewal->Stop();
  held_(Config("node9"));
  time_.AdvanceBy(60 * kSecondNs);
  EXPECT_TRUE(aliases_.empty());
  EXPECT_EQ(asked_s_.size(), 1u);
}

}  // namespace
}  // namespace distbench
