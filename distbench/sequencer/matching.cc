// Hopcroft and Karp, "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM Journal
// on Computing 2 (1973).
//
// An augmenting path begins at a seeker without a node, goes to a node that it may take, on to the
// seeker who has that node, to a node which that one may take instead, and so on to a node that
// nobody has. When all on the path move one on, one seeker more has a node. A matching without such
// a path is maximum. A phase finds how long the shortest ones are and uses as many of them as it
// can; O(sqrt(V)) phases are enough.
#include "distbench/sequencer/matching.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace distbench {
namespace {

class Growth {
 public:
  Growth(const NodeChoices& choices, Matching start)
      : choices_(choices), matching_(std::move(start)) {}

  Matching Run() {
    while (FindLayers()) {
      next_choice_ = IndexedVector<SeekerIndex, size_t>(choices_.of.size());
      for (SeekerIndex seeker : Unmatched()) Augment(seeker);
    }
    return std::move(matching_);
  }

 private:
  std::vector<SeekerIndex> Unmatched() const {
    std::vector<SeekerIndex> unmatched;
    for (size_t i = 0; i < matching_.node_of.size(); ++i) {
      if (!matching_.node_of[SeekerIndex(i)].has_value()) unmatched.push_back(SeekerIndex(i));
    }
    return unmatched;
  }

  // Counts the moves from the nearest unmatched seeker to each other one. False if no path ends at
  // a node that nobody has.
  bool FindLayers() {
    layer_ = IndexedVector<SeekerIndex, std::optional<uint32_t>>(choices_.of.size());
    std::vector<SeekerIndex> reached = Unmatched();
    for (SeekerIndex seeker : reached) layer_[seeker] = 0;
    bool found = false;
    for (size_t i = 0; i < reached.size(); ++i) {
      const SeekerIndex seeker = reached[i];
      for (NodeIndex node : choices_.of[seeker]) {
        const std::optional<SeekerIndex> holder = matching_.seeker_of[node];
        if (!holder.has_value()) {
          found = true;
        } else if (!layer_[*holder].has_value()) {
          layer_[*holder] = *layer_[seeker] + 1;
          reached.push_back(*holder);
        }
      }
    }
    return found;
  }

  // Uses a path from `root` along the layers, if there is one among the choices that no other path
  // of this phase has tried.
  void Augment(SeekerIndex root) {
    std::vector<SeekerIndex> path = {root};
    while (!path.empty()) {
      const SeekerIndex seeker = path.back();
      if (next_choice_[seeker] == choices_.of[seeker].size()) {
        path.pop_back();
        continue;
      }
      const NodeIndex node = choices_.of[seeker][next_choice_[seeker]++];
      const std::optional<SeekerIndex> holder = matching_.seeker_of[node];
      if (!holder.has_value()) return MoveOn(path);
      if (layer_[*holder] == *layer_[seeker] + 1) path.push_back(*holder);
    }
  }

  // Gives everybody on the path the node that was tried last, which the next one had.
  void MoveOn(const std::vector<SeekerIndex>& path) {
    for (SeekerIndex seeker : path) {
      matching_.Assign(seeker, choices_.of[seeker][next_choice_[seeker] - 1]);
    }
  }

  const NodeChoices& choices_;
  Matching matching_;
  // Of the phase.
  IndexedVector<SeekerIndex, std::optional<uint32_t>> layer_;
  IndexedVector<SeekerIndex, size_t> next_choice_;  // choices before it have been tried
};

}  // namespace

Matching GreedyMatching(const NodeChoices& choices) {
  Matching matching(choices);
  for (size_t i = 0; i < choices.of.size(); ++i) {
    const absl::Span<const NodeIndex> nodes = choices.of[SeekerIndex(i)];
    const auto free = std::find_if(nodes.begin(), nodes.end(), [&](NodeIndex node) {
      return !matching.seeker_of[node].has_value();
    });
    if (free != nodes.end()) matching.Assign(SeekerIndex(i), *free);
  }
  return matching;
}

Matching MaximumMatching(const NodeChoices& choices, Matching start) {
  return Growth(choices, std::move(start)).Run();
}

// All that paths from `unmatched` reach: its nodes, the seekers who have them, their nodes, and so
// on. Each of the nodes is had by one of the seekers, else the matching would not be maximum; so
// the nodes are those of all seekers but `unmatched`. Without another seeker, everybody on the path
// to it could move on, and all would have a node.
Competition CompetitionOf(const NodeChoices& choices, const Matching& maximum,
                          SeekerIndex unmatched) {
  Competition competition{.seekers = {unmatched}, .nodes = {}};
  IndexedVector<NodeIndex, bool> is_reached(choices.nodes);
  for (size_t i = 0; i < competition.seekers.size(); ++i) {
    for (NodeIndex node : choices.of[competition.seekers[i]]) {
      if (is_reached[node]) continue;
      is_reached[node] = true;
      competition.nodes.push_back(node);
      competition.seekers.push_back(*maximum.seeker_of[node]);
    }
  }
  std::sort(competition.seekers.begin(), competition.seekers.end());
  std::sort(competition.nodes.begin(), competition.nodes.end());
  return competition;
}

}  // namespace distbench
