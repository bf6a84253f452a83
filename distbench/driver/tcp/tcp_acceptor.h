// TcpAcceptor: takes the connections that come to a listening socket.
//
// Where the process has no descriptor left for one, it is left in the kernel's queue and tried
// again after a pause; nothing spins. Lives in one loop.
#ifndef DISTBENCH_DRIVER_TCP_TCP_ACCEPTOR_H_
#define DISTBENCH_DRIVER_TCP_TCP_ACCEPTOR_H_

#include <cstdint>
#include <functional>

#include "distbench/base/member_timer.h"
#include "distbench/driver/tcp/event_loop.h"
#include "distbench/driver/tcp/stream_socket.h"

namespace distbench {

class TcpAcceptor final : public LoopMember {
 public:
  // `on_accepted` is called on the loop's thread.
  TcpAcceptor(EventLoop* loop, SharedSocket listener,
              std::function<void(SharedSocket)> on_accepted);

  // Both on any thread but a loop's. Nothing is accepted after Stop has returned.
  void Start();
  void Stop();

  void OnReady(uint32_t epoll_events) override { AcceptAll(); }

 private:
  void AcceptAll();

  EventLoop* const loop_;
  const std::function<void(SharedSocket)> on_accepted_;
  SharedSocket listener_;  // null once stopped; the loop's thread's
  bool is_pausing_ = false;
  MemberTimer<TcpAcceptor, &TcpAcceptor::AcceptAll> retry_timer_{this};
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_ACCEPTOR_H_
