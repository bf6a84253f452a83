// A picture of a test: who sends what to whom, how much and how often, in the DOT language of
// Graphviz.
//
//   services    boxes, with how many instances they have
//   RPCs        arrows from each service that sends one, in its own lists or for a request; what
//               nothing sends is left out
//   replays     dashed arrows
#ifndef DISTBENCH_EXPORT_TRAFFIC_GRAPH_H_
#define DISTBENCH_EXPORT_TRAFFIC_GRAPH_H_

#include <string>

namespace distbench {

class DistributedSystemDescription;
struct Plan;

// `plan` is that of the canonical `config`.
std::string DrawTraffic(const DistributedSystemDescription& config, const Plan& plan);

}  // namespace distbench

#endif  // DISTBENCH_EXPORT_TRAFFIC_GRAPH_H_
