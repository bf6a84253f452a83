#include "distbench/engine/request_queue.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/engine/engine_context.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/list_run.h"
#include "distbench/engine/request_thread.h"

namespace distbench {
namespace {

size_t MostInService(const Plan& plan, const DispatchPlan& dispatch) {
  switch (dispatch.mode) {
    case DispatchMode::kThreadPool:
      return dispatch.threads;
    case DispatchMode::kFreshThread:
      return static_cast<size_t>(plan.max_threads);
    case DispatchMode::kInline:
    case DispatchMode::kSerialQueue:
      break;
  }
  return 1;
}

}  // namespace

// --- RequestTurn

void RequestTurn::RunOnWorker() { run_->shard()->executor().Post(this); }

void RequestTurn::Run() {
  run_->shard()->EndOutside();
  run_->StartReceived();
}

void RequestTurn::EndDispatched() {
  threads_ = nullptr;
  if (own_thread_ != nullptr) std::exchange(own_thread_, nullptr)->Release();
  std::exchange(queue_, nullptr)->Leave();
}

// --- RequestQueue

RequestQueue::RequestQueue(EngineContext* context, const DispatchPlan& plan, std::string name)
    : context_(*context),
      name_(std::move(name)),
      makes_threads_(plan.mode == DispatchMode::kFreshThread),
      most_in_service_(MostInService(*context->plan, plan)),
      most_waiting_(makes_threads_ ? 0 : static_cast<size_t>(context->plan->max_pending_rpcs)) {
  if (makes_threads_ || context->workers == nullptr) return;
  pool_ = context->workers->MakeMore(most_in_service_);
}

void RequestQueue::Add(ListRun* run) {
  RequestTurn* turn = &run->turn();
  turn->queue_ = this;
  turn->threads_ = pool_.get();
  run->shard()->BeginOutside();
  switch (Enter(turn)) {
    case Entry::kInService:
      return Begin(turn);
    case Entry::kWaits:
      return;
    case Entry::kTooMany:
      return EndOverload();
  }
}

RequestQueue::Entry RequestQueue::Enter(RequestTurn* turn) {
  absl::MutexLock lock(&mutex_);
  // Whoever cancels does so before it starts those that wait.
  if (in_service_ < most_in_service_ || context_.is_cancelled()) {
    ++in_service_;
    return Entry::kInService;
  }
  waiting_.push_back(turn);
  return waiting_.size() > most_waiting_ ? Entry::kTooMany : Entry::kWaits;
}

void RequestQueue::Begin(RequestTurn* turn) {
  const absl::Status given = GiveToThread(turn);
  if (given.ok()) return;
  context_.EndForWantOfThread(name_, given);
  // The run ends as soon as it begins.
  turn->threads_ = nullptr;
  turn->RunOnWorker();
}

absl::Status RequestQueue::GiveToThread(RequestTurn* turn) {
  if (makes_threads_ && context_.workers != nullptr && !context_.is_cancelled()) {
    ASSIGN_OR_RETURN(turn->own_thread_, RequestThread::Start(context_.workers));
    turn->threads_ = turn->own_thread_;
  }
  if (turn->threads_ != nullptr) return turn->threads_->Post(turn);
  turn->RunOnWorker();
  return absl::OkStatus();
}

void RequestQueue::Leave() {
  RequestTurn* next = nullptr;
  {
    absl::MutexLock lock(&mutex_);
    if (waiting_.empty()) {
      --in_service_;
      return;
    }
    next = waiting_.front();
    waiting_.pop_front();
  }
  Begin(next);
}

void RequestQueue::StartAll() {
  std::deque<RequestTurn*> waiting;
  {
    absl::MutexLock lock(&mutex_);
    waiting.swap(waiting_);
    in_service_ += waiting.size();
  }
  for (RequestTurn* turn : waiting) Begin(turn);
}

void RequestQueue::EndOverload() {
  const Plan& plan = *context_.plan;
  const std::string& self = plan.instances[context_.self].name;
  context_.control->CancelTraffic(absl::ResourceExhaustedError(
      makes_threads_ ? absl::StrCat(self, " needs more than ", plan.max_threads, " threads for ",
                                    name_, ", above overload_limits.max_threads")
                     : absl::StrCat("more than ", plan.max_pending_rpcs, " requests wait at ", self,
                                    " for ", name_, ", above overload_limits.max_pending_rpcs")));
}

// --- RequestQueues

RequestQueues::RequestQueues(EngineContext* context) : by_rpc_(context->plan->rpcs.size()) {
  const Plan& plan = *context->plan;
  RequestQueue* serial = nullptr;
  for (size_t i = 0; i < plan.rpcs.size(); ++i) {
    const RpcPlan& rpc = plan.rpcs[RpcIndex(i)];
    const bool is_serial = rpc.dispatch.mode == DispatchMode::kSerialQueue;
    if (rpc.server != plan.instances[context->self].service) continue;
    if (rpc.dispatch.mode == DispatchMode::kInline) continue;
    if (!is_serial || serial == nullptr) {
      queues_.push_back(std::make_unique<RequestQueue>(
          context, rpc.dispatch, is_serial ? "its serial queue" : absl::StrCat("RPC ", rpc.name)));
    }
    if (is_serial && serial == nullptr) serial = queues_.back().get();
    by_rpc_[RpcIndex(i)] = is_serial ? serial : queues_.back().get();
  }
}

void RequestQueues::StartAll() {
  for (const auto& queue : queues_) queue->StartAll();
}

}  // namespace distbench
