// CallbackThreads: keeps the threads that gRPC completes callback calls on alive.
//
// gRPC starts them with the first callback call of a process and ends them with the last channel
// that has made one. The thread that destroys that channel joins them, so it must not be one of
// them: while this object lives, it is not the last.
#ifndef DISTBENCH_DRIVER_GRPC_CALLBACK_THREADS_H_
#define DISTBENCH_DRIVER_GRPC_CALLBACK_THREADS_H_

#include <grpcpp/channel.h>

#include <memory>

namespace distbench {

class CallbackThreads {
 public:
  CallbackThreads();
  // Not on a callback thread.
  ~CallbackThreads();

 private:
  const std::shared_ptr<grpc::Channel> channel_;  // leads nowhere
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_CALLBACK_THREADS_H_
