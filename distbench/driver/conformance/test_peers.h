// TestCall, TestServer: an engine's two sides, reduced to what a driver's test looks at.
#ifndef DISTBENCH_DRIVER_CONFORMANCE_TEST_PEERS_H_
#define DISTBENCH_DRIVER_CONFORMANCE_TEST_PEERS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

// A limit for what is to happen soon: far away, so that a slow machine does not fail a test.
absl::Time Soon();

// All bytes of a message, in one piece.
std::string Flatten(const ReceivedMessage& message);
std::string Flatten(const OutgoingMessage& message);

// One call object, for one RPC after the other. A second OnCallDone for one Start fails the test.
// Requires for destruction: not started, or ended, or given up by the driver's Stop.
class TestCall final : public ClientCall {
 public:
  explicit TestCall(ProtocolDriver& driver) : driver_(driver) {
    driver_state = driver.NewCallState();
  }

  // Starts an RPC with the request, peer, shard and deadline that are set. Releases the last one.
  void Start();
  void Cancel() { driver_.CancelCall(this); }

  // Blocks until the call has ended.
  absl::Status Wait() const;

  // Of the last RPC.
  bool done() const;
  absl::Status status() const;
  std::string response() const;

  void OnCallDone(const absl::Status& status, const ReceivedMessage& response) override;

 private:
  ProtocolDriver& driver_;
  bool needs_release_ = false;  // the test thread's

  mutable absl::Mutex mutex_;
  bool done_ ABSL_GUARDED_BY(mutex_) = true;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::string response_ ABSL_GUARDED_BY(mutex_);
};

// A request handler that keeps what it gets until the test answers, or answers by a function.
class TestServer final : public RequestHandler {
 public:
  using Answer = std::function<void(const ReceivedMessage& request, Responder responder)>;

  // Keeps the requests.
  TestServer() = default;
  // Answers inside OnRequest, on any thread.
  explicit TestServer(Answer answer) : answer_(std::move(answer)) {}

  // Blocks until a request is kept and takes it.
  Responder Take();
  size_t kept() const;

  // Answers, with an empty message, what is kept and all that comes from now on.
  void AnswerAll();

  void OnRequest(ShardIndex shard, const ReceivedMessage& request, Responder responder) override;

 private:
  const Answer answer_;
  mutable absl::Mutex mutex_;
  std::vector<Responder> kept_ ABSL_GUARDED_BY(mutex_);
  bool answers_all_ ABSL_GUARDED_BY(mutex_) = false;
};

// An answer function: the request's own bytes.
void Echo(const ReceivedMessage& request, Responder responder);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_CONFORMANCE_TEST_PEERS_H_
