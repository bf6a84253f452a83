#include "distbench/driver/tcp/tcp_acceptor.h"

#include <cerrno>
#include <utility>

#include "glog/logging.h"

namespace distbench {
namespace {

constexpr absl::Duration kPause = absl::Milliseconds(100);

// One connection failed; others may do better.
bool ConcernsOneConnection(int error) {
  return error == EINTR || error == ECONNABORTED || error == EPROTO;
}

}  // namespace

TcpAcceptor::TcpAcceptor(EventLoop* loop, SharedSocket listener,
                         std::function<void(SharedSocket)> on_accepted)
    : loop_(loop), on_accepted_(std::move(on_accepted)), listener_(std::move(listener)) {}

void TcpAcceptor::Start() {
  loop_->RunAndWait([this] {
    PCHECK(loop_->Add(listener_->fd(), shared_from_this())) << "no room for a listening socket";
  });
}

void TcpAcceptor::Stop() {
  loop_->RunAndWait([this] {
    loop_->Disarm(&retry_timer_);
    loop_->Remove(listener_->fd());
    listener_.reset();
  });
}

void TcpAcceptor::AcceptAll() {
  if (listener_ == nullptr) return;
  while (true) {
    SharedSocket socket = Accept(*listener_);
    if (socket->valid()) {
      is_pausing_ = false;
      on_accepted_(std::move(socket));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return;
    } else if (!ConcernsOneConnection(errno)) {
      PLOG_IF(WARNING, !std::exchange(is_pausing_, true)) << "connections have to wait";
      loop_->Disarm(&retry_timer_);
      return loop_->Arm(&retry_timer_, kPause);
    }
  }
}

}  // namespace distbench
