#include "distbench/engine/list_run.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/posted_function.h"
#include "distbench/engine/random_streams.h"
#include "distbench/payload/generic_message.h"
#include "distbench/sampling/distribution.h"

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
  is_main_ = true;
  depth_ = 0;
  Start(start_ns, /*key=*/0);
}

void ListRun::Receive(Request request) {
  all_shards_ = nullptr;
  iteration_ = nullptr;
  warmup_ = request.warmup;
  is_main_ = false;
  depth_ = 0;
  request_ = std::move(request);
  if (request_.one_way && !request_.responder.is_one_way()) [[unlikely]] {
    Acknowledge();
  }
}

void ListRun::StartReceived() {
  begin_ns_ = shard_->context().clock->MonotonicNs();
  Start(begin_ns_, request_.causal_key);
}

void ListRun::StartNested(Iteration* iteration) {
  const ListRun& outer = *iteration->lane->run();
  all_shards_ = nullptr;
  iteration_ = iteration;
  warmup_ = iteration->warmup;
  is_main_ = outer.is_main();
  depth_ = outer.depth() + 1;
  request_.trace =
      outer.trace() == nullptr ? nullptr : std::make_unique<const TracePath>(*outer.trace());
  Start(shard_->context().clock->MonotonicNs(), iteration->lane->NestedRunKey(*iteration));
}

// `key` names the run's random numbers; none: the number of the run does.
void ListRun::Start(int64_t start_ns, std::optional<uint64_t> key) {
  EngineContext& context = shard_->context();
  number_ = context.list_runs[list_.value()].fetch_add(1, std::memory_order_relaxed);
  stream_ =
      CounterRandom({context.seed, context.self.value(), list_.value(), key.value_or(number_)});
  unfinished_ = static_cast<uint32_t>(plan_.actions.size());
  if (unfinished_ == 0) return End();
  held_predicates_ = plan_.predicates.empty() ? 0 : DrawPredicates();
  answers_left_ = plan_.answering_actions;
  for (size_t i = 0; i < plan_.actions.size(); ++i) {
    ActionRun& action = actions_[ActionIndex(i)];
    action.waiting_for = plan_.actions[ActionIndex(i)].dependency_count;
    action.is_skipped = 0;
    action.start_ns = start_ns;
  }
  ready_.assign(plan_.roots.begin(), plan_.roots.end());
  StartReadyActions();
}

uint64_t ListRun::DrawPredicates() const {
  uint64_t held = 0;
  for (size_t i = 0; i < plan_.single_predicates; ++i) {
    const bool holds = stream_.Stream(kPredicates).Stream(i).Unit() < plan_.predicates[i];
    if (holds) held |= uint64_t{1} << i;
  }
  for (size_t i = 0; i < plan_.choices.size(); ++i) {
    CounterRandom random = stream_.Stream(kChoices).Stream(i);
    held |= uint64_t{1} << plan_.choices[i]->Draw(random)[0];
  }
  return held;
}

RequestTurn& ListRun::turn() {
  if (turn_ == nullptr) turn_ = std::make_unique<RequestTurn>(this);
  return *turn_;
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
  if (actions_[action].is_skipped || !plan.condition.is_met_by(held_predicates_)) {
    return SkipAction(action);
  }
  const int64_t delay_ns = plan.delay == nullptr ? 0 : DrawDelayNs(action);
  if (std::holds_alternative<DoNothing>(plan.work) && delay_ns == 0) {
    return FinishAction(action, actions_[action].start_ns);
  }
  StartLanes(action, LaneCount(plan), delay_ns);
}

int64_t ListRun::DrawDelayNs(ActionIndex action) const {
  CounterRandom random = stream_.Stream(action.value()).Stream(kActionDelay);
  return plan_.actions[action].delay->Draw(random)[0];
}

size_t ListRun::LaneCount(const ActionPlan& action) const {
  // Once cancelled nothing is started, and no other shard needs to hear of that.
  if (all_shards_ == nullptr || !action.iterations || shard_->context().is_cancelled()) return 1;
  if (action.iterations->open_loop) return all_shards_->size();
  return std::min<size_t>(all_shards_->size(), action.iterations->max_parallel);
}

