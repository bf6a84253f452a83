#include "distbench/driver/tcp/tcp_client_connection.h"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/base/timer.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr absl::Duration kShortestPause = absl::Milliseconds(10);
constexpr absl::Duration kLongestPause = absl::Seconds(1);

// Later deadlines of a connect are as good as none.
constexpr absl::Duration kLongestConnect = absl::Hours(10'000);

absl::Status Stopped() { return absl::CancelledError("the tcp driver has stopped"); }

}  // namespace

TcpClientConnection::TcpClientConnection(const TcpClientConnectionOptions& options)
    : TcpConnection({.loop = options.loop,
                     .role = HelloRole::kClient,
                     .peer_name = options.endpoint.ToString(),
                     .group = options.group,
                     .max_queued_bytes = options.settings.max_queued_bytes}),
      options_(options),
      last_error_(absl::UnavailableError("there is no answer")),
      status_(absl::FailedPreconditionError(
          absl::StrCat("not connected to ", options.endpoint.ToString()))) {}

// --- Connecting

void TcpClientConnection::Begin(absl::Time deadline, std::function<void(absl::Status)> done) {
  auto self = std::static_pointer_cast<TcpClientConnection>(shared_from_this());
  loop().Post([self, deadline, done = std::move(done)] {
    self->done_ = done;
    if (self->is_shut_down_) return self->Report(Stopped());
    self->loop().Arm(&self->deadline_timer_, std::min(deadline - absl::Now(), kLongestConnect));
    self->Connect();
  });
}

void TcpClientConnection::Stop(std::function<void()> closed) {
  FailAll(Stopped(), /*for_good=*/true);
  auto self = std::static_pointer_cast<TcpClientConnection>(shared_from_this());
  loop().Post([self, closed = std::move(closed)] {
    self->closed_.push_back(closed);
    self->ShutDown();
    if (self->is_open_here()) {
      self->SayGoodbye();
    } else {
      self->NotifyClosed();
    }
    self->Report(Stopped());
  });
}

void TcpClientConnection::CloseNow() {
  auto self = std::static_pointer_cast<TcpClientConnection>(shared_from_this());
  loop().Post([self] { self->Close(Stopped()); });
}

void TcpClientConnection::Connect() {
  const absl::StatusOr<SharedSocket> socket = BeginConnect(
      {.endpoint = options_.endpoint, .settings = options_.settings, .device = options_.device});
  if (!socket.ok()) return OnFailed(socket.status());
  if (!loop().Add((*socket)->fd(), shared_from_this())) {
    return OnFailed(absl::ErrnoToStatus(errno, "epoll_ctl"));
  }
  connecting_ = *socket;
}

