// The kinds of index that a compiled traffic config speaks in.
#ifndef DISTBENCH_BASE_INDICES_H_
#define DISTBENCH_BASE_INDICES_H_

#include "distbench/base/strong_index.h"

namespace distbench {

using ServiceIndex = StrongIndex<struct ServiceIndexTag>;    // position in `services`
using InstanceIndex = StrongIndex<struct InstanceIndexTag>;  // services in order, by rank
using RpcIndex = StrongIndex<struct RpcIndexTag>;            // position in `rpc_descriptions`
using ListIndex = StrongIndex<struct ListIndexTag>;          // position in `action_lists`
using ActionIndex = StrongIndex<struct ActionIndexTag>;      // position in one list's actions
using ActivityIndex = StrongIndex<struct ActivityIndexTag>;  // position in `activity_configs`
using TraceIndex = StrongIndex<struct TraceIndexTag>;        // position in `rpc_replay_traces`
using ChannelIndex = StrongIndex<struct ChannelIndexTag>;    // services' channels, in order

// One of the event loops that the engines of a process share.
using ShardIndex = StrongIndex<struct ShardIndexTag>;

}  // namespace distbench

#endif  // DISTBENCH_BASE_INDICES_H_
