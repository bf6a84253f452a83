// UnknownMethod: answers calls of methods that the data plane does not have with UNIMPLEMENTED,
// one after another. Without it gRPC would let such a caller wait.
//
// On the threads of queue 0, one at a time.
#ifndef DISTBENCH_DRIVER_GRPC_UNKNOWN_METHOD_H_
#define DISTBENCH_DRIVER_GRPC_UNKNOWN_METHOD_H_

#include <grpc/grpc.h>

#include "distbench/driver/grpc/completion_event.h"
#include "distbench/driver/grpc/completion_threads.h"

namespace distbench {

class GrpcServer;

class UnknownMethod final : public CompletionEvent {
 public:
  explicit UnknownMethod(GrpcServer* server);
  ~UnknownMethod();

  // Requires: the server was started. Repeats itself until the server stops, and tells it then.
  void AskForRequest();

  void OnEvent(bool ok) override;

 private:
  static constexpr QueueIndex kQueue{0};

  void Refuse();

  GrpcServer* const server_;
  bool is_refusing_ = false;
  grpc_call* call_ = nullptr;
  grpc_call_details details_;
  grpc_metadata_array metadata_;
  int was_cancelled_ = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_UNKNOWN_METHOD_H_
