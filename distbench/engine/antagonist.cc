#include "distbench/engine/antagonist.h"

#include <utility>

#include "distbench/activity/cpu_work.h"
#include "distbench/engine/engine_shard.h"

namespace distbench {

Antagonist::Antagonist(const AntagonistOptions& options)
    : options_(options), threads_left_(options.threads) {
  for (int64_t i = 0; i < options.threads; ++i) threads_.push_back(std::make_unique<Thread>(this));
}

void Antagonist::Start() {
  Workers* workers = options_.shard->context().workers;
  options_.shard->BeginOutside();
  // The last one that ends may end this object, but not before all were begun.
  const size_t count = threads_.size();
  for (size_t i = 0; i < count; ++i) {
    Thread* thread = threads_[i].get();
    if (workers == nullptr) {
      thread->RunOnWorker();
      continue;
    }
    const absl::Status begun = workers->PostAlone(thread);
    if (begun.ok()) continue;
    options_.shard->context().EndForWantOfThread("its activities", begun);
    thread->RunOnWorker();  // ends at once
  }
}

bool Antagonist::MayStart(IterationClaims::Batch* claimed) const {
  if (options_.stop.holds()) return false;
  if (options_.shard->context().clock->MonotonicNs() > options_.time_limit_ns) return false;
  if (claimed->empty()) *claimed = options_.claims->Claim(1);
  return !claimed->empty();
}

void Antagonist::RunThread() {
  EngineContext& context = options_.shard->context();
  std::unique_ptr<CpuJob> job = context.cpu_jobs->Take(options_.activity);
  std::atomic<int64_t>& iterations = context.activity_iterations[options_.activity.value()];
  IterationClaims::Batch claimed;
  while (MayStart(&claimed)) {
    ++claimed.next;
    job->RunOnce(options_.stop);
    iterations.fetch_add(1, std::memory_order_relaxed);
  }
  context.cpu_jobs->Return(options_.activity, std::move(job));
  // Nothing of this object is touched once the task may run.
  if (threads_left_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  options_.shard->executor().Post(options_.done);
}

}  // namespace distbench
