// StopSignal: somebody wants a test sequence to end before its time, and why. Belongs to the thread
// that runs tests: others request by a task in its mailbox.
#ifndef DISTBENCH_SEQUENCER_STOP_SIGNAL_H_
#define DISTBENCH_SEQUENCER_STOP_SIGNAL_H_

#include <utility>

#include "absl/status/status.h"

namespace distbench {

class StopSignal {
 public:
  // The first reason counts. Requires: `reason` is an error.
  void Request(absl::Status reason) {
    if (reason_.ok()) reason_ = std::move(reason);
  }

  bool requested() const { return !reason_.ok(); }

  // OK while nobody has requested.
  const absl::Status& reason() const { return reason_; }

 private:
  absl::Status reason_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_STOP_SIGNAL_H_
