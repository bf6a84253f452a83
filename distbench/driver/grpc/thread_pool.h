// ThreadPool: threads that handle requests which a completion queue's thread has received and hands
// off. One queue, first in, first out, for all threads.
//
// A fixed pool has `size` threads. An elastic one has as many as there are tasks at work, so that
// no task waits for another's end: a task that finds no idle thread gets a new one, up to
// kMaxElasticThreads, or to what the system gives; threads above `size` end when they have been
// idle for a while.
//
// Tasks are linked through themselves: to post one allocates nothing. Thread-safe.
#ifndef DISTBENCH_DRIVER_GRPC_THREAD_POOL_H_
#define DISTBENCH_DRIVER_GRPC_THREAD_POOL_H_

#include <cstddef>
#include <list>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/cpu_list.h"

namespace distbench {

class PoolTask {
 public:
  // After this has begun the task may be posted again, or be gone when it returns.
  virtual void RunInPool() = 0;

 protected:
  ~PoolTask() = default;

 private:
  friend class ThreadPool;
  PoolTask* next_ = nullptr;
};

enum class PoolGrowth { kFixed, kElastic };

struct ThreadPoolOptions {
  PoolGrowth growth = PoolGrowth::kFixed;
  size_t size = 1;  // at least one
  absl::Duration idle_limit = absl::Seconds(1);
  LoopPlacement placement;  // of the loops, which its threads are not
};

class ThreadPool {
 public:
  static constexpr size_t kMaxElasticThreads = 256;

  explicit ThreadPool(const ThreadPoolOptions& options);

  // Runs what was posted and joins the threads. Requires: nothing is posted any more but by tasks.
  ~ThreadPool();

  // `task` is not in the pool; it lives until it has run.
  void Post(PoolTask* task) ABSL_LOCKS_EXCLUDED(mutex_);

  size_t thread_count() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Threads = std::list<std::thread>;

  bool NeedsThread() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // False if the system gives no thread.
  bool AddThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Run(Threads::iterator self) ABSL_LOCKS_EXCLUDED(mutex_);
  // Null if the thread is to end.
  PoolTask* WaitForTask() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const ThreadPoolOptions options_;
  const size_t max_threads_;

  mutable absl::Mutex mutex_;
  absl::CondVar posted_or_stopping_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  PoolTask* first_ ABSL_GUARDED_BY(mutex_) = nullptr;
  PoolTask* last_ ABSL_GUARDED_BY(mutex_) = nullptr;  // unless first_ is null
  size_t queued_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;  // threads that wait
  Threads running_ ABSL_GUARDED_BY(mutex_);
  Threads ended_ ABSL_GUARDED_BY(mutex_);  // to be joined, which takes no time
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_THREAD_POOL_H_
