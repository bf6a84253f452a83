// GrpcServer: the server side of a GrpcDriver: one listening port, polled through several
// completion queues, each of which stands for one shard of the process.
//
// On each queue some requests are asked of gRPC in advance, so that requests that arrive together
// do not wait for each other. Each arrival asks for the next one before it is handled; the calls
// that this takes come from the queue's stock, which grows to the largest number of requests that
// were open at once. A request is handled by the thread that received it, or by a thread pool.
//
//   Start --> serving --BeginStop--> no new requests --FinishStop--> answered or detached
//
// After that the server lives on until gRPC has let go of it and every request was answered, so
// that responders which come late do no harm.
//
// Threads: a queue's stock belongs to the queue's thread, or, if it has several, is locked; the
// rest is constant or atomic.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_SERVER_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_SERVER_H_

#include <grpc/grpc.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/base/indices.h"
#include "distbench/driver/call_gate.h"
#include "distbench/driver/grpc/channel_arguments.h"
#include "distbench/driver/grpc/completion_event.h"
#include "distbench/driver/grpc/completion_threads.h"
#include "distbench/driver/grpc/unknown_method.h"
#include "distbench/driver/server_call.h"
#include "distbench/net/data_plane_address.h"

namespace distbench {

class GrpcServerCall;
class ThreadPool;

struct GrpcServerOptions {
  std::vector<ChannelArgument> arguments = {};  // beyond ServerChannelArguments()
  const CompletionThreads* threads = nullptr;   // outlive the server
  ThreadPool* pool = nullptr;                   // likewise; null: the receiving thread handles
  size_t shards = 1;
  grpc_server_credentials* credentials = nullptr;
  const DataPlaneAddress* address = nullptr;
  RequestHandler* handler = nullptr;
};

class GrpcServer final : public std::enable_shared_from_this<GrpcServer> {
 public:
  // Listens and serves.
  static absl::StatusOr<std::shared_ptr<GrpcServer>> Start(const GrpcServerOptions& options);
  ~GrpcServer();

  uint16_t port() const { return port_; }

  // The two halves of Stop(): refuses new requests; then waits for answers until `deadline` and
  // detaches from the engine. Returns how many requests were not answered.
  void BeginStop();
  int64_t FinishStop(absl::Time deadline);

 private:
  friend class GrpcServerCall;
  friend class UnknownMethod;

  // The calls of one queue. Each is free, or active: it waits for a request or for its answer.
  struct Stock {
    absl::Mutex mutex;  // taken only if the queue has several threads
    std::vector<std::unique_ptr<GrpcServerCall>> calls;
    std::vector<GrpcServerCall*> free;
    size_t active = 0;
  };

  class ShutdownEvent final : public CompletionEvent {
   public:
    explicit ShutdownEvent(GrpcServer* server) : server_(server) {}
    void OnEvent(bool ok) override { server_->OnPartEnded(); }

   private:
    GrpcServer* const server_;
  };

  explicit GrpcServer(const GrpcServerOptions& options);
  absl::Status Listen(const GrpcServerOptions& options);
  void Serve();

  GrpcServerCall* TakeFreeCall(QueueIndex queue);
  int64_t NowNs() const { return clock_.MonotonicNs(); }
  ShardIndex ShardOf(QueueIndex queue) const { return ShardIndex(queue.value() % shards_); }
  // Null if the queue has but one thread.
  absl::Mutex* Lockable(Stock& stock) const { return stocks_are_shared_ ? &stock.mutex : nullptr; }

  // For GrpcServerCall, on a thread of its queue.
  void AskForRequest(QueueIndex queue);
  void CallEnded(GrpcServerCall* call);

  // Each queue, the shutdown and the unknown methods are parts. The last one that ends lets go of
  // this server, which may destroy it.
  void OnPartEnded();
  bool AwaitEnded(absl::Time deadline) ABSL_LOCKS_EXCLUDED(mutex_);

  const SystemClock clock_;  // its own, since requests may come after the driver has gone
  const CompletionThreads& threads_;
  const bool stocks_are_shared_;
  ThreadPool* const pool_;
  const size_t shards_;
  RequestHandler* const handler_;
  grpc_server* const server_;
  void* const method_;  // owned by the server
  uint16_t port_ = 0;
  CallGate gate_;  // requests that the engine has not answered
  IndexedVector<QueueIndex, Stock> stocks_;
  UnknownMethod unknown_method_;
  ShutdownEvent shutdown_{this};

  std::atomic<size_t> running_parts_;
  std::shared_ptr<GrpcServer> keep_alive_;  // while a part runs
  absl::Mutex mutex_;
  bool has_ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_SERVER_H_
