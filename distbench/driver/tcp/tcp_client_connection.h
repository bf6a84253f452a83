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
// queue cannot take waits in a list of the calls themselves, one-way calls that have no credit in
// another one. Counted by the client's gate.
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
#include "distbench/base/member_timer.h"
#include "distbench/base/timer.h"
#include "distbench/driver/call_gate.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/tcp/call_table.h"
#include "distbench/driver/tcp/endpoint.h"
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

  // Calls `done` once, on any thread, when the peer has served all one-way calls that have ended,
  // or the connection is lost.
  void DrainOneWay(std::function<void()> done) ABSL_LOCKS_EXCLUDED(mutex_);
  // One-way messages that were handed over and then lost with their connection, perhaps served.
  int64_t one_way_lost() const ABSL_LOCKS_EXCLUDED(mutex_);

  void OnReady(uint32_t epoll_events) override;

 private:
  friend class TcpClientCall;

  // What is to be done once the mutex is free.
  struct Outcome {
    bool flush = false;
    bool has_ended = false;  // the call, and how
    absl::Status status;
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
  bool OnQueueShrunk() override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AfterShrinking() override ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes the call out of the table or a list, and tells the server; false if it is in none.
  bool TakeOut(TcpClientCall* call, bool* flush) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<TcpClientCall*> TakeAllOut() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FailAll(const absl::Status& status, bool for_good) ABSL_LOCKS_EXCLUDED(mutex_);
  void ArmDeadline(TcpClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);
  void OnDeadline(TcpClientCall* call) ABSL_LOCKS_EXCLUDED(mutex_);
  void DisarmDeadline(TcpClientCall* call);
  void End(TcpClientCall* call, const absl::Status& status);

  // One-way calls.
  bool TakeCredit(TcpClientCall* call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status AddCredits(uint32_t credits) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool UseCredits() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PassCredit() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnCredits() ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<std::function<void()>> TakeDrained() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndHandedOver() ABSL_LOCKS_EXCLUDED(mutex_);
  std::vector<std::function<void()>> ForgetOneWay() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Status OnFrames(const FrameBatch& batch) override;
  absl::Status FindCalls(const FrameBatch& batch, TcpClientCall** calls, size_t* count,
                         bool* has_credits) ABSL_LOCKS_EXCLUDED(mutex_);
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

  // One-way messages that may be queued; and the calls that wait for that. Calls in `waiting_` have
  // theirs.
  uint32_t credits_ ABSL_GUARDED_BY(mutex_) = kOneWayWindow;
  WaitingCalls uncredited_ ABSL_GUARDED_BY(mutex_);
  WaitingCalls handed_over_ ABSL_GUARDED_BY(mutex_);  // that are about to end
  std::vector<std::function<void()>> drains_ ABSL_GUARDED_BY(mutex_);
  int64_t one_way_lost_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_CLIENT_CONNECTION_H_
