#include "distbench/engine/list_run.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "distbench/engine/engine_shard.h"
#include "distbench/payload/generic_message.h"

namespace distbench {

ListRun::ListRun(EngineShard* shard, ListIndex list)
    : shard_(shard),
      list_(list),
      plan_(shard->context().plan->lists[list]),
      actions_(plan_.actions.size()) {
  ready_.reserve(plan_.actions.size());
}

void ListRun::StartMain(const std::vector<std::unique_ptr<EngineShard>>* shards, int64_t start_ns) {
  all_shards_ = shards;
  iteration_ = nullptr;
  warmup_ = false;
  Start(start_ns);
}

void ListRun::StartForRequest(Request request) {
  all_shards_ = nullptr;
  iteration_ = nullptr;
  warmup_ = request.warmup;
  request_ = std::move(request);
  begin_ns_ = shard_->context().clock->MonotonicNs();
  Start(begin_ns_);
}

void ListRun::StartNested(Iteration* iteration) {
  all_shards_ = nullptr;
  iteration_ = iteration;
  warmup_ = iteration->warmup;
  Start(shard_->context().clock->MonotonicNs());
}

void ListRun::Start(int64_t start_ns) {
  number_ = shard_->context().list_runs[list_.value()].fetch_add(1, std::memory_order_relaxed);
  unfinished_ = plan_.actions.size();
  if (unfinished_ == 0) return End();
  for (size_t i = 0; i < plan_.actions.size(); ++i) {
    actions_[ActionIndex(i)].waiting_for = plan_.actions[ActionIndex(i)].dependency_count;
    actions_[ActionIndex(i)].start_ns = start_ns;
  }
  ready_.assign(plan_.roots.begin(), plan_.roots.end());
  StartReadyActions();
}

void ListRun::StartReadyActions() {
  // An action that finishes at once makes its successors ready; this loop starts them, so that a
  // long chain does not nest.
  starting_ = true;
  for (size_t i = 0; i < ready_.size(); ++i) StartAction(ready_[i]);
  ready_.clear();
  starting_ = false;
  if (unfinished_ == 0) End();
}

void ListRun::StartAction(ActionIndex action) {
  const ActionPlan& plan = plan_.actions[action];
  if (std::holds_alternative<DoNothing>(plan.work)) {
    return FinishAction(action, actions_[action].start_ns);
  }
  StartLanes(action, LaneCount(plan));
}

size_t ListRun::LaneCount(const ActionPlan& action) const {
  // Once cancelled nothing is started, and no other shard needs to hear of that.
  if (all_shards_ == nullptr || !action.iterations || shard_->context().is_cancelled()) return 1;
  if (action.iterations->open_loop) return all_shards_->size();
  return std::min<size_t>(all_shards_->size(), action.iterations->max_parallel);
}

void ListRun::StartLanes(ActionIndex index, size_t lanes) {
  ActionRun& action = actions_[index];
  const ActionPlan& plan = plan_.actions[index];
  action.lanes_left = static_cast<uint32_t>(lanes);
  action.claims.Reset(plan.iterations ? plan.iterations->max_count : 1,
                      static_cast<int64_t>(lanes));
  IterationLane::Assignment assignment = {.shard = shard_,
                                          .run = this,
                                          .action = index,
                                          .claims = &action.claims,
                                          .start_ns = action.start_ns,
                                          .lanes = static_cast<int64_t>(lanes)};
  while (action.more_lanes.size() + 1 < lanes) {
    action.more_lanes.push_back(std::make_unique<IterationLane>());
  }
  for (size_t i = 1; i < lanes; ++i) {
    const size_t shard = (shard_->index().value() + i) % all_shards_->size();
    assignment.shard = (*all_shards_)[shard].get();
    assignment.lane = static_cast<int64_t>(i);
    IterationLane& lane = *action.more_lanes[i - 1];
    lane.Prepare(assignment);
    assignment.shard->executor().PostToRelief(lane.start_task());
  }
  assignment.shard = shard_;
  assignment.lane = 0;
  action.lane.Prepare(assignment);
  action.lane.Start();
}

void ListRun::OnLaneDone(ActionIndex action) {
  if (--actions_[action].lanes_left > 0) return;
  FinishAction(action, shard_->context().clock->MonotonicNs());
  if (starting_) return;
  if (unfinished_ == 0) return End();
  if (!ready_.empty()) StartReadyActions();
}

void ListRun::FinishAction(ActionIndex action, int64_t finish_ns) {
  const ActionPlan& plan = plan_.actions[action];
  --unfinished_;
  if (plan.sends_response) Answer();
  for (ActionIndex successor : plan.successors) {
    actions_[successor].start_ns = std::max(actions_[successor].start_ns, finish_ns);
    if (--actions_[successor].waiting_for == 0) ready_.push_back(successor);
  }
}

void ListRun::Answer() {
  if (!request_.responder.pending()) return;
  EngineContext& context = shard_->context();
  HeadBuffer buffer;
  std::string error;
  if (context.is_cancelled()) error = context.control->CancellationText();
  const OutgoingMessage response =
      buffer.EncodeResponse({.warmup = warmup_, .error_message = error}, request_.response_bytes);
  if (!warmup_) {
    shard_->served().Record({.rpc = request_.rpc,
                             .arrival_ns = request_.arrival_ns,
                             .begin_ns = begin_ns_,
                             .end_ns = context.clock->MonotonicNs()});
  }
  request_.responder.Respond(response);
}

void ListRun::End() {
  Answer();
  Iteration* iteration = iteration_;
  const bool is_main = all_shards_ != nullptr;
  EngineShard* shard = shard_;
  shard->ReturnRun(this);
  if (is_main) {
    shard->context().control->OnMainListDone();
  } else if (iteration != nullptr) {
    iteration->lane->OnPartDone(iteration, std::nullopt);
  }
}

}  // namespace distbench
