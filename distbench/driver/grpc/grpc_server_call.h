// GrpcServerCall: one request at a time, from its arrival to the end of its answer.
//
//                 AskForRequest            OnEvent               Respond, RespondError
//   kFree (pool) ---------------> kAsked -----------> kUnanswered ---------------------> kAnswering
//        ^                           |                (the engine's)                         |
//        |  OnEvent: server stops    |                                              OnEvent  |
//        '---------------------------'-------------------------------------------------------'
//
// A request costs two events: its arrival, with its message, and the end of its answer, which is
// one batch. Events come on a thread of the queue, an answer from any. Between its arrival and
// OnRequest a request may pass through a thread pool.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_SERVER_CALL_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_SERVER_CALL_H_

#include <grpc/grpc.h>

#include <cstdint>

#include "absl/status/status.h"
#include "distbench/base/indices.h"
#include "distbench/driver/grpc/completion_event.h"
#include "distbench/driver/grpc/completion_threads.h"
#include "distbench/driver/grpc/message_buffer.h"
#include "distbench/driver/grpc/thread_pool.h"
#include "distbench/driver/server_call.h"

namespace distbench {

class GrpcServer;

struct GrpcServerCallOptions {
  GrpcServer* server = nullptr;
  ShardIndex shard;  // for which the queue stands
  QueueIndex queue;
};

class GrpcServerCall final : public CompletionEvent, public PoolTask, public ServerCall {
 public:
  explicit GrpcServerCall(const GrpcServerCallOptions& options);
  ~GrpcServerCall();

  QueueIndex queue() const { return queue_; }

  // Requires: not active, or just taken from the pool.
  void AskForRequest();

  void Respond(const OutgoingMessage& response) override;
  void RespondError(const absl::Status& status) override;

  void OnEvent(bool ok) override;
  void RunInPool() override;

 private:
  enum class State { kFree, kAsked, kUnanswered, kAnswering };

  void PrepareBatch();
  void OnRequest();
  void HandleHere();
  void Refuse();
  // Requires: the gate has let a callback begin.
  void HandleInCallback();
  void OnAnswered();
  void Answer(size_t operations);

  GrpcServer* const server_;
  const ShardIndex shard_;
  const QueueIndex queue_;

  State state_ = State::kFree;
  bool is_counted_ = false;  // by the server's gate
  int64_t arrival_ns_ = 0;   // of the request

  // Written by gRPC.
  grpc_call* call_ = nullptr;
  gpr_timespec deadline_;
  grpc_metadata_array metadata_;
  grpc_byte_buffer* request_ = nullptr;
  int was_cancelled_ = 0;

  // The answer. The message is the last operation, so that an error can do without.
  static constexpr size_t kOperationsOfError = 3;
  static constexpr size_t kOperationsOfResponse = 4;
  grpc_op batch_[kOperationsOfResponse];
  SendBuffer response_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_SERVER_CALL_H_
