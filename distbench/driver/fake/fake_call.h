// FakeCall: one RPC on a FakeNetwork, seen from both its ends.
//
// To its client a one-way RPC ends when it is handed over to the network. For everybody else it
// goes on as drawn here:
//
//            Send              Deliver                  Respond, RespondError
//   client  ------>  network  --------->  server owes  ----------------------->  ended
//              |         |                     |                                   ^
//              '---------'---------------------'-----------------------------------'
//                 End: deadline, cancel, network error, either side's Stop
//
// Whoever calls End() first ends the call; later ends are ignored. The server's duty to answer
// outlasts that: its responder stays valid, it only reaches nobody.
//
// Thread-safe. Kept alive by shared pointers: the client side's while it has not ended, the
// network's while it travels, its own while the server owes an answer, and the one of whoever is
// calling a method.
#ifndef DISTBENCH_DRIVER_FAKE_FAKE_CALL_H_
#define DISTBENCH_DRIVER_FAKE_FAKE_CALL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/timer.h"
#include "distbench/driver/call_gate.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/server_call.h"

namespace distbench {

class FakeCall;

// The calls that one side of a driver has open. Thread-safe.
class OpenFakeCalls {
 public:
  // A fake has no event loops: one shard counts for all.
  static constexpr ShardIndex kShard{0};

  CallGate& gate() { return gate_; }
  void Add(std::shared_ptr<FakeCall> call);
  void Remove(FakeCall* call);

  // Ends all calls that are open now.
  void EndAll(const absl::Status& status);

 private:
  CallGate gate_{1};
  absl::Mutex mutex_;
  absl::flat_hash_map<FakeCall*, std::shared_ptr<FakeCall>> calls_ ABSL_GUARDED_BY(mutex_);
};

class FakeCall final : public ServerCall, public std::enable_shared_from_this<FakeCall> {
 public:
  // Requires: `calls->gate().Enter()` was granted for this call.
  FakeCall(ClientCall* client, std::shared_ptr<OpenFakeCalls> calls, TimerService* timers);

  // --- Client side

  // Registers with the open calls and arms the deadline. Called once, before anything else.
  void Begin();

  bool ended() const;

  // Ends the call with an error unless it has ended.
  void End(const absl::Status& status);

  // The same for the client's sake: not where it was handed over.
  void EndForClient(const absl::Status& status);

  // Of a one-way call, before it travels: tells the client. `gone` is called when the call has
  // ended. False if that is so already.
  bool HandOver(std::function<void()> gone);

  // --- Network

  // Runs `deliver` at `time_ns` (monotonic) unless the call ends before.
  void DeliverAt(int64_t time_ns, std::function<void()> deliver);

  // --- Server side

  ShardIndex shard() const { return shard_; }

  // Gives the request, which arrives now, to `handler`. Requires: `calls->gate()` was entered in a
  // callback.
  void Deliver(std::shared_ptr<OpenFakeCalls> calls, RequestHandler* handler, int64_t now_ns);
  void Respond(const OutgoingMessage& response) override;
  void RespondError(const absl::Status& status) override;

 private:
  // Keeps its call alive while it is armed.
  class Alarm final : public Timer {
   public:
    void OnTimer() override;
    std::shared_ptr<FakeCall> call;
    std::function<void()> action;
  };

  void Arm(Alarm* alarm, int64_t time_ns, std::function<void()> action) ABSL_LOCKS_EXCLUDED(mutex_);
  void Disarm(Alarm* alarm) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void End(const absl::Status& status, const ReceivedMessage& response);
  void LeaveServer();

  const std::shared_ptr<OpenFakeCalls> client_calls_;
  TimerService* const timers_;
  const ShardIndex shard_;
  const int64_t deadline_ns_;
  const std::string request_head_;
  const int64_t request_payload_size_;
  const uint32_t request_payload_offset_;

  mutable absl::Mutex mutex_;
  bool has_ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_wanted_ ABSL_GUARDED_BY(mutex_) = true;  // false: is about to end
  ClientCall* client_ ABSL_GUARDED_BY(mutex_);     // null once it was told
  std::function<void()> gone_ ABSL_GUARDED_BY(mutex_);
  Alarm deadline_;  // both armed and disarmed under the mutex
  Alarm delivery_;

  // Written before the request is handed over, then the responder's.
  std::shared_ptr<OpenFakeCalls> server_calls_;
  std::shared_ptr<FakeCall> owed_;  // this, while the server owes an answer
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_FAKE_FAKE_CALL_H_
