// ChannelPolicy: how a multi-server channel picks the instance that a call goes to. Pure.
#ifndef DISTBENCH_DRIVER_CHANNEL_POLICY_H_
#define DISTBENCH_DRIVER_CHANNEL_POLICY_H_

#include "absl/status/statusor.h"

namespace distbench {

class MultiServerChannel;

enum class ChannelPolicy {
  kRoundRobin,  // each of those that are connected in turn
  kPickFirst,   // the first that is connected, in the order of the members, as long as it is
};

// The setting `policy` of the channel, the only one that there is: `round_robin` or `pick_first`.
// The error names the setting, its value and what is accepted.
absl::StatusOr<ChannelPolicy> ParseChannelSettings(const MultiServerChannel& channel);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_CHANNEL_POLICY_H_
