#include "distbench/activity/cpu_work.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "distbench/activity/instruction_footprint.h"
#include "distbench/activity/thread_cpu_time.h"
#include "distbench/activity/use_result.h"

namespace distbench {
namespace {

// A sequence without a pattern that a processor could foresee (Knuth's MMIX constants), from its
// better half.
class Scatter {
 public:
  uint64_t Below(uint64_t bound) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return (state_ >> 32) * bound >> 32;
  }

 private:
  uint64_t state_ = 1;
};

class ConsumeCpuWork final : public CpuWork {
 public:
  explicit ConsumeCpuWork(const ConsumeCpu& plan) : array_(static_cast<size_t>(plan.array_size)) {}

  void RunOnce(const StopCondition& stop) override {
    for (uint32_t& element : array_) element = static_cast<uint32_t>(scatter_.Below(UINT32_MAX));
    std::sort(array_.begin(), array_.end());
    uint64_t median = array_[array_.size() / 2];
    UseResult(median);
  }

 private:
  Scatter scatter_;
  std::vector<uint32_t> array_;
};

class PolluteDataCacheWork final : public CpuWork {
 public:
  explicit PolluteDataCacheWork(const PolluteDataCache& plan)
      : reads_(plan.array_reads_per_iteration), array_(static_cast<size_t>(plan.array_size), 1) {}

  void RunOnce(const StopCondition& stop) override {
    uint64_t sum = 0;
    for (int64_t i = 0; i < reads_ && !stop.holds(); ++i)
      sum += array_[scatter_.Below(array_.size())];
    UseResult(sum);
  }

 private:
  const int64_t reads_;
  Scatter scatter_;
  std::vector<uint64_t> array_;
};

class PolluteInstructionCacheWork final : public CpuWork {
 public:
  explicit PolluteInstructionCacheWork(const PolluteInstructionCache& plan)
      : invocations_(plan.function_invocations_per_iteration) {}

  void RunOnce(const StopCondition& stop) override {
    uint64_t value = 1;
    for (int64_t i = 0; i < invocations_ && !stop.holds(); ++i) {
      value = CallFootprintFunction(scatter_.Below(kFootprintFunctions), value);
    }
    UseResult(value);
  }

 private:
  const int64_t invocations_;
  Scatter scatter_;
};

class SpinForWork final : public CpuWork {
 public:
  explicit SpinForWork(const SpinFor& plan) : duration_ns_(plan.duration_ns) {}
  void RunOnce(const StopCondition& stop) override { SpinOnCpu(duration_ns_, stop); }

 private:
  const int64_t duration_ns_;
};

class CalibratedCpuWork final : public CpuWork {
 public:
  CalibratedCpuWork(int64_t duration_ns, std::shared_ptr<const CalibratedUnits> units)
      : units_(std::move(units)),
        count_(std::llround(static_cast<double>(duration_ns) / 1000 *
                            units_->calibration.units_per_us)) {}

  void RunOnce(const StopCondition& stop) override { units_->units->Run(count_, stop); }

 private:
  const std::shared_ptr<const CalibratedUnits> units_;
  const int64_t count_;
};

struct Maker {
  using Result = std::unique_ptr<CpuWork>;
  const CalibratedWorkKinds& calibrated;

  Result operator()(const CalibratedWork& plan) const {
    return std::make_unique<CalibratedCpuWork>(plan.duration_ns,
                                               calibrated[static_cast<size_t>(plan.kind)]);
  }
  Result operator()(const ConsumeCpu& plan) const { return std::make_unique<ConsumeCpuWork>(plan); }
  Result operator()(const PolluteDataCache& plan) const {
    return std::make_unique<PolluteDataCacheWork>(plan);
  }
  Result operator()(const PolluteInstructionCache& plan) const {
    return std::make_unique<PolluteInstructionCacheWork>(plan);
  }
  Result operator()(const SpinFor& plan) const { return std::make_unique<SpinForWork>(plan); }
  Result operator()(const SleepFor&) const { return nullptr; }
};

}  // namespace

bool NeedsCpu(const ActivityWork& work) { return !std::holds_alternative<SleepFor>(work); }

bool CountsIterations(const ActivityWork& work) {
  return !std::holds_alternative<SleepFor>(work) && !std::holds_alternative<SpinFor>(work);
}

std::unique_ptr<CpuWork> MakeCpuWork(const ActivityWork& work,
                                     const CalibratedWorkKinds& calibrated) {
  return std::visit(Maker{calibrated}, work);
}

void SpinOnCpu(int64_t cpu_time_ns, const StopCondition& stop) {
  const int64_t start_ns = ThreadCpuNs();
  while (!stop.holds() && ThreadCpuNs() - start_ns < cpu_time_ns) {
  }
}

}  // namespace distbench
