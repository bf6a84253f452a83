// Matching: nodes for those who seek one. Each seeker gets one of the nodes that it may take, each
// node goes to one seeker at most, and as few as possible go without.
//
// Pure.
#ifndef DISTBENCH_SEQUENCER_MATCHING_H_
#define DISTBENCH_SEQUENCER_MATCHING_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "distbench/base/strong_index.h"
#include "distbench/sequencer/node_index.h"

namespace distbench {

using SeekerIndex = StrongIndex<struct SeekerIndexTag>;

// Who may take which nodes.
struct NodeChoices {
  size_t nodes = 0;
  // Of each seeker. Borrowed, so that those who may take the same nodes share the list of them.
  IndexedVector<SeekerIndex, absl::Span<const NodeIndex>> of;
};

struct Matching {
  explicit Matching(const NodeChoices& choices)
      : node_of(choices.of.size()), seeker_of(choices.nodes) {}

  void Assign(SeekerIndex seeker, NodeIndex node) {
    node_of[seeker] = node;
    seeker_of[node] = seeker;
  }

  IndexedVector<SeekerIndex, std::optional<NodeIndex>> node_of;
  IndexedVector<NodeIndex, std::optional<SeekerIndex>> seeker_of;
};

// Each seeker in order takes the first node of its choices that nobody has yet.
Matching GreedyMatching(const NodeChoices& choices);

// A matching with the most seekers that there can be. It grows `start`: whoever has a node there
// has one afterwards, another one only where somebody else needed it. The same arguments give the
// same matching.
//
// Time: O(E sqrt(V)) for E choices of V seekers and nodes.
Matching MaximumMatching(const NodeChoices& choices, Matching start);

// Seekers who may take no nodes but these, which are one fewer than they are.
struct Competition {
  std::vector<SeekerIndex> seekers;  // ascending
  std::vector<NodeIndex> nodes;      // ascending
};

// Why `unmatched`, who has no node in the maximum matching, can have none. Nobody in the
// competition is superfluous: without any one of its seekers the others would all get a node.
Competition CompetitionOf(const NodeChoices& choices, const Matching& maximum,
                          SeekerIndex unmatched);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_MATCHING_H_
