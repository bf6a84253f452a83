#include "distbench/engine/pacers.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

// Longer than nearly every wake-up takes on a calm machine, so that a hybrid pacer is up when it is
// time while it learns what it needs here.
constexpr int64_t kHybridSpinNs = 500'000;

}  // namespace

Pacers::Pacers(const PacersOptions& options) : options_(options), sleeping_(options.shard_count) {}

Pacers::~Pacers() = default;

TimerService* Pacers::For(Pacing pacing, ShardIndex shard) {
  absl::MutexLock lock(&mutex_);
  switch (pacing) {
    case Pacing::kSpin:
      return InSlot(&spinning_,
                    {.spin_before_ns = TimerDeadline::kAlwaysSpin, .name = "db-pacer-spin"});
    case Pacing::kHybrid:
      return InSlot(&hybrid_, {.spin_before_ns = kHybridSpinNs, .name = "db-pacer-hybrid"});
    case Pacing::kSleep:
      break;
  }
  return InSlot(&sleeping_[shard.value()], {.name = absl::StrCat("db-pacer-", shard.value())});
}

TimerService* Pacers::InSlot(Slot* slot, TimerThreadOptions options) {
  if (*slot == nullptr) {
    options.placement = options_.placement;
    *slot = std::make_unique<ThreadTimerService>(*options_.clock, options);
  }
  return slot->get();
}

}  // namespace distbench
