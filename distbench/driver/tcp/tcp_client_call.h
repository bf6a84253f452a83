// TcpClientCall: what the tcp driver keeps with a pooled call object, and reuses for each RPC.
//
//            Start                                the queue has room
//   kIdle ----------> kWaiting (in the list) ---------------------------> kInFlight (in the table)
//     ^      |            |                                                   ^    |
//     |      '------------+----- the queue has room at once -----------------'    |
//     |                   |                                                        |
//     '-------------------'---- answer, cancel, deadline, end of the connection ---'
//
// A one-way call without a credit is kUncredited first, in a list of such calls. When it is put
// into the queue it is kIdle again and ends at once.
//
// Whoever takes the call out of the table or the list, with the connection's mutex held, ends it.
//
// A deadline's timer may fire before the call is queued (then it is found expired), and while it is
// being ended by somebody else, who then waits for the timer's last instructions.
#ifndef DISTBENCH_DRIVER_TCP_TCP_CLIENT_CALL_H_
#define DISTBENCH_DRIVER_TCP_TCP_CLIENT_CALL_H_

#include <atomic>
#include <cstdint>

#include "distbench/base/timer.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/tcp/frame.h"

namespace distbench {

class TcpClientConnection;

class TcpClientCall final : public DriverCallState {
 public:
  // Requires: `call` was given its state by a tcp driver.
  static TcpClientCall& Of(ClientCall* call) {
    return *static_cast<TcpClientCall*>(call->driver_state.get());
  }

  bool is_one_way() const { return call->one_way; }

  // Written before the call starts.
  ClientCall* call = nullptr;
  TcpClientConnection* connection = nullptr;  // null until the first call

 private:
  friend class TcpClientConnection;
  friend class WaitingCalls;

  enum class State { kIdle, kUncredited, kWaiting, kInFlight };

  class Deadline final : public Timer {
   public:
    explicit Deadline(TcpClientCall* call) : call_(call) {}
    void OnTimer() override;

   private:
    TcpClientCall* const call_;
  };

  // Guarded by the connection's mutex.
  State state_ = State::kIdle;
  bool has_expired_ = false;
  CallId id_;
  TcpClientCall* next_waiting_ = nullptr;
  TcpClientCall* previous_waiting_ = nullptr;

  // Of the thread that starts the call, then of the one that ends it.
  bool has_deadline_ = false;
  std::atomic<bool> timer_is_done_{false};
  Deadline deadline_{this};
};

// Calls in the order of their coming; costs no allocation. Not thread-safe.
class WaitingCalls {
 public:
  bool empty() const { return first_ == nullptr; }
  TcpClientCall* first() const { return first_; }
  void Append(TcpClientCall* call);
  void Remove(TcpClientCall* call);

 private:
  TcpClientCall* first_ = nullptr;
  TcpClientCall* last_ = nullptr;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_CLIENT_CALL_H_
