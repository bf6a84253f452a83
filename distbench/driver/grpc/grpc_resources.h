// GrpcResources: what the grpc drivers of a process share: the library, credentials, event loops
// and thread pools. Loops and pools are made when a driver first asks for them, so that a process
// whose tests use no grpc has none; drivers with equal settings use the same ones. Thread-safe.
#ifndef DISTBENCH_DRIVER_GRPC_GRPC_RESOURCES_H_
#define DISTBENCH_DRIVER_GRPC_GRPC_RESOURCES_H_

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include <compare>
#include <cstddef>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/cpu_list.h"
#include "distbench/driver/grpc/callback_threads.h"
#include "distbench/driver/grpc/completion_threads.h"
#include "distbench/driver/grpc/thread_pool.h"

namespace distbench {

// Which loops; equal ones are the same.
struct LoopKey {
  size_t queues = 1;
  size_t threads_per_queue = 1;
  bool for_servers_only = false;

  auto operator<=>(const LoopKey&) const = default;
};

struct PoolKey {
  PoolGrowth growth = PoolGrowth::kFixed;
  size_t size = 1;

  auto operator<=>(const PoolKey&) const = default;
};

struct GrpcResourcesOptions {
  LoopPlacement placement;
  // Taken over. Null: no encryption, no authentication.
  grpc_channel_credentials* channel_credentials = nullptr;
  grpc_server_credentials* server_credentials = nullptr;
};

class GrpcResources {
 public:
  explicit GrpcResources(const GrpcResourcesOptions& options);
  // Joins all threads. Requires: the drivers have gone.
  ~GrpcResources();

  grpc_channel_credentials* channel_credentials() const { return channel_credentials_.get(); }
  grpc_server_credentials* server_credentials() const { return server_credentials_.get(); }

  // What these return lives as long as this object.
  const CompletionThreads& Loops(const LoopKey& key) ABSL_LOCKS_EXCLUDED(mutex_);
  ThreadPool& Pool(const PoolKey& key) ABSL_LOCKS_EXCLUDED(mutex_);

  // To be called before the first callback call.
  void StartCallbackThreads() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  class Library {
   public:
    Library() { grpc_init(); }
    ~Library() { grpc_shutdown(); }
  };
  struct Release {
    void operator()(grpc_channel_credentials* c) const { grpc_channel_credentials_release(c); }
    void operator()(grpc_server_credentials* c) const { grpc_server_credentials_release(c); }
  };

  const Library library_;  // first, for all below
  const LoopPlacement placement_;
  const std::unique_ptr<grpc_channel_credentials, Release> channel_credentials_;
  const std::unique_ptr<grpc_server_credentials, Release> server_credentials_;

  absl::Mutex mutex_;
  std::map<LoopKey, std::unique_ptr<CompletionThreads>> loops_ ABSL_GUARDED_BY(mutex_);
  // After the loops, since what is left in a pool is answered through them.
  std::map<PoolKey, std::unique_ptr<ThreadPool>> pools_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<CallbackThreads> callback_threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_GRPC_RESOURCES_H_
