// RegistrationRenewal: repeats a node's registration for as long as the node lives, so that a
// sequencer that was started anew gets its nodes back without anybody's help.
//
//   waiting --timer--> asking --answer--> waiting --Stop()--> stopped
//
// Each wait is drawn anew from half to one and a half periods: however many nodes begin together,
// they do not stay together. While the sequencer does not answer, waits are short, so that it gets
// its nodes back soon; nothing is told but changes. Thread-safe.
#ifndef DISTBENCH_NODE_REGISTRATION_RENEWAL_H_
#define DISTBENCH_NODE_REGISTRATION_RENEWAL_H_

#include <functional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/base/clock.h"
#include "distbench/base/timer.h"

namespace distbench {

class NodeConfig;

struct RegistrationRenewalOptions {
  const Clock* clock = nullptr;    // outlives the renewal
  TimerService* timers = nullptr;  // likewise
  std::string sequencer;           // for messages
  // How often, until the sequencer wishes otherwise.
  absl::Duration period;
  std::function<double()> draw_unit;  // uniform in [0, 1)
  // Registers once; calls its argument once, on any thread. Must not block.
  std::function<void(std::function<void(absl::StatusOr<NodeConfig>)>)> ask;
  // What the sequencer has answered; on any thread, never two at a time.
  std::function<void(const NodeConfig&)> on_registered;
};

class RegistrationRenewal final : private Timer {
 public:
  // The first wait begins now.
  explicit RegistrationRenewal(RegistrationRenewalOptions options);
  // Stops, and waits until what is being asked is answered.
  ~RegistrationRenewal();

  // Asks no more. Does not wait.
  void Stop();

 private:
  enum class Standing { kRegistered, kUnreachable, kRefused };

  void OnTimer() override;
  void OnAnswer(const absl::StatusOr<NodeConfig>& answer);
  Standing StandingAfter(const absl::Status& answer) const;
  void TellChange(Standing now, const absl::Status& answer) const;
  void Wait() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsIdle() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !waiting_ && !asking_; }

  const RegistrationRenewalOptions options_;

  absl::Mutex mutex_;
  absl::Duration period_ ABSL_GUARDED_BY(mutex_);
  Standing standing_ ABSL_GUARDED_BY(mutex_) = Standing::kRegistered;
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;  // the timer is armed, or about to run
  bool asking_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_REGISTRATION_RENEWAL_H_
