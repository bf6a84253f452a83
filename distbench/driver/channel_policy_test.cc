#include "distbench/driver/channel_policy.h"

#include <string>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<ChannelPolicy> Parse(const std::string& text) {
  MultiServerChannel channel;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &channel)) << text;
  return ParseChannelSettings(channel);
}

std::string ErrorOf(const std::string& text) { return std::string(Parse(text).status().message()); }

TEST(ParseChannelSettingsTest, IsRoundRobinUnlessItSaysOtherwise) {
  EXPECT_EQ(*Parse(""), ChannelPolicy::kRoundRobin);
  EXPECT_EQ(*Parse("channel_settings { name: 'policy' string_value: 'round_robin' }"),
            ChannelPolicy::kRoundRobin);
  EXPECT_EQ(*Parse("channel_settings { name: 'policy' string_value: 'pick_first' }"),
            ChannelPolicy::kPickFirst);
}

TEST(ParseChannelSettingsTest, NamesWhatIsWrongAndTheNearestName) {
  EXPECT_THAT(ErrorOf("channel_settings { name: 'polciy' string_value: 'pick_first' }"),
              HasSubstr("'polciy' is no setting of a channel (did you mean 'policy'?)"));
  EXPECT_THAT(ErrorOf("channel_settings { name: 'policy' string_value: 'pick_frist' }"),
              HasSubstr("policy is 'pick_frist'; it can be round_robin or pick_first (did you mean "
                        "'pick_first'?)"));
  EXPECT_THAT(ErrorOf("channel_settings { name: 'policy' int64_value: 3 }"),
              HasSubstr("policy is 3; it can be"));
  const std::string twice = "channel_settings { name: 'policy' string_value: 'pick_first' } ";
  EXPECT_THAT(ErrorOf(twice + twice), HasSubstr("given twice"));
}

}  // namespace
}  // namespace distbench
