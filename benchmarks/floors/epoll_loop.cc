#include "benchmarks/floors/epoll_loop.h"

#include <unistd.h>

#include "glog/logging.h"

namespace distbench {

EpollLoop::EpollLoop() : descriptor_(epoll_create1(EPOLL_CLOEXEC)) { PCHECK(descriptor_ >= 0); }

EpollLoop::~EpollLoop() { close(descriptor_); }

void EpollLoop::Add(FramedSocket* socket) { Control(EPOLL_CTL_ADD, socket, EPOLLIN); }

void EpollLoop::Remove(FramedSocket* socket) { Control(EPOLL_CTL_DEL, socket, 0); }

bool EpollLoop::Flush(FramedSocket* socket) {
  if (!socket->Flush()) return false;
  if (socket->has_unsent() != socket->waits_to_write) {
    socket->waits_to_write = socket->has_unsent();
    Control(EPOLL_CTL_MOD, socket, socket->waits_to_write ? EPOLLIN | EPOLLOUT : EPOLLIN);
  }
  return true;
}

void EpollLoop::Control(int operation, FramedSocket* socket, uint32_t events) {
  epoll_event event = {};
  event.events = events;
  event.data.ptr = socket;
  PCHECK(epoll_ctl(descriptor_, operation, socket->descriptor(), &event) == 0);
}

}  // namespace distbench
