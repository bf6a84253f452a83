#include "distbench/driver/grpc/grpc_resources.h"

namespace distbench {

GrpcResources::GrpcResources(const GrpcResourcesOptions& options)
    : placement_(options.placement),
      channel_credentials_(options.channel_credentials != nullptr
                               ? options.channel_credentials
                               : grpc_insecure_credentials_create()),
      server_credentials_(options.server_credentials != nullptr
                              ? options.server_credentials
                              : grpc_insecure_server_credentials_create()) {}

GrpcResources::~GrpcResources() = default;

const CompletionThreads& GrpcResources::Loops(const LoopKey& key) {
  absl::MutexLock lock(&mutex_);
  std::unique_ptr<CompletionThreads>& loops = loops_[key];
  if (loops == nullptr) {
    loops = std::make_unique<CompletionThreads>(
        CompletionThreadsOptions{.queues = key.queues,
                                 .threads_per_queue = key.threads_per_queue,
                                 .placement = placement_,
                                 .name = key.for_servers_only ? "db-grpcs" : "db-grpc"});
  }
  return *loops;
}

ThreadPool& GrpcResources::Pool(const PoolKey& key) {
  absl::MutexLock lock(&mutex_);
  std::unique_ptr<ThreadPool>& pool = pools_[key];
  if (pool == nullptr) {
    pool = std::make_unique<ThreadPool>(
        ThreadPoolOptions{.growth = key.growth, .size = key.size, .placement = placement_});
  }
  return *pool;
}

void GrpcResources::StartCallbackThreads() {
  absl::MutexLock lock(&mutex_);
  if (callback_threads_ == nullptr) callback_threads_ = std::make_unique<CallbackThreads>();
}

}  // namespace distbench
