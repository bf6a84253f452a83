// Names of random streams. A drawn value depends on where it is drawn (CounterRandom): on the seed,
// the instance, the list, its run, the action, the iteration and the target, in this order.
//
//   {seed, instance, list, run}      a run of a list
//     .Stream(kPredicates).Stream(predicate)
//     .Stream(kChoices).Stream(choice)
//     .Stream(action)                an action of it
//       .Stream(kActionDelay)
//       .Stream(kGaps)               between the arrivals of an open loop
//       .Stream(kResponseOverride)
//       .Stream(kSamplePriorities).Stream(iteration).Stream(target)
//       .Stream(iteration)           the targets of an iteration
//         .Stream(target)            one RPC, by its position among the targets
//           .Stream(kSizes)
//           .Stream(kCausalKeys)
//           .Stream(kPayloadStarts)
//         .Stream(kNestedRuns)       names the run of a list that the iteration runs
//   {seed, instance, kResponseSizes, rpc, request}
//
// A run is known by its number; of a list that runs for requests in a test with a seed by what
// caused the request, and of a list that an action runs by the iteration: so the order in which
// threads come to them changes nothing.
//
// No action, iteration or target has a number as high as these.
#ifndef DISTBENCH_ENGINE_RANDOM_STREAMS_H_
#define DISTBENCH_ENGINE_RANDOM_STREAMS_H_

#include <cstdint>

namespace distbench {

enum RandomStream : uint64_t {
  kGaps = 0xffff'ffff'ffff'ffff,
  kSamplePriorities = 0x8000'0000'0000'0001,
  kPredicates = 0x8000'0000'0000'0002,
  kActionDelay = 0x8000'0000'0000'0003,
  kResponseOverride = 0x8000'0000'0000'0004,
  kSizes = 0x8000'0000'0000'0005,
  kCausalKeys = 0x8000'0000'0000'0006,
  kNestedRuns = 0x8000'0000'0000'0007,
  kResponseSizes = 0x8000'0000'0000'0008,
  kChoices = 0x8000'0000'0000'0009,
  kPayloadStarts = 0x8000'0000'0000'000a,
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_RANDOM_STREAMS_H_
