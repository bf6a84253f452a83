// Antagonist: a closed loop of an activity that takes a CPU: threads of their own that repeat it
// until its limits or until traffic is stopped.
//
// The iterations are the threads' business; no shard is asked between them.
#ifndef DISTBENCH_ENGINE_ANTAGONIST_H_
#define DISTBENCH_ENGINE_ANTAGONIST_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "distbench/activity/stop_condition.h"
#include "distbench/base/indices.h"
#include "distbench/base/serial_executor.h"
#include "distbench/engine/iteration_claims.h"
#include "distbench/engine/workers.h"

namespace distbench {

class EngineShard;

struct AntagonistOptions {
  EngineShard* shard = nullptr;
  ActivityIndex activity;
  IterationClaims* claims = nullptr;  // hands out the iterations
  int64_t threads = 1;
  int64_t time_limit_ns = 0;  // no iteration starts after it
  StopCondition stop;
  SerialExecutor::Task* done = nullptr;  // posted to the shard when all threads have ended
};

class Antagonist {
 public:
  // All that the options point to outlives it.
  explicit Antagonist(const AntagonistOptions& options);

  // May be destroyed when `done` runs.
  void Start();

 private:
  class Thread final : public Workers::Job {
   public:
    explicit Thread(Antagonist* antagonist) : antagonist_(antagonist) {}
    void RunOnWorker() override { antagonist_->RunThread(); }

   private:
    Antagonist* const antagonist_;
  };

  void RunThread();
  bool MayStart(IterationClaims::Batch* claimed) const;

  const AntagonistOptions options_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::atomic<int64_t> threads_left_;
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ANTAGONIST_H_
