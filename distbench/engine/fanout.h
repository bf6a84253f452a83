// Fanout: whom the next RPC goes to. A pure function of the plan, the caller and what was drawn.
#ifndef DISTBENCH_ENGINE_FANOUT_H_
#define DISTBENCH_ENGINE_FANOUT_H_

#include <cstdint>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/sampling/counter_random.h"

namespace distbench {

// The instances that an RPC may reach from one caller: those of the server's service, or of these
// those that a fanout along a grid goes to, without the caller itself, in the order in which a
// caller of the same service visits them (starting after its own rank and wrapping, so that a burst
// of all does not hit one instance first). An RPC on a multi-server channel has one: the first
// member that is known, in whose place the channel picks another.
class CandidateTargets {
 public:
  CandidateTargets(const Plan& plan, RpcIndex rpc, InstanceIndex caller);

  size_t count() const { return count_; }
  InstanceIndex at(size_t position) const;  // position < count()

  // True if the caller belongs to the server's service.
  bool within_own_service() const { return own_rank_plus_one_ != 0; }

 private:
  // What a fanout along a grid, or a channel, goes to; empty otherwise.
  std::vector<InstanceIndex> listed_;
  uint32_t first_ = 0;
  uint32_t service_size_ = 0;
  uint32_t own_rank_plus_one_ = 0;  // 0: the caller is of another service
  size_t count_ = 0;
};

// Whether every iteration has the only candidate as its only target.
bool HasNoChoice(const FanoutPlan& fanout, const CandidateTargets& candidates);

// Whether an iteration may have more than one target.
bool MayHaveSeveralTargets(const FanoutPlan& fanout, const CandidateTargets& candidates);

// Replaces `targets` by the targets of one iteration, in the order of sending. `turn` counts the
// uses of this RPC by this caller and serves round robin only.
void PickTargets(const FanoutPlan& fanout, const CandidateTargets& candidates,
                 CounterRandom& random, uint64_t turn, std::vector<InstanceIndex>* targets);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_FANOUT_H_
