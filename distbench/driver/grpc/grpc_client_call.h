// GrpcClientCall: what a grpc driver keeps with a pooled call object, and reuses for each RPC.
//
//            Start                      Release
//   kIdle ----------> kInFlight ---------------------> kIdle        (the gRPC call is dropped)
//                      |     ^                           ^
//    CancelFromOutside |     | CancelFromOutside ends    | Release; CancelFromOutside drops
//                      v     |                           | the gRPC call then
//                      kHeld ----------------------------'
//
// The gRPC call is kept until Release(), because CancelCall may come until then, on another thread
// than its end. Only the driver's Stop comes from outside that order; it holds the gRPC call by
// the state while it cancels it.
//
// Destroyed with the call object (GrpcCallState), or, when Stop has given it up, with the event
// that ends it, whichever is later.
//
// How the RPC is made is the derived class's: QueueClientCall, CallbackClientCall.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_CALL_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_CLIENT_CALL_H_

#include <grpc/grpc.h>

#include <atomic>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "distbench/base/indices.h"
#include "distbench/driver/client_call.h"
#include "distbench/driver/grpc/peer_channel.h"

namespace distbench {

class GrpcClient;

class GrpcClientCall {
 public:
  explicit GrpcClientCall(std::shared_ptr<GrpcClient> client);
  GrpcClientCall(const GrpcClientCall&) = delete;
  GrpcClientCall& operator=(const GrpcClientCall&) = delete;

  // Requires: idle; the client's gate was entered for `call`. `channel` outlives the RPC.
  void Start(ClientCall* call, const PeerChannel& channel, grpc_completion_queue* queue);

  // Requires: not called at the same time as Release().
  void Cancel();
  void Release();

  // As Cancel(), for a thread that knows nothing of the call's state.
  void CancelFromOutside();

  // The call object is destroyed.
  void Orphan();

 protected:
  virtual ~GrpcClientCall();

  // Tells the engine. The response lives until this returns. Within it this object may be started
  // again, or be destroyed.
  void Ended(const absl::Status& status, const ReceivedMessage& response);

  // An error as the engine is told it.
  absl::Status ErrorOf(absl::StatusCode code, absl::string_view details) const;

 private:
  enum class State { kIdle, kInFlight, kHeld };
  // Of a call that Stop has given up: who still refers to this object.
  enum class Remains { kHandleAndEvent, kHandle, kEvent };

  // Makes the gRPC call, on `queue` if it is of that kind.
  virtual void Prepare(const ClientCall& call, const PeerChannel& channel,
                       grpc_completion_queue* queue) = 0;
  // Sends the request. From here on the RPC may end.
  virtual void Send(const ClientCall& call, const PeerChannel& channel) = 0;
  // Cancels the gRPC call, which is prepared and not dropped.
  virtual void CancelRpc(const char* reason) = 0;
  // Drops the gRPC call, which has ended.
  virtual void DropRpc() = 0;

  void EndAbandoned();
  void DeleteAbandoned();

  const std::shared_ptr<GrpcClient> client_;

  // The current RPC.
  ClientCall* call_ = nullptr;
  ShardIndex shard_;
  const PeerChannel* channel_ = nullptr;
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