void ListRun::StartLanes(ActionIndex index, size_t lanes, int64_t delay_ns) {
  ActionRun& action = actions_[index];
  const ActionPlan& plan = plan_.actions[index];
  action.lanes_left = static_cast<uint32_t>(lanes);
  action.claims.Reset(plan.iterations ? plan.iterations->max_count : 1,
                      static_cast<int64_t>(lanes));
  IterationLane::Assignment assignment = {.shard = shard_,
                                          .run = this,
                                          .action = index,
                                          .claims = &action.claims,
                                          .start_ns = action.start_ns + delay_ns,
                                          .delay_ns = delay_ns,
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
  if (plan.response_override) [[unlikely]] {
    OverrideResponse(*plan.response_override, action);
  }
  if (plan.sends_response) Answer();
  if (plan.cancels_traffic) [[unlikely]] {
    EndTraffic(plan);
  }
  ReleaseSuccessors(action, finish_ns);
}

void ListRun::SkipAction(ActionIndex action) {
  const ActionPlan& plan = plan_.actions[action];
  --unfinished_;
  if (plan.sends_response && --answers_left_ == 0) Answer();
  for (ActionIndex successor : plan.successors) actions_[successor].is_skipped = 1;
  ReleaseSuccessors(action, actions_[action].start_ns);
}

void ListRun::ReleaseSuccessors(ActionIndex action, int64_t finish_ns) {
  for (ActionIndex successor : plan_.actions[action].successors) {
    ActionRun& run = actions_[successor];
    run.start_ns = std::max(run.start_ns, finish_ns);
    --run.waiting_for;
    if (run.waiting_for == 0) ready_.push_back(successor);
  }
}

void ListRun::OverrideResponse(const MessageSizePlan& size, ActionIndex action) {
  // Nobody waits for an answer of the main list, whose parts may be on other shards.
  if (is_main_) return;
  if (size.drawn == nullptr) return SetResponseBytes(size.bytes);
  CounterRandom random = stream_.Stream(action.value()).Stream(kResponseOverride);
  SetResponseBytes(size.drawn->Draw(random)[0]);
}

// The run that this one is within, over all levels; itself if there is none.
ListRun& ListRun::outermost() {
  ListRun* run = this;
  while (run->iteration_ != nullptr) run = run->iteration_->lane->run();
  return *run;
}

JobQueue* ListRun::workers() {
  const RequestTurn* const turn = outermost().turn_.get();
  JobQueue* own = turn == nullptr ? nullptr : turn->threads();
  return own != nullptr ? own : shard_->context().workers;
}

void ListRun::SetResponseBytes(int64_t response_bytes) {
  Request& request = outermost().request_;
  if (!request.size_is_asked) request.response_bytes = response_bytes;
}

void ListRun::EndTraffic(const ActionPlan& action) {
  shard_->context().control->EndTraffic(absl::CancelledError(
      absl::StrCat("action '", action.name, "' of list '", plan_.name,
                   "' is done, which ends the traffic (cancel_traffic_when_done)")));
}

void ListRun::Acknowledge() {
  is_acknowledged_ = true;
  request_.responder.Respond(shard_->context().ready->Response(request_.rpc, warmup_));
}

void ListRun::Answer() {
  if (!request_.responder.pending()) return;
  EngineContext& context = shard_->context();
  HeadBuffer buffer;
  std::string error;
  if (context.is_cancelled()) error = context.control->CancellationText();
  const bool echoes = request_.echo != nullptr && error.empty();
  const OutgoingMessage response =
      echoes ? context.MakeEcho(request_.rpc, warmup_, *request_.echo, &buffer)
             : context.MakeResponse(request_.rpc, warmup_, error, request_.response_bytes, &buffer);
  request_.echo = nullptr;
  RecordServed();
  request_.responder.Respond(response);
}

// A run that was cut short, or never began its work, has served nobody.
void ListRun::RecordServed() {
  if (warmup_ || shard_->context().is_cancelled()) return;
  shard_->served().Record({.rpc = request_.rpc,
                           .arrival_ns = request_.arrival_ns,
                           .begin_ns = begin_ns_,
                           .end_ns = shard_->context().clock->MonotonicNs()});
}

void ListRun::End() {
  Answer();
  if (is_acknowledged_) [[unlikely]] {
    is_acknowledged_ = false;
    RecordServed();
  }
  request_.trace = nullptr;
  Iteration* iteration = iteration_;
  const bool is_main_list = all_shards_ != nullptr;
  const bool is_deep = depth_ % kDepthPerTask == kDepthPerTask - 1;
  EngineShard* shard = shard_;
  if (turn_ != nullptr) [[unlikely]] {
    turn_->End();
  }
  shard->ReturnRun(this);
  if (is_main_list) {
    shard->context().control->OnMainListDone();
  } else if (iteration != nullptr && is_deep) {
    // A chain of ends as long as lists are nested shall not need as much stack.
    PostExpected(shard, [iteration] { iteration->lane->OnPartDone(iteration, std::nullopt); });
  } else if (iteration != nullptr) {
    iteration->lane->OnPartDone(iteration, std::nullopt);
  }
}

}  // namespace distbench
