#include "distbench/engine/request_server.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/engine/delayed_answer.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/incoming_request.h"
#include "distbench/engine/random_streams.h"
#include "distbench/results/served_recorder.h"
#include "distbench/results/trace_path_proto.h"
#include "distbench/sampling/distribution.h"

namespace distbench {
namespace {

constexpr int64_t kMaxResponseBytes = std::numeric_limits<int32_t>::max();
constexpr int64_t kMaxProcessingNs = 1'000'000'000'000'000'000;  // 31 years

// Of a replayed request, which may be another program's.
absl::Status CheckReplayed(const RequestHead& head) {
  const int64_t bytes = head.response_payload_size.value_or(0);
  const int64_t processing_ns = head.server_processing_time_ns.value_or(0);
  if (bytes < 0 || bytes > kMaxResponseBytes) {
    return absl::InvalidArgumentError(absl::StrCat("response_payload_size out of range: ", bytes));
  }
  if (processing_ns < 0 || processing_ns > kMaxProcessingNs) {
    return absl::InvalidArgumentError(
        absl::StrCat("server_processing_time_ns out of range: ", processing_ns));
  }
  return absl::OkStatus();
}

}  // namespace

void RequestServer::OnRequest(ShardIndex shard, const ReceivedMessage& request,
                              Responder responder) {
  std::string trace_context;
  absl::StatusOr<RequestHead> head = DecodeRequest(request, &trace_context);
  if (!head.ok()) return responder.RespondError(head.status());
  ArrivedRequest arrived = {
      .shard = shard,
      .head = *head,
      .trace = nullptr,
      .echo = nullptr,
      .arrival_ns = request.arrival_ns != 0 ? request.arrival_ns : context_.clock->MonotonicNs(),
      .responder = std::move(responder)};
  if (!head->trace_context.empty()) [[unlikely]] {
    absl::StatusOr<TracePath> trace = ParseTracePath(head->trace_context);
    if (!trace.ok()) return arrived.responder.RespondError(trace.status());
    arrived.trace = std::make_unique<const TracePath>(*std::move(trace));
    arrived.head.trace_context = {};
  }
  if (echoes_ && IsEchoed(*head)) [[unlikely]] {
    arrived.echo = std::make_unique<const std::string>(CopyPayload(request));
  }
  if (!serving_.load(std::memory_order_acquire)) {
    absl::MutexLock lock(&mutex_);
    if (!serving_.load(std::memory_order_relaxed) && !context_.is_cancelled()) {
      waiting_.push_back(std::move(arrived));
      return;
    }
  }
  Serve(std::move(arrived));
}

void RequestServer::BeginServing() {
  std::vector<ArrivedRequest> waiting;
  {
    absl::MutexLock lock(&mutex_);
    serving_.store(true, std::memory_order_release);
    waiting.swap(waiting_);
  }
  for (ArrivedRequest& request : waiting) Serve(std::move(request));
}

void RequestServer::DropWaiting() {
  std::vector<ArrivedRequest> unserved;  // a dropped responder answers, without our lock
  absl::MutexLock lock(&mutex_);
  unserved.swap(waiting_);
}

bool RequestServer::EchoesSome(const EngineContext& context) {
  for (const RpcPlan& rpc : context.plan->rpcs) {
    if (rpc.echo_request && rpc.server == context.plan->instances[context.self].service)
      return true;
  }
  return false;
}

bool RequestServer::IsEchoed(const RequestHead& head) const {
  const auto& rpcs = context_.plan->rpcs;
  const int32_t index = head.rpc_index.value_or(-1);
  return index >= 0 && static_cast<size_t>(index) < rpcs.size() &&
         rpcs[RpcIndex(index)].echo_request;
}

// None if the service serves no such RPC; `error` tells the caller then. Requires: the request has
// an rpc_index.
std::optional<RpcIndex> RequestServer::FindRpc(const RequestHead& head, std::string* error) const {
  const int32_t index = *head.rpc_index;
  const Plan& plan = *context_.plan;
  if (index < 0 || static_cast<size_t>(index) >= plan.rpcs.size()) {
    *error = absl::StrCat("rpc_index out of range: ", index);
    return std::nullopt;
  }
  if (plan.rpcs[RpcIndex(index)].server != plan.instances[context_.self].service) {
    *error = absl::StrCat("rpc_index should never be sent to this service: ", index);
    return std::nullopt;
  }
  return RpcIndex(index);
}

int64_t RequestServer::ResponseBytes(const RequestHead& head, RpcIndex rpc) {
  if (head.response_payload_size) return *head.response_payload_size;
  const MessageSizePlan& size = context_.plan->rpcs[rpc].response;
  if (size.drawn == nullptr) return size.bytes;
  const uint64_t request = head.causal_key
                               ? *head.causal_key
                               : served_[rpc.value()].fetch_add(1, std::memory_order_relaxed);
  CounterRandom random(
      {context_.seed, context_.self.value(), kResponseSizes, rpc.value(), request});
  return size.drawn->Draw(random)[0];
}

void RequestServer::ServeReplayed(ArrivedRequest&& request) {
  const absl::Status sound = CheckReplayed(request.head);
  std::string error(sound.message());
  if (context_.is_cancelled()) error = context_.control->CancellationText();
  const int64_t response_bytes = request.head.response_payload_size.value_or(0);
  const int64_t processing_ns = request.head.server_processing_time_ns.value_or(0);
  if (!error.empty() || processing_ns == 0) {
    return AnswerAtOnce(std::move(request), {.rpc = std::nullopt,
                                             .error = error,
                                             .response_bytes = error.empty() ? response_bytes : 0});
  }
  DelayedAnswer::Post(&OwnerOf(request), {.responder = std::move(request.responder),
                                          .due_ns = request.arrival_ns + processing_ns,
                                          .response_bytes = response_bytes,
                                          .warmup = request.head.warmup});
}

void RequestServer::Serve(ArrivedRequest&& request) {
  if (!request.head.rpc_index) return ServeReplayed(std::move(request));
  std::string error;
  const std::optional<RpcIndex> rpc = FindRpc(request.head, &error);
  if (context_.is_cancelled()) error = context_.control->CancellationText();
  if (!error.empty()) {
    return AnswerAtOnce(std::move(request), {.rpc = rpc, .error = error, .response_bytes = 0});
  }
  const RpcPlan& plan = context_.plan->rpcs[*rpc];
  const int64_t response_bytes = ResponseBytes(request.head, *rpc);
  RequestQueue* queue = nullptr;
  if (plan.dispatch.mode != DispatchMode::kInline) [[unlikely]] {
    queue = context_.request_queues->For(*rpc);
  } else if (context_.plan->lists[plan.server_list].actions.empty()) {
    return AnswerAtOnce(std::move(request), {.rpc = rpc, .response_bytes = response_bytes});
  }
  IncomingRequest::Post({.shard = &OwnerOf(request), .list = plan.server_list, .queue = queue},
                        {.responder = std::move(request.responder),
                         .rpc = *rpc,
                         .arrival_ns = request.arrival_ns,
                         .response_bytes = response_bytes,
                         .causal_key = request.head.causal_key,
                         .trace = std::move(request.trace),
                         .echo = std::move(request.echo),
                         .warmup = request.head.warmup,
                         .size_is_asked = request.head.response_payload_size.has_value(),
                         .one_way = plan.one_way});
}

void RequestServer::AnswerAtOnce(ArrivedRequest&& request, const Answer& answer) {
  const bool warmup = request.head.warmup;
  const bool is_recorded = answer.rpc.has_value() && answer.error.empty() && !warmup;
  HeadBuffer buffer;
  OutgoingMessage response;
  if (request.echo != nullptr && answer.error.empty()) [[unlikely]] {
    response = context_.MakeEcho(*answer.rpc, warmup, *request.echo, &buffer);
  } else if (answer.rpc) [[likely]] {
    response =
        context_.MakeResponse(*answer.rpc, warmup, answer.error, answer.response_bytes, &buffer);
  } else {
    response = buffer.EncodeResponse({.warmup = warmup,
                                      .error_message = answer.error,
                                      .server_instance = context_.told_instance_of_replay()},
                                     answer.response_bytes);
  }
  if (is_recorded) {
    // Making the response takes less than a look at the clock: it counts as no time at all.
    const int64_t now_ns = context_.clock->MonotonicNs();
    OwnerOf(request).served().Record({.rpc = *answer.rpc,
                                      .arrival_ns = request.arrival_ns,
                                      .begin_ns = now_ns,
                                      .end_ns = now_ns});
  }
  request.responder.Respond(response);
}

EngineShard& RequestServer::OwnerOf(const ArrivedRequest& request) const {
  return *shards_[request.shard.value() % shards_.size()];
}

}  // namespace distbench
