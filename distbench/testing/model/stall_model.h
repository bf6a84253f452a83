// MayStall: whether a config's requests could wait for each other for ever.
//
// Who is served in turn waits for those before it, and whoever sends one-way messages waits while
// as many are on their way as the driver lets go: a list that holds such a turn, or whose message
// is counted, and waits for a like one may wait in a circle. A pool's turns are of one RPC alone,
// and lists lead from one to the next without ever coming back. Independent of the compiler and the
// engine. For configs that compile and in which no list reaches itself.
#ifndef DISTBENCH_TESTING_MODEL_STALL_MODEL_H_
#define DISTBENCH_TESTING_MODEL_STALL_MODEL_H_

#include <cstdint>

#include "protos/traffic_config.pb.h"

namespace distbench::model {

// One-way messages of each instance that the driver "fake" lets go at a time.
inline constexpr int64_t kOneWayWindow = 64;

// On the safe side: true where it cannot be told.
bool MayStall(const DistributedSystemDescription& config);

}  // namespace distbench::model

#endif  // DISTBENCH_TESTING_MODEL_STALL_MODEL_H_
