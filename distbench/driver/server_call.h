// ServerCall and Responder: one incoming RPC, from the driver's and from the engine's side.
#ifndef DISTBENCH_DRIVER_SERVER_CALL_H_
#define DISTBENCH_DRIVER_SERVER_CALL_H_

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/payload/message.h"

namespace distbench {

// Owned by the driver, which reuses it after it was answered. Exactly one of the two answers is
// given, on any thread, possibly inside RequestHandler::OnRequest. An answer to a caller that has
// gone, or one that is given after the driver has stopped, reaches nobody and does no harm, as long
// as the driver's factory lives.
class ServerCall {
 public:
  // Sends the response; its head is copied or sent before this returns.
  virtual void Respond(const OutgoingMessage& response) = 0;

  // Ends the call with an error of the transport, without a response.
  virtual void RespondError(const absl::Status& status) = 0;

  // Room for whoever handles the call to keep what it knows of it, from OnRequest until the answer,
  // without an allocation of its own. Not touched by the driver.
  static constexpr size_t kScratchBytes = 128;
  void* scratch() { return scratch_; }

  // The caller gets no answer, whatever is given; it is given all the same, when the request has
  // been taken care of: then there is room for another one.
  bool is_one_way() const { return is_one_way_; }

 protected:
  ~ServerCall() = default;

  // Set before the request is handed over.
  bool is_one_way_ = false;

 private:
  alignas(std::max_align_t) std::byte scratch_[kScratchBytes];
};

// The right and the duty to answer one call. Answers exactly once: a responder that is dropped
// without an answer answers with an error, so that no caller waits for ever.
class Responder {
 public:
  Responder() = default;
  explicit Responder(ServerCall* call) : call_(call) {}
  Responder(Responder&& other) noexcept : call_(std::exchange(other.call_, nullptr)) {}
  Responder& operator=(Responder&& other) noexcept {
    std::swap(call_, other.call_);
    return *this;
  }
  ~Responder() {
    if (call_ != nullptr) call_->RespondError(absl::InternalError("request dropped unanswered"));
  }

  bool pending() const { return call_ != nullptr; }

  // All require: pending().
  bool is_one_way() const { return call_->is_one_way(); }
  void* scratch() { return call_->scratch(); }
  void Respond(const OutgoingMessage& response) {
    std::exchange(call_, nullptr)->Respond(response);
  }
  void RespondError(const absl::Status& status) {
    std::exchange(call_, nullptr)->RespondError(status);
  }

 private:
  ServerCall* call_ = nullptr;
};

// The engine, as a driver sees it.
class RequestHandler {
 public:
  // One request has arrived on the event loop `shard`. The request's bytes live until this
  // returns. Called on any of the driver's threads, many at a time; must be short and must not
  // block. The driver holds no lock.
  virtual void OnRequest(ShardIndex shard, const ReceivedMessage& request, Responder responder) = 0;

 protected:
  ~RequestHandler() = default;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_SERVER_CALL_H_
