// Order and cycles of a directed graph whose nodes are numbered from 0. Pure functions.
#ifndef DISTBENCH_CONFIG_DEPENDENCY_GRAPH_H_
#define DISTBENCH_CONFIG_DEPENDENCY_GRAPH_H_

#include <cstdint>
#include <vector>

namespace distbench {

// successors[n]: the nodes that n has an edge to, all below successors.size().
using DependencyGraph = std::vector<std::vector<uint32_t>>;

// All nodes, each after its predecessors and otherwise by number: a graph that is in order already
// gives 0, 1, 2, ... Empty if there is a cycle.
std::vector<uint32_t> TopologicalOrder(const DependencyGraph& successors);

// Cycles of the graph, each as the nodes along it from its smallest number. No two share a node,
// and none are returned only if there are none; where cycles overlap, one of them is returned.
std::vector<std::vector<uint32_t>> DisjointCycles(const DependencyGraph& successors);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_DEPENDENCY_GRAPH_H_
