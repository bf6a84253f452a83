// Iteration: one pass of an action: an RPC to all its targets, or one run of a list, an activity or
// a replay trace.
//
// An iteration that is a single RPC is that RPC, and nothing more is measured of it.
//
// In a closed loop an Iteration is a slot: when it ends, the next one starts in it.
#ifndef DISTBENCH_ENGINE_ITERATION_H_
#define DISTBENCH_ENGINE_ITERATION_H_

#include <cstdint>

namespace distbench {

class IterationLane;

struct Iteration {
  IterationLane* lane = nullptr;
  int64_t number = 0;             // within the action's run
  int64_t intended_start_ns = 0;  // open loop only
  int64_t start_ns = 0;           // only where its times are recorded
  int64_t previous_start_ns = 0;  // of the RPC that this slot started before; 0: none
  uint32_t outstanding = 0;       // calls or runs that have not ended
  bool warmup = false;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ITERATION_H_
