// RunContext: what running tests needs from outside. All borrowed; belongs to the runner's thread.
#ifndef DISTBENCH_SEQUENCER_RUN_CONTEXT_H_
#define DISTBENCH_SEQUENCER_RUN_CONTEXT_H_

#include <cstdint>
#include <functional>

#include "distbench/sequencer/node_calls.h"
#include "distbench/sequencer/node_pool.h"

namespace distbench {

class Provenance;

struct RunContext {
  CallContext calls;
  const NodePool& nodes;
  const Provenance& provenance;            // of this process
  std::function<uint64_t()> draw_64_bits;  // for seeds and names of runs
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_RUN_CONTEXT_H_
