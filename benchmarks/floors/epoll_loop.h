// EpollLoop: one thread's FramedSockets. Blocks until some of them are readable, or writable where
// something is unsent. Not thread-safe.
#ifndef BENCHMARKS_FLOORS_EPOLL_LOOP_H_
#define BENCHMARKS_FLOORS_EPOLL_LOOP_H_

#include <sys/epoll.h>

#include "benchmarks/floors/framed_socket.h"

namespace distbench {

class EpollLoop {
 public:
  EpollLoop();
  ~EpollLoop();
  EpollLoop(const EpollLoop&) = delete;
  EpollLoop& operator=(const EpollLoop&) = delete;

  // The socket outlives the loop, or is removed. Thread-safe.
  void Add(FramedSocket* socket);
  void Remove(FramedSocket* socket);

  // Waits once and calls `on_ready(FramedSocket*)` for each socket with something to do.
  template <typename OnReady>
  void Wait(OnReady on_ready) {
    epoll_event events[kMaxEvents];
    const int count = epoll_wait(descriptor_, events, kMaxEvents, /*timeout=*/-1);
    for (int i = 0; i < count; ++i) on_ready(static_cast<FramedSocket*>(events[i].data.ptr));
  }

  // Flushes; what does not go out now makes the socket ready as soon as it can. False if the peer
  // has gone.
  bool Flush(FramedSocket* socket);

 private:
  static constexpr int kMaxEvents = 64;

  void Control(int operation, FramedSocket* socket, uint32_t events);

  const int descriptor_;
};

}  // namespace distbench

#endif  // BENCHMARKS_FLOORS_EPOLL_LOOP_H_
