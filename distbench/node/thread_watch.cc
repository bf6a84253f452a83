#include "distbench/node/thread_watch.h"

#include <utility>
#include <vector>

#include "glog/logging.h"

namespace distbench {
namespace {

constexpr int64_t kPeriodNs = 100'000'000;

}  // namespace

ThreadWatch::~ThreadWatch() {
  absl::MutexLock lock(&mutex_);
  CHECK(limits_.empty()) << "somebody still watches";
  if (is_looking_ && options_.timers->Disarm(this)) is_looking_ = false;
  const auto is_idle = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return !is_looking_; };
  mutex_.Await(absl::Condition(&is_idle));
}

std::unique_ptr<ThreadWatch::Watch> ThreadWatch::Begin(int64_t max_threads,
                                                       std::function<void(int64_t)> on_exceeded) {
  absl::MutexLock lock(&mutex_);
  const uint64_t number = next_number_++;
  limits_[number] = {.max_threads = max_threads, .on_exceeded = std::move(on_exceeded)};
  if (!std::exchange(is_looking_, true)) ArmTimer();
  return std::make_unique<Watch>(this, number);
}

void ThreadWatch::End(uint64_t number) {
  const auto tells_nobody = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return !is_telling_; };
  absl::MutexLock lock(&mutex_);
  limits_.erase(number);
  mutex_.Await(absl::Condition(&tells_nobody));
}

void ThreadWatch::OnTimer() {
  const int64_t threads = options_.count_threads();
  std::vector<std::function<void(int64_t)>> exceeded;
  {
    absl::MutexLock lock(&mutex_);
    for (auto& [number, limit] : limits_) {
      if (threads <= limit.max_threads || limit.on_exceeded == nullptr) continue;
      exceeded.push_back(std::exchange(limit.on_exceeded, nullptr));
    }
    is_telling_ = true;
  }
  for (const auto& tell : exceeded) tell(threads);
  absl::MutexLock lock(&mutex_);
  is_telling_ = false;
  is_looking_ = !limits_.empty();
  if (is_looking_) ArmTimer();
}

void ThreadWatch::ArmTimer() {
  options_.timers->Arm(this, options_.clock->MonotonicNs() + kPeriodNs);
}

}  // namespace distbench
