// TcpClientConnection: one of a client's connections to a peer: makes it, keeps it, and has the
// calls on it.
//
//             Begin                connected            hello
//   kClosed ---------> kConnecting -----------> kGreeting -----> kReady
//                         ^  |                      |              |
//                  pause  |  | error                | error        | error: the calls on it fail
//                         '--'<---------------------'<-------------'
//
//   Stop, from any state: kStopped. Before the first kReady also at the deadline of Begin().
//
// A connection that broke is tried again after a pause, which doubles up to a limit; until it is
// back its calls fail at once with what broke it.
//
// Calls may start, be cancelled and expire on any thread; answers come on the loop's. What a full
// queue cannot take waits in a list of the calls themselves. Counted by the client's gate.
#ifndef DISTBENCH_DRIVER_TCP_TCP_CLIENT_CONNECTION_H_
#define DISTBENCH_DRIVER_TCP_TCP_CLIENT_CONNECTION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "distbench/base/timer.h"
#include "distbench/driver/call_gate.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/tcp/call_table.h"
#include "distbench/driver/tcp/endpoint.h"
#include "distbench/driver/tcp/member_timer.h"
#include "distbench/driver/tcp/tcp_client_call.h"
#include "distbench/driver/tcp/tcp_connection.h"
#include "distbench/driver/tcp/tcp_settings.h"
#include "distbench/net/device_binding.h"

namespace distbench {

struct TcpClientConnectionOptions {
  EventLoop* loop = nullptr;       // outlives the connection
  TimerService* timers = nullptr;  // these two outlive the calls
  CallGate* gate = nullptr;
  const void* group = nullptr;  // of the connections to the same peer
  TcpEndpoint endpoint;
  TcpSideSettings settings;
  std::optional<DeviceBinding> device = {};  // that the socket is bound to; none: to none
};

class TcpClientConnection final : public TcpConnection {
 public:
  explicit TcpClientConnection(const TcpClientConnectionOptions& options);

  // Begins to connect. Calls `done` once, on the loop's thread, when calls may start or, at the
  // deadline, with the reason why they may not; then, and after Stop, with an error.
  void Begin(absl::Time deadline, std::function<void(absl::Status)> done);

  // Ends all calls, and those that come, with CANCELLED, and lets the peer close the connection;
  // CloseNow() does not wait for it. `closed` is called, on the loop's thread, when that is done.
  void Stop(std::function<void()> closed);
  void CloseNow();

  // Whether a call that starts now is sent, as far as is known.
  bool is_ready() const { return is_ready_.load(std::memory_order_relaxed); }

  // Requires: the gate was entered for call->call.
  void Start(TcpClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);
  void Cancel(TcpClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);

  void OnReady(uint32_t epoll_events) override;

 private:
  friend class TcpClientCall;

  // What is to be done once the mutex is free.
  struct Outcome {
    bool flush = false;
    absl::Status error;  // not OK: the call has ended
  };

  // Connecting, on the loop's thread.
  void Connect();
  void OnConnected(uint32_t epoll_events);
  void OnFailed(const absl::Status& reason);
  void GiveUp();
  void Report(const absl::Status& status);
  void ShutDown();
  void NotifyClosed();

  void OnGreeted() override;
  void OnClosed(const absl::Status& reason) override;

  // Calls.
  Outcome TryStart(TcpClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);
  void Send(TcpClientCall* call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnQueueShrunk() override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes the call out of the table or the list, and tells the server; false if it is in neither.
  bool TakeOut(TcpClientCall* call, bool* flush) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<TcpClientCall*> TakeAllOut() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FailAll(const absl::Status& status, bool for_good) ABSL_LOCKS_EXCLUDED(mutex_);
  void ArmDeadline(TcpClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDeadline(TcpClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);
  void DisarmDeadline(TcpClientCall* call);
  void End(TcpClientCall* call, const absl::Status& status);

  absl::Status OnFrames(const FrameBatch& batch) override;
  absl::Status FindCalls(const FrameBatch& batch, TcpClientCall** calls, size_t* count)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Deliver(ClientCall* call, const FrameHeader& header, const ReceivedMessage& body);

  const TcpClientConnectionOptions options_;

  // The loop's thread's.
  SharedSocket connecting_;                 // while it connects
  std::function<void(absl::Status)> done_;  // null once it was called
  absl::Status last_error_;
  absl::Duration pause_;  // before the next attempt
  bool is_shut_down_ = false;
  std::vector<std::function<void()>> closed_;  // of those who stop this
  MemberTimer<TcpClientConnection, &TcpClientConnection::Connect> retry_timer_{this};
  MemberTimer<TcpClientConnection, &TcpClientConnection::GiveUp> deadline_timer_{this};

  // OK while calls can be sent; else what they end with.
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> is_ready_{false};  // status_ is OK; written with the mutex held
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  CallTable<TcpClientCall> calls_ ABSL_GUARDED_BY(mutex_);
  WaitingCalls waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_CLIENT_CONNECTION_H_
