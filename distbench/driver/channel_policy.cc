#include "distbench/driver/channel_policy.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr char kPolicy[] = "policy";
constexpr char kRoundRobin[] = "round_robin";
constexpr char kPickFirst[] = "pick_first";

absl::StatusOr<ChannelPolicy> ParsePolicy(const NamedSetting& setting) {
  const std::string& value = setting.string_value();
  if (value == kRoundRobin) return ChannelPolicy::kRoundRobin;
  if (value == kPickFirst) return ChannelPolicy::kPickFirst;
  const std::string text =
      setting.has_int64_value() ? absl::StrCat(setting.int64_value()) : Quoted(value);
  return absl::InvalidArgumentError(
      absl::StrCat("channel_settings policy is ", text, "; it can be ", kRoundRobin, " or ",
                   kPickFirst, NearestNameHint(value, {kRoundRobin, kPickFirst})));
}

}  // namespace

absl::StatusOr<ChannelPolicy> ParseChannelSettings(const MultiServerChannel& channel) {
  std::optional<ChannelPolicy> policy;
  for (const NamedSetting& setting : channel.channel_settings()) {
    if (setting.name() != kPolicy) {
      return absl::InvalidArgumentError(absl::StrCat(Quoted(setting.name()),
                                                     " is no setting of a channel",
                                                     NearestNameHint(setting.name(), {kPolicy})));
    }
    if (policy.has_value()) {
      return absl::InvalidArgumentError("channel_settings policy is given twice; keep one");
    }
    const absl::StatusOr<ChannelPolicy> parsed = ParsePolicy(setting);
    if (!parsed.ok()) return parsed.status();
    policy = *parsed;
  }
  return policy.value_or(ChannelPolicy::kRoundRobin);
}

}  // namespace distbench
