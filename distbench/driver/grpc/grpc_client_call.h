// GrpcClientCall: what a grpc driver keeps with a pooled call object, and reuses for each RPC.
//
//            Start                      Release
//   kIdle ----------> kInFlight ---------------------> kIdle        (the gRPC call is dropped)
//                      |     ^                           ^
//    CancelFromOutside |     | CancelFromOutside ends    | Release; CancelFromOutside drops
//                      v     |                           | the gRPC call then
//                      kHeld ----------------------------'
//
// All six operations of a unary call are one batch, so that a call costs one event. The gRPC call
// is kept until Release(), because CancelCall may come until then, on another thread than the
// event. Only the driver's Stop comes from outside that order; it holds the gRPC call by the state
// while it cancels it.
//
// Destroyed with the call object (GrpcCallState), or, when Stop has given it up, with the event
// that ends it, whichever is later.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_CALL_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_CALL_H_

#include <grpc/grpc.h>

#include <atomic>
#include <memory>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/grpc/completion_event.h"
#include "distbench/driver/grpc/message_buffer.h"
#include "distbench/driver/grpc/peer_channel.h"

namespace distbench {

class GrpcClient;

class GrpcClientCall final : public CompletionEvent {
 public:
  explicit GrpcClientCall(std::shared_ptr<GrpcClient> client);

  // Requires: idle; the client's gate was entered for `call`.
  void Start(ClientCall* call, const PeerChannel& peer, grpc_completion_queue* queue);

  // Requires: not called at the same time as Release().
  void Cancel();
  void Release();

  // As Cancel(), for a thread that knows nothing of the call's state.
  void CancelFromOutside();

  // The call object is destroyed.
  void Orphan();

  void OnEvent(bool ok) override;

 private:
  enum class State { kIdle, kInFlight, kHeld };
  // Of a call that Stop has given up: who still refers to this object.
  enum class Remains { kHandleAndEvent, kHandle, kEvent };

  ~GrpcClientCall();

  void PrepareBatch();
  absl::Status TakeStatus(bool has_response);
  void EndAbandoned();
  void DeleteAbandoned();

  const std::shared_ptr<GrpcClient> client_;

  // The batch refers to these.
  static constexpr size_t kOperations = 6;
  grpc_op batch_[kOperations];
  SendBuffer request_;
  grpc_metadata_array initial_metadata_;
  grpc_byte_buffer* response_ = nullptr;
  grpc_metadata_array trailing_metadata_;
  grpc_status_code status_code_ = GRPC_STATUS_OK;
  grpc_slice status_details_;

  // The current RPC.
  ClientCall* call_ = nullptr;
  ShardIndex shard_;
  const PeerChannel* peer_ = nullptr;
  grpc_call* grpc_call_ = nullptr;
  bool has_ended_ = true;  // the engine was told

  std::atomic<State> state_{State::kIdle};
  std::atomic<Remains> remains_{Remains::kHandleAndEvent};
};

// The handle that lives with the call object.
class GrpcCallState final : public DriverCallState {
 public:
  explicit GrpcCallState(GrpcClientCall* call) : call_(call) {}
  ~GrpcCallState() override { call_->Orphan(); }

  // Requires: `call` was given its state by a grpc driver.
  static GrpcClientCall& Of(ClientCall* call) {
    return *static_cast<GrpcCallState*>(call->driver_state.get())->call_;
  }

 private:
  GrpcClientCall* const call_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_CALL_H_
