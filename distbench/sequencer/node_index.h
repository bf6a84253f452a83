// The kind of index that one test's nodes are known by.
#ifndef DISTBENCH_SEQUENCER_NODE_INDEX_H_
#define DISTBENCH_SEQUENCER_NODE_INDEX_H_

#include "distbench/base/strong_index.h"

namespace distbench {

// Position in a list of nodes, in the order of their numbers. It is not a node's number: numbers
// may have gaps.
using NodeIndex = StrongIndex<struct NodeIndexTag>;

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_NODE_INDEX_H_