void TcpClientConnection::OnReady(uint32_t epoll_events) {
  if (connecting_ == nullptr) {
    TcpConnection::OnReady(epoll_events);
  } else if ((epoll_events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
    OnConnected(epoll_events);
  }
}

void TcpClientConnection::OnConnected(uint32_t epoll_events) {
  SharedSocket socket = std::move(connecting_);
  const absl::Status status = FinishConnect(*socket);
  if (!status.ok()) {
    loop().Remove(socket->fd());
    return OnFailed(status);
  }
  Open(std::move(socket));
  TcpConnection::OnReady(epoll_events);
}

void TcpClientConnection::OnGreeted() {
  {
    absl::MutexLock lock(&mutex_);
    if (!is_stopped_) status_ = absl::OkStatus();
    is_ready_.store(status_.ok(), std::memory_order_relaxed);
  }
  pause_ = absl::ZeroDuration();
  loop().Disarm(&deadline_timer_);
  Report(absl::OkStatus());
}

void TcpClientConnection::OnClosed(const absl::Status& reason) {
  FailAll(absl::UnavailableError(reason.message()), /*for_good=*/false);
  OnFailed(reason);
  NotifyClosed();
}

void TcpClientConnection::OnFailed(const absl::Status& reason) {
  last_error_ = reason;
  if (is_shut_down_) return;
  pause_ = std::clamp(2 * pause_, kShortestPause, kLongestPause);
  loop().Arm(&retry_timer_, pause_);
}

void TcpClientConnection::GiveUp() {
  const auto self = shared_from_this();
  const auto done = std::exchange(done_, nullptr);
  ShutDown();
  Close(Stopped());
  done(absl::UnavailableError(
      absl::StrCat("cannot connect to ", peer_name(), ": ", last_error_.message(),
                   "; is the peer running, and does no firewall keep this host away from it?")));
}

void TcpClientConnection::Report(const absl::Status& status) {
  const auto done = std::exchange(done_, nullptr);
  if (done != nullptr) done(status);
}

void TcpClientConnection::ShutDown() {
  is_shut_down_ = true;
  loop().Disarm(&retry_timer_);
  loop().Disarm(&deadline_timer_);
  if (connecting_ != nullptr) loop().Remove(std::exchange(connecting_, nullptr)->fd());
}

void TcpClientConnection::NotifyClosed() {
  for (const auto& closed : std::exchange(closed_, {})) closed();
}

// --- Calls

void TcpClientConnection::Start(TcpClientCall* call) {
  ArmDeadline(call);
  const bool is_one_way = call->is_one_way();
  const Outcome outcome = TryStart(call);  // from here on the call may be over
  if (outcome.flush) is_one_way ? LeaveFlushToLoop() : ScheduleFlush();
  if (outcome.has_ended) End(call, outcome.status);
}

TcpClientConnection::Outcome TcpClientConnection::TryStart(TcpClientCall* call) {
  absl::MutexLock lock(&mutex_);
  if (!status_.ok()) return {.has_ended = true, .status = status_};
  if (call->has_deadline_ && call->has_expired_) {
    return {.has_ended = true,
            .status = absl::DeadlineExceededError("the deadline had passed when the call started")};
  }
  const bool is_one_way = call->is_one_way();
  if (is_one_way && !TakeCredit(call)) return {};
  if (!waiting_.empty() || queue_is_full()) {
    call->state_ = TcpClientCall::State::kWaiting;
    waiting_.Append(call);
    return {};
  }
  Send(call);
  return {.flush = ClaimFlush(), .has_ended = is_one_way};
}

void TcpClientConnection::Send(TcpClientCall* call) {
  if (call->is_one_way()) [[unlikely]] {
    call->state_ = TcpClientCall::State::kIdle;
    return QueueFrame(FrameType::kOneWay, {}, call->call->request);
  }
  call->state_ = TcpClientCall::State::kInFlight;
  call->id_ = calls_.Insert(call);
  QueueFrame(FrameType::kRequest, call->id_, call->call->request);
}

bool TcpClientConnection::OnQueueShrunk() {
  while (!waiting_.empty() && !queue_is_full()) {
    TcpClientCall* call = waiting_.first();
    waiting_.Remove(call);
    Send(call);
    if (call->is_one_way()) handed_over_.Append(call);
  }
  return !handed_over_.empty();
}

void TcpClientConnection::Cancel(TcpClientCall* call) {
  bool flush = false;
  std::vector<std::function<void()>> drained;
  {
    absl::MutexLock lock(&mutex_);
    if (!TakeOut(call, &flush)) return;
    drained = TakeDrained();
  }
  if (flush) ScheduleFlush();
  End(call, absl::CancelledError("cancelled by the caller"));
  for (const auto& done : drained) done();
}

bool TcpClientConnection::TakeOut(TcpClientCall* call, bool* flush) {
  switch (std::exchange(call->state_, TcpClientCall::State::kIdle)) {
    case TcpClientCall::State::kIdle:
      return false;
    case TcpClientCall::State::kUncredited:
      uncredited_.Remove(call);
      return true;
    case TcpClientCall::State::kWaiting:
      waiting_.Remove(call);
      if (call->is_one_way()) PassCredit();
      return true;
    case TcpClientCall::State::kInFlight:
      calls_.Remove(call->id_);
      QueueFrame(FrameType::kCancel, call->id_, {});
      *flush = ClaimFlush();
      return true;
  }
  return false;
}

std::vector<TcpClientCall*> TcpClientConnection::TakeAllOut() {
  std::vector<TcpClientCall*> all;
  calls_.ForEach([&](TcpClientCall* call) { all.push_back(call); });
  calls_.Clear();
  while (!waiting_.empty()) {
    all.push_back(waiting_.first());
    waiting_.Remove(all.back());
    if (all.back()->is_one_way()) ++credits_;
  }
  while (!uncredited_.empty()) {
    all.push_back(uncredited_.first());
    uncredited_.Remove(all.back());
  }
  for (TcpClientCall* call : all) call->state_ = TcpClientCall::State::kIdle;
  return all;
}

void TcpClientConnection::FailAll(const absl::Status& status, bool for_good) {
  std::vector<TcpClientCall*> calls;
  std::vector<std::function<void()>> drained;
  {
    absl::MutexLock lock(&mutex_);
    if (is_stopped_) return;
    is_stopped_ = for_good;
    status_ = status;
    is_ready_.store(false, std::memory_order_relaxed);
    calls = TakeAllOut();
    drained = ForgetOneWay();
  }
  for (TcpClientCall* call : calls) End(call, status);
  for (const auto& done : drained) done();
}

void TcpClientConnection::End(TcpClientCall* call, const absl::Status& status) {
  DisarmDeadline(call);
  const ShardIndex shard = call->call->shard;
  if (options_.gate->BeginCallback(shard)) {
    call->call->OnCallDone(status, ReceivedMessage{});
    options_.gate->EndCallbackAndLeave(shard);
  } else {
    options_.gate->Leave(shard);
  }
}

// --- Deadlines

void TcpClientConnection::ArmDeadline(TcpClientCall* call) {
  call->has_deadline_ = call->call->deadline_ns != ClientCall::kNoDeadline;
  if (!call->has_deadline_) return;
  call->timer_is_done_.store(false, std::memory_order_relaxed);
  {
    absl::MutexLock lock(&mutex_);
    call->has_expired_ = false;
  }
  options_.timers->Arm(&call->deadline_, call->call->deadline_ns);
}

void TcpClientConnection::DisarmDeadline(TcpClientCall* call) {
  if (!call->has_deadline_ || options_.timers->Disarm(&call->deadline_)) return;
  // The timer is at this moment finding out that it comes too late.
  while (!call->timer_is_done_.load(std::memory_order_acquire)) std::this_thread::yield();
}

void TcpClientConnection::OnDeadline(TcpClientCall* call) {
  bool flush = false;
  std::vector<std::function<void()>> drained;
  {
    absl::MutexLock lock(&mutex_);
    if (!TakeOut(call, &flush)) {
      call->has_expired_ = true;
      // Whoever waits for this may do anything with the call then.
      call->timer_is_done_.store(true, std::memory_order_release);
      return;
    }
    drained = TakeDrained();
  }
  if (flush) ScheduleFlush();
  call->has_deadline_ = false;  // has fired
  End(call, absl::DeadlineExceededError(
                call->is_one_way()
                    ? absl::StrCat("not sent to ", peer_name(),
                                   " before the deadline, as too much ", "was on its way there")
                    : absl::StrCat("no answer from ", peer_name(), " before the deadline")));
  for (const auto& done : drained) done();
}

// --- Answers

absl::Status TcpClientConnection::OnFrames(const FrameBatch& batch) {
  TcpClientCall* calls[FrameBatch::kMaxFrames];
  size_t count = 0;
  bool has_credits = false;
  const absl::Status status = FindCalls(batch, calls, &count, &has_credits);
  if (has_credits) [[unlikely]] {
    OnCredits();
  }
  const auto first = std::find_if(calls, calls + count, [](auto* call) { return call != nullptr; });
  if (first == calls + count) return status;
  // Announced once for all of them.
  const ShardIndex shard = (*first)->call->shard;
  const bool may_call_back = options_.gate->BeginCallback(shard);
  for (size_t i = 0; i < count; ++i) {
    if (calls[i] == nullptr) continue;
    DisarmDeadline(calls[i]);
    const ShardIndex call_shard = calls[i]->call->shard;
    if (may_call_back) Deliver(calls[i]->call, batch.header(i), batch.body(i));
    options_.gate->Leave(call_shard);
  }
  if (may_call_back) options_.gate->EndCallback(shard);
  return status;
}

// The call of each answer, null where it has ended meanwhile; as many as are all right.
absl::Status TcpClientConnection::FindCalls(const FrameBatch& batch, TcpClientCall** calls,
                                            size_t* count, bool* has_credits) {
  absl::MutexLock lock(&mutex_);
  for (; *count < batch.size(); ++*count) {
    const FrameHeader& header = batch.header(*count);
    calls[*count] = nullptr;
    if (header.type == FrameType::kCredit) [[unlikely]] {
      RETURN_IF_ERROR(AddCredits(header.id.slot));
      *has_credits = true;
      continue;
    }
    if (header.type != FrameType::kResponse && header.type != FrameType::kError) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a frame of type ", static_cast<int>(header.type), ", which no server sends"));
    }
    if (is_stopped_) continue;
    if (!calls_.WasGiven(header.id)) {
      return absl::InvalidArgumentError(absl::StrCat("an answer to call ", header.id.slot, ".",
                                                     header.id.generation,
                                                     ", which was never made"));
    }
    TcpClientCall* call = calls_.Remove(header.id);
    if (call == nullptr) continue;
    call->state_ = TcpClientCall::State::kIdle;
    calls[*count] = call;
  }
  return absl::OkStatus();
}

void TcpClientConnection::Deliver(ClientCall* call, const FrameHeader& header,
                                  const ReceivedMessage& body) {
  if (header.type == FrameType::kResponse) return call->OnCallDone(absl::OkStatus(), body);
  const absl::Status error = DecodeError(body);
  call->OnCallDone(
      absl::Status(error.code(), absl::StrCat(error.message(), " (tcp peer ", peer_name(), ")")),
      ReceivedMessage{});
}

}  // namespace distbench
