#include "distbench/config/dependency_graph.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace distbench {
namespace {

// Depth-first search with a stack of its own: a chain of a million nodes is no problem.
class CycleSearch {
 public:
  explicit CycleSearch(const DependencyGraph& successors)
      : successors_(successors),
        state_(successors.size(), State::kNew),
        in_cycle_(successors.size(), false) {}

  std::vector<std::vector<uint32_t>> Run() {
    for (uint32_t node = 0; node < successors_.size(); ++node) {
      if (state_[node] == State::kNew) SearchFrom(node);
    }
    return std::move(cycles_);
  }

 private:
  enum class State { kNew, kOnPath, kDone };
  struct Visit {
    uint32_t node;
    size_t next_edge;
  };

  void SearchFrom(uint32_t start) {
    Enter(start);
    while (!path_.empty()) {
      Visit& visit = path_.back();
      if (visit.next_edge == successors_[visit.node].size()) {
        state_[visit.node] = State::kDone;
        path_.pop_back();
        continue;
      }
      const uint32_t next = successors_[visit.node][visit.next_edge++];
      if (state_[next] == State::kNew)
        Enter(next);
      else if (state_[next] == State::kOnPath)
        NoteCycle(next);
    }
  }

  void Enter(uint32_t node) {
    state_[node] = State::kOnPath;
    path_.push_back({.node = node, .next_edge = 0});
  }

  // The path from `first` to its end closes here, unless part of it was noted before.
  void NoteCycle(uint32_t first) {
    std::vector<uint32_t> cycle;
    for (auto it = path_.rbegin(); it != path_.rend(); ++it) {
      if (in_cycle_[it->node]) return;
      cycle.push_back(it->node);
      if (it->node == first) break;
    }
    for (uint32_t node : cycle) in_cycle_[node] = true;
    std::reverse(cycle.begin(), cycle.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    cycles_.push_back(std::move(cycle));
  }

  const DependencyGraph& successors_;
  std::vector<State> state_;
  std::vector<bool> in_cycle_;
  std::vector<Visit> path_;
  std::vector<std::vector<uint32_t>> cycles_;
};

}  // namespace

std::vector<uint32_t> TopologicalOrder(const DependencyGraph& successors) {
  std::vector<uint32_t> unmet(successors.size(), 0);
  for (const auto& edges : successors) {
    for (uint32_t next : edges) ++unmet[next];
  }
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t node = 0; node < unmet.size(); ++node) {
    if (unmet[node] == 0) ready.push(node);
  }
  std::vector<uint32_t> order;
  order.reserve(successors.size());
  while (!ready.empty()) {
    const uint32_t node = ready.top();
    ready.pop();
    order.push_back(node);
    for (uint32_t next : successors[node]) {
      if (--unmet[next] == 0) ready.push(next);
    }
  }
  if (order.size() < successors.size()) order.clear();
  return order;
}

std::vector<std::vector<uint32_t>> DisjointCycles(const DependencyGraph& successors) {
  return CycleSearch(successors).Run();
}

}  // namespace distbench
