// TcpCounters: what has gone over connections. Frames per read or write tell how well traffic is
// batched.
#ifndef DISTBENCH_DRIVER_TCP_TCP_COUNTERS_H_
#define DISTBENCH_DRIVER_TCP_TCP_COUNTERS_H_

#include <atomic>
#include <cstdint>

namespace distbench {

// Each number has one writer at a time (a thread, or whoever holds a lock) and any number of
// readers.
class TcpCounter {
 public:
  void Add(int64_t n) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

struct TcpCounters {
  TcpCounter connections;  // that got through the hello
  TcpCounter frames_sent;
  TcpCounter frames_received;
  TcpCounter bytes_sent;
  TcpCounter bytes_received;
  TcpCounter writes;  // system calls
  TcpCounter reads;

  void Add(const TcpCounters& other) {
    connections.Add(other.connections.value());
    frames_sent.Add(other.frames_sent.value());
    frames_received.Add(other.frames_received.value());
    bytes_sent.Add(other.bytes_sent.value());
    bytes_received.Add(other.bytes_received.value());
    writes.Add(other.writes.value());
    reads.Add(other.reads.value());
  }
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_COUNTERS_H_
