// QueueClientCall: an RPC on the core library's interface, completed by the thread that polls its
// completion queue. All six operations of a unary call are one batch, so that an RPC costs one
// event.
#ifndef DISTBENCH_DRIVER_GRPC_QUEUE_CLIENT_CALL_H_
#define DISTBENCH_DRIVER_GRPC_QUEUE_CLIENT_CALL_H_

#include <grpc/grpc.h>

#include <cstddef>
#include <memory>

#include "distbench/driver/grpc/completion_event.h"
#include "distbench/driver/grpc/grpc_client_call.h"
#include "distbench/driver/grpc/message_buffer.h"

namespace distbench {

class QueueClientCall final : public GrpcClientCall, private CompletionEvent {
 public:
  explicit QueueClientCall(std::shared_ptr<GrpcClient> client);

 private:
  ~QueueClientCall() override;

  void Prepare(const ClientCall& call, const PeerChannel& channel,
               grpc_completion_queue* queue) override;
  void Send(const ClientCall& call, const PeerChannel& channel) override;
  void CancelRpc(const char* reason) override;
  void DropRpc() override;
  void OnEvent(bool ok) override;

  void PrepareBatch();
  absl::Status TakeStatus(bool has_response);

  // The batch refers to these.
  static constexpr size_t kOperations = 6;
  grpc_op batch_[kOperations];
  SendBuffer request_;
  grpc_metadata_array initial_metadata_;
  grpc_byte_buffer* response_ = nullptr;
  grpc_metadata_array trailing_metadata_;
  grpc_status_code status_code_ = GRPC_STATUS_OK;
  grpc_slice status_details_;

  grpc_call* grpc_call_ = nullptr;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_QUEUE_CLIENT_CALL_H_
