#include "distbench/engine/fanout.h"

#include <algorithm>
#include <utility>

#include "distbench/engine/grid_targets.h"

namespace distbench {
namespace {

// Fisher and Yates, only as far as the first `count` places.
void ShuffleFront(size_t count, CounterRandom& random, std::vector<InstanceIndex>* items) {
  for (size_t i = 0; i < count; ++i) {
    std::swap((*items)[i], (*items)[i + random.Below(items->size() - i)]);
  }
}

void AppendAll(const CandidateTargets& candidates, std::vector<InstanceIndex>* targets) {
  for (size_t i = 0; i < candidates.count(); ++i) targets->push_back(candidates.at(i));
}

size_t DrawTargetCount(const FanoutStochastic& fanout, CounterRandom& random) {
  const double drawn = random.Unit();
  for (const FanoutStochastic::Choice& choice : fanout.choices) {
    if (drawn < choice.cumulative_probability) return choice.targets;
  }
  return fanout.choices.back().targets;
}

struct Picker {
  const CandidateTargets& candidates;
  CounterRandom& random;
  const uint64_t turn;
  std::vector<InstanceIndex>* const targets;

  void operator()(const FanoutAll&) const { TakeAll(); }
  // Along a grid the candidates are what the filter leaves.
  void operator()(const FanoutSame&) const { TakeAll(); }
  void operator()(const FanoutRing&) const { TakeAll(); }
  void operator()(const FanoutLinear&) const { TakeAll(); }

  void operator()(const FanoutRandom&) const {
    targets->push_back(candidates.at(random.Below(candidates.count())));
  }

  void operator()(const FanoutRoundRobin&) const {
    targets->push_back(candidates.at(turn % candidates.count()));
  }

  void operator()(const FanoutStochastic& fanout) const {
    const size_t count = std::min(DrawTargetCount(fanout, random), candidates.count());
    AppendAll(candidates, targets);
    ShuffleFront(count, random, targets);
    targets->resize(count);
  }

  void TakeAll() const {
    AppendAll(candidates, targets);
    if (!candidates.within_own_service()) ShuffleFront(targets->size(), random, targets);
  }
};

}  // namespace

CandidateTargets::CandidateTargets(const Plan& plan, RpcIndex rpc, InstanceIndex caller) {
  const ServiceIndex server = plan.rpcs[rpc].server;
  const ServicePlan& service = plan.services[server];
  first_ = service.first.value();
  if (const auto channel = plan.rpcs[rpc].channel) {
    const std::vector<size_t>& members = plan.channels[*channel].members;
    listed_ = {InstanceIndex(first_ + (members.empty() ? 0 : members.front()))};
    count_ = 1;
    return;
  }
  service_size_ = static_cast<uint32_t>(service.count);
  count_ = service.count;
  if (plan.instances[caller].service == server) {
    own_rank_plus_one_ = static_cast<uint32_t>(plan.instances[caller].rank) + 1;
    --count_;
  }
  const FanoutPlan& fanout = plan.rpcs[rpc].fanout;
  if (!GoesByGrid(fanout)) return;
  listed_ = GridTargets(plan, fanout, server, caller);
  if (own_rank_plus_one_ != 0) {
    std::rotate(listed_.begin(), std::lower_bound(listed_.begin(), listed_.end(), caller),
                listed_.end());
  }
  count_ = listed_.size();
}

InstanceIndex CandidateTargets::at(size_t position) const {
  if (!listed_.empty()) return listed_[position];
  // Across services own_rank_plus_one_ is 0 and this is the instance of that rank.
  return InstanceIndex(first_ + (own_rank_plus_one_ + position) % service_size_);
}

bool HasNoChoice(const FanoutPlan& fanout, const CandidateTargets& candidates) {
  return candidates.count() == 1 && !std::holds_alternative<FanoutStochastic>(fanout);
}

bool MayHaveSeveralTargets(const FanoutPlan& fanout, const CandidateTargets& candidates) {
  if (candidates.count() <= 1) return false;
  if (const auto* stochastic = std::get_if<FanoutStochastic>(&fanout)) {
    return std::any_of(stochastic->choices.begin(), stochastic->choices.end(),
                       [](const FanoutStochastic::Choice& choice) { return choice.targets > 1; });
  }
  return std::holds_alternative<FanoutAll>(fanout) || std::holds_alternative<FanoutSame>(fanout);
}

void PickTargets(const FanoutPlan& fanout, const CandidateTargets& candidates,
                 CounterRandom& random, uint64_t turn, std::vector<InstanceIndex>* targets) {
  targets->clear();
  if (candidates.count() == 0) return;
  std::visit(Picker{candidates, random, turn, targets}, fanout);
}

}  // namespace distbench
