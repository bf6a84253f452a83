#include "distbench/engine/rpc_call.h"

#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "distbench/engine/engine_shard.h"
#include "distbench/engine/iteration_lane.h"
#include "distbench/results/trace_path_proto.h"

namespace distbench {
namespace {

// How a server says that its traffic was cancelled, and that this was because of overload, which
// ends the caller's traffic too.
constexpr char kCancelledPrefix[] = "Traffic cancelled: ";
constexpr char kOverloadPrefix[] = "Traffic cancelled: RESOURCE_EXHAUSTED:";

}  // namespace

RpcCall::RpcCall(EngineShard* engine_shard) : shard_(engine_shard) {
  shard = engine_shard->index();
  driver_state = engine_shard->context().driver->NewCallState();
}

void RpcCall::LinkBefore(RpcCall** head) {
  previous_ = nullptr;
  next_ = *head;
  if (next_ != nullptr) next_->previous_ = this;
  *head = this;
}

void RpcCall::Unlink(RpcCall** head) {
  if (next_ != nullptr) next_->previous_ = previous_;
  if (previous_ != nullptr) {
    previous_->next_ = next_;
  } else {
    *head = next_;
  }
}

void RpcCall::Send(const Order& order) {
  const RpcPlan& plan = shard_->context().plan->rpcs[order.rpc];
  request = head_.EncodeRequest(
      {.rpc_index = static_cast<int32_t>(order.rpc.value()), .warmup = order.iteration->warmup},
      plan.request.bytes);
  Start(order);
}

void RpcCall::SendWithExtras(const Order& order, CallExtras extras) {
  trace_ = std::move(extras.trace);
  const std::string trace_context = trace_ == nullptr ? "" : SerializeTracePath(*trace_);
  request = head_.EncodeRequest({.rpc_index = static_cast<int32_t>(order.rpc.value()),
                                 .warmup = order.iteration->warmup,
                                 .response_payload_size = extras.response_bytes,
                                 .causal_key = extras.causal_key,
                                 .trace_context = trace_context},
                                extras.request_bytes);
  Start(order);
}

// Requires: the request is encoded.
void RpcCall::Start(const Order& order) {
  EngineContext& context = shard_->context();
  const RpcPlan& plan = context.plan->rpcs[order.rpc];
  Iteration* iteration = order.iteration;
  iteration_ = iteration;
  status_ = absl::OkStatus();
  error_message_.clear();
  peer = order.target;
  channel = plan.channel;
  record_ = {.rpc = order.rpc,
             .server = order.target,
             .warmup = iteration->warmup,
             .open_loop = iteration->lane->open_loop(),
             .intended_start_ns = iteration->intended_start_ns,
             .start_ns = order.start_ns,
             .request_bytes = request.size(),
             .trace = trace_.get()};
  if (iteration->lane->is_limited()) [[unlikely]] {
    record_.is_limited = true;
    record_.list = iteration->lane->list();
    record_.sample_priority = iteration->lane->SamplePriority(*iteration, order.fanout_position);
  }
  deadline_ns = plan.deadline_ns ? order.start_ns + *plan.deadline_ns : kNoDeadline;
  if (!record_.open_loop) {
    if (iteration->previous_start_ns != 0) {
      record_.latency_weight_ns = order.start_ns - iteration->previous_start_ns;
    }
    iteration->previous_start_ns = order.start_ns;
  }
  context.driver->StartCall(this);
}

void RpcCall::OnCallDone(const absl::Status& status, const ReceivedMessage& response) {
  record_.end_ns = shard_->context().clock->MonotonicNs();
  record_.response_bytes = response.size;
  status_ = status;
  if (status_.ok()) {
    auto head = DecodeResponse(response, &error_message_);
    if (!head.ok()) {
      status_ = head.status();
    } else if (channel) [[unlikely]] {
      NoteServer(*head);
    }
  }
  shard_->executor().Post(this);
}

// Of a channel's members, the one that has answered. Before an answer it is not known, and the call
// is filed under the first.
void RpcCall::NoteServer(const ResponseHead& head) {
  const Plan& plan = *shard_->context().plan;
  const ServicePlan& service = plan.services[plan.rpcs[record_.rpc].server];
  const int32_t rank = head.server_instance.value_or(-1);
  if (rank >= 0 && static_cast<size_t>(rank) < service.count) {
    record_.server = InstanceIndex(service.first.value() + rank);
  } else if (error_message_.empty()) {
    status_ = absl::InternalError(absl::StrCat(
        "the answer on channel ", plan.channels[*channel].name, " says that instance ",
        head.server_instance ? absl::StrCat(rank) : "(none)", " of ", service.name, " served it"));
  }
}

void RpcCall::Run() {
  EngineContext& context = shard_->context();
  context.driver->ReleaseCall(this);
  const bool is_success = status_.ok() && error_message_.empty();
  if (shard_->recorder() != nullptr) Record(is_success);
  if (absl::StartsWith(error_message_, kOverloadPrefix)) {
    context.control->CancelTraffic(absl::ResourceExhaustedError(
        absl::StripLeadingAsciiWhitespace(absl::StripPrefix(error_message_, kOverloadPrefix))));
  }
  if (trace_ != nullptr) [[unlikely]] {
    trace_ = nullptr;
  }
  Iteration* iteration = iteration_;
  shard_->ReturnCall(this);
  // The time that OnCallDone took is the present one if nothing but a success's recording, which is
  // shorter than another look at the clock, came between.
  std::optional<int64_t> now_ns;
  if (is_success && shard_->executor().runs_poster()) now_ns = record_.end_ns;
  iteration->lane->OnPartDone(iteration, now_ns);
}

void RpcCall::Record(bool is_success) {
  if (is_success) {
    shard_->recorder()->RecordSuccess(record_);
  } else if (iteration_->lane->is_stopped() && EndedByCancellation()) {
    shard_->recorder()->RecordCancelled(record_.rpc, record_.server);
  } else {
    RecordFailure();
  }
}

// Whoever of caller and server heard of the cancellation first.
bool RpcCall::EndedByCancellation() const {
  return absl::IsCancelled(status_) || absl::StartsWith(error_message_, kCancelledPrefix);
}

void RpcCall::RecordFailure() {
  if (status_.ok()) {
    shard_->recorder()->RecordFailure(record_, error_message_);
  } else {
    shard_->recorder()->RecordFailure(record_, status_.ToString());
  }
}

}  // namespace distbench
