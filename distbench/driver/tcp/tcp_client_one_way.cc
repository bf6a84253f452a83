// One-way calls of a TcpClientConnection: bounded by the credit that the peer gives back.
//
//            TakeCredit                  room in the queue
//   Start ---------------> has a credit ------------------> queued, and ended
//     |                         ^   |                              ^
//     | none                    |   '--> waiting_ (queue full) ----'
//     '------> uncredited_ -----'
//                         UseCredits
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/tcp/tcp_client_connection.h"

namespace distbench {

// False, and then the call waits, if there is none.
bool TcpClientConnection::TakeCredit(TcpClientCall* call) {
  if (credits_ == 0) {
    call->state_ = TcpClientCall::State::kUncredited;
    uncredited_.Append(call);
    return false;
  }
  --credits_;
  return true;
}

absl::Status TcpClientConnection::AddCredits(uint32_t credits) {
  if (is_stopped_) return absl::OkStatus();
  if (credits > kOneWayWindow - credits_) {
    return absl::InvalidArgumentError(absl::StrCat("credit for ", credits,
                                                   " one-way messages, of which ",
                                                   kOneWayWindow - credits_, " are on their way"));
  }
  credits_ += credits;
  return absl::OkStatus();
}

// Lets the calls that have waited for a credit go on. Returns whether some were queued.
bool TcpClientConnection::UseCredits() {
  bool has_queued = false;
  while (credits_ > 0 && !uncredited_.empty()) {
    TcpClientCall* call = uncredited_.first();
    uncredited_.Remove(call);
    --credits_;
    if (!waiting_.empty() || queue_is_full()) {
      call->state_ = TcpClientCall::State::kWaiting;
      waiting_.Append(call);
      continue;
    }
    Send(call);
    handed_over_.Append(call);
    has_queued = true;
  }
  return has_queued;
}

// The credit of a call that will not be sent, as the queue had no room for it.
void TcpClientConnection::PassCredit() {
  if (uncredited_.empty()) {
    ++credits_;
    return;
  }
  TcpClientCall* call = uncredited_.first();
  uncredited_.Remove(call);
  call->state_ = TcpClientCall::State::kWaiting;
  waiting_.Append(call);
}

void TcpClientConnection::OnCredits() {
  bool flush = false;
  std::vector<std::function<void()>> drained;
  {
    absl::MutexLock lock(&mutex_);
    flush = UseCredits() && ClaimFlush();
    drained = TakeDrained();
  }
  if (flush) LeaveFlushToLoop();
  EndHandedOver();
  for (const auto& done : drained) done();
}

// Those who wait for nothing more; none while messages are on their way.
std::vector<std::function<void()>> TcpClientConnection::TakeDrained() {
  if (credits_ < kOneWayWindow) return {};
  return std::exchange(drains_, {});
}

void TcpClientConnection::AfterShrinking() { EndHandedOver(); }

void TcpClientConnection::EndHandedOver() {
  while (true) {
    TcpClientCall* call = nullptr;
    {
      absl::MutexLock lock(&mutex_);
      if (handed_over_.empty()) return;
      call = handed_over_.first();
      handed_over_.Remove(call);
    }
    End(call, absl::OkStatus());
  }
}

void TcpClientConnection::DrainOneWay(std::function<void()> done) {
  {
    absl::MutexLock lock(&mutex_);
    if (credits_ < kOneWayWindow) return drains_.push_back(std::move(done));
  }
  done();
}

// The connection is lost, and no call waits. Returns those who wait for what was on its way.
std::vector<std::function<void()>> TcpClientConnection::ForgetOneWay() {
  one_way_lost_ += kOneWayWindow - credits_;
  credits_ = kOneWayWindow;
  return std::exchange(drains_, {});
}

int64_t TcpClientConnection::one_way_lost() const {
  absl::MutexLock lock(&mutex_);
  return one_way_lost_;
}

}  // namespace distbench
