// HeldDriver: a protocol driver whose server gets as many requests as the benchmark wants, and
// whose calls never end before Stop(). What makes an engine's lists wait, for as long as one looks.
//
// All of its memory is taken by its constructor, so that what grows afterwards is the engine's.
// InjectRequests() and Stop() are called by one thread; StartCall() by any.
#ifndef BENCHMARKS_HELD_DRIVER_H_
#define BENCHMARKS_HELD_DRIVER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class HeldDriver final : public ProtocolDriver {
 public:
  // `capacity`: requests that may be injected, and calls that may be held.
  explicit HeldDriver(size_t capacity);
  ~HeldDriver() override;

  // Delivers `count` requests for the RPC at position 0, one after the other, on shards in turn.
  // Requires: StartServer() was called.
  void InjectRequests(size_t count, size_t shards);

  size_t held_calls() const;
  size_t answered_requests() const;

  absl::Status StartServer(RequestHandler* handler) override;
  absl::StatusOr<std::string> AcceptConnection(absl::string_view initiator_info) override;
  std::string InitiatorInfo() override { return ""; }
  void Connect(InstanceIndex peer, absl::string_view responder_info, absl::Time deadline,
               std::function<void(absl::Status)> done) override;
  void StartCall(ClientCall* call) override;
  // Only Stop() ends a call: the engine is stopped as soon as it was looked at.
  void CancelCall(ClientCall* call) override {}
  DriverCapabilities capabilities() const override { return {}; }
  int64_t Stop(absl::Time deadline) override;

 private:
  class Request;

  RequestHandler* handler_ = nullptr;
  const std::unique_ptr<Request[]> requests_;
  size_t injected_ = 0;

  mutable absl::Mutex mutex_;
  std::vector<ClientCall*> calls_ ABSL_GUARDED_BY(mutex_);
  size_t answered_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace distbench

#endif  // BENCHMARKS_HELD_DRIVER_H_
