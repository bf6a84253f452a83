#include "distbench/engine/activity_step.h"

#include <optional>
#include <utility>
#include <variant>

#include "distbench/engine/engine_shard.h"
#include "distbench/engine/iteration_lane.h"
#include "distbench/engine/list_run.h"

namespace distbench {

void ActivityStep::Start(ActivityIndex activity, Iteration* iteration, int64_t now_ns) {
  EngineContext& context = shard_->context();
  activity_ = activity;
  iteration_ = iteration;
  lane_ = iteration->lane;
  const auto* sleep = std::get_if<SleepFor>(&context.plan->activities[activity].work);
  sleeps_ = sleep != nullptr;
  if (!sleeps_) return GiveToWorker();
  shard_->AddSleeping(this);
  context.pacer(Pacing::kSleep, shard_->index())->Arm(this, now_ns + sleep->duration_ns);
}

void ActivityStep::Spin(int64_t cpu_time_ns, IterationLane* lane) {
  iteration_ = nullptr;
  lane_ = lane;
  spin_ns_ = cpu_time_ns;
  sleeps_ = false;
  GiveToWorker();
}

void ActivityStep::GiveToWorker() {
  JobQueue* workers = lane_->run()->workers();
  if (workers == nullptr) return RunOnWorker();
  const absl::Status posted = workers->Post(this);
  if (posted.ok()) return;
  shard_->context().EndForWantOfThread("its activities", posted);
  shard_->executor().Post(this);
}

void ActivityStep::RunOnWorker() {
  EngineContext& context = shard_->context();
  const StopCondition stop(&context.stop_level, lane_->stops_at());
  if (iteration_ == nullptr) {
    SpinOnCpu(spin_ns_, stop);
  } else {
    std::unique_ptr<CpuJob> job = context.cpu_jobs->Take(activity_);
    job->RunOnce(stop);
    context.cpu_jobs->Return(activity_, std::move(job));
    context.activity_iterations[activity_.value()].fetch_add(1, std::memory_order_relaxed);
  }
  shard_->executor().Post(this);
}

void ActivityStep::OnTimer() { shard_->executor().Post(this); }

void ActivityStep::StopSleeping() {
  // Otherwise the timer's task is on its way.
  if (!shard_->context().pacer(Pacing::kSleep, shard_->index())->Disarm(this)) return;
  shard_->executor().Post(this);
}

void ActivityStep::Run() {
  if (sleeps_) shard_->RemoveSleeping(this);
  Iteration* iteration = iteration_;
  IterationLane* lane = lane_;
  shard_->ReturnStep(this);
  if (iteration == nullptr) {
    lane->OnDelayOver();
  } else {
    lane->OnPartDone(iteration, std::nullopt);
  }
}

}  // namespace distbench
