#include "distbench/driver/tcp/tcp_server_connection.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "glog/logging.h"

namespace distbench {

TcpServerConnection::TcpServerConnection(TcpServerConnectionOptions options)
    : TcpConnection({.loop = options.loop,
                     .role = HelloRole::kServer,
                     .peer_name = std::move(options.peer_name),
                     .max_queued_bytes = options.max_queued_bytes}),
      shard_(options.shard),
      context_(std::move(options.context)) {}

void TcpServerConnection::Begin(SharedSocket socket) {
  if (!loop().Add(socket->fd(), shared_from_this())) {
    PLOG(WARNING) << "no room for the connection with " << peer_name();
    return;
  }
  context_->Add(std::static_pointer_cast<TcpServerConnection>(shared_from_this()));
  Open(std::move(socket));
}

void TcpServerConnection::CloseGracefully() {
  CloseWhenDrained(absl::UnavailableError("the server has stopped"));
}

void TcpServerConnection::CloseNow() { Close(absl::UnavailableError("the server has stopped")); }

void TcpServerConnection::OnClosed(const absl::Status&) {
  {
    absl::MutexLock lock(&mutex_);
    if (unanswered_ > 0) keep_alive_ = shared_from_this();
  }
  context_->Remove(this);
}

// --- Requests

absl::Status TcpServerConnection::OnFrames(const FrameBatch& batch) {
  TcpServerCall* calls[FrameBatch::kMaxFrames];
  size_t count = 0;
  const absl::Status status = TakeCalls(batch, calls, &count);
  // Announced once for all of them.
  const bool may_call_back = context_->gate().BeginCallback(shard_);
  for (size_t i = 0; i < count; ++i) {
    if (calls[i] == nullptr) continue;
    if (may_call_back && context_->gate().Enter(shard_)) {
      calls[i]->is_counted_ = true;
      Deliver(calls[i], batch.body(i));
    } else {
      calls[i]->RespondError(absl::UnavailableError("the server is stopping"));
    }
  }
  if (may_call_back) context_->gate().EndCallback(shard_);
  return status;
}

void TcpServerConnection::Deliver(TcpServerCall* call, ReceivedMessage request) {
  request.arrival_ns = read_ns();
  context_->handler().OnRequest(shard_, request, Responder(call));
}

// A call for each request, null for other frames; as many as are all right.
absl::Status TcpServerConnection::TakeCalls(const FrameBatch& batch, TcpServerCall** calls,
                                            size_t* count) {
  absl::MutexLock lock(&mutex_);
  for (; *count < batch.size(); ++*count) {
    const FrameHeader& header = batch.header(*count);
    calls[*count] = nullptr;
    if (header.type == FrameType::kRequest) {
      RETURN_IF_ERROR(TakeCall(header.id, &calls[*count]));
    } else if (header.type == FrameType::kOneWay) {
      RETURN_IF_ERROR(TakeOneWay(&calls[*count]));
    } else if (header.type == FrameType::kCancel) {
      CancelCall(header.id);
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "a frame of type ", static_cast<int>(header.type), ", which no client sends"));
    }
  }
  return absl::OkStatus();
}

absl::Status TcpServerConnection::TakeCall(CallId id, TcpServerCall** call) {
  if (id.slot > wanted_.size()) {
    return absl::InvalidArgumentError(absl::StrCat("a request with call id ", id.slot, ".",
                                                   id.generation, " where the next new one is ",
                                                   wanted_.size()));
  }
  if (id.slot == wanted_.size()) wanted_.push_back(nullptr);
  if (wanted_[id.slot] != nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("a request with call id ", id.slot, ".",
                                                   id.generation,
                                                   " while another one has that slot"));
  }
  *call = NewCall();
  wanted_[id.slot] = *call;
  (*call)->id_ = id;
  (*call)->is_wanted_ = true;
  (*call)->is_one_way_ = false;
  return absl::OkStatus();
}

absl::Status TcpServerConnection::TakeOneWay(TcpServerCall** call) {
  if (unanswered_one_way_ + owed_credits_ == kOneWayWindow) {
    return absl::InvalidArgumentError(
        absl::StrCat("a one-way message while ", kOneWayWindow, " others have had no credit"));
  }
  *call = NewCall();
  (*call)->is_wanted_ = false;
  (*call)->is_one_way_ = true;
  ++unanswered_one_way_;
  return absl::OkStatus();
}

TcpServerCall* TcpServerConnection::NewCall() {
  TcpServerCall* call = first_free_;
  if (call == nullptr) {
    call = &calls_.emplace_back(this);
  } else {
    first_free_ = call->next_free_;
  }
  call->is_counted_ = false;
  ++unanswered_;
  return call;
}

// A cancel that crosses the answer concerns nobody.
void TcpServerConnection::CancelCall(CallId id) {
  if (id.slot >= wanted_.size()) return;
  TcpServerCall*& call = wanted_[id.slot];
  if (call == nullptr || call->id_ != id) return;
  call->is_wanted_ = false;
  call = nullptr;
}

// --- Answers

// For one message more, or later. Returns whether the caller has to flush.
bool TcpServerConnection::GiveCredit() {
  --unanswered_one_way_;
  ++owed_credits_;
  if (unanswered_one_way_ > 0 && owed_credits_ < kCreditBatch) return false;
  const CallId credits = {.slot = std::exchange(owed_credits_, 0)};
  if (!is_open()) return false;
  QueueFrame(FrameType::kCredit, credits, {});
  return ClaimFlush();
}

void TcpServerConnection::Answer(TcpServerCall* call, FrameType type, const OutgoingMessage& body) {
  // The unanswered call keeps this alive only until it is answered; the loop does so for the length
  // of its turn if the connection is open.
  const bool is_safe = EventLoop::Current() == &loop() && is_open_here();
  const auto self = is_safe ? nullptr : shared_from_this();
  std::shared_ptr<LoopMember> last_reference;
  const bool is_counted = call->is_counted_;
  bool flush = false;
  {
    absl::MutexLock lock(&mutex_);
    if (call->is_wanted_) {
      wanted_[call->id_.slot] = nullptr;
      if (is_open()) {
        QueueFrame(type, call->id_, body);
        flush = ClaimFlush();
      }
    }
    if (call->is_one_way_) [[unlikely]] {
      flush = GiveCredit();
    }
    call->next_free_ = first_free_;
    first_free_ = call;
    if (--unanswered_ == 0) last_reference = std::move(keep_alive_);
  }
  if (flush) ScheduleFlush();
  if (is_counted) context_->gate().Leave(shard_);
}

}  // namespace distbench
