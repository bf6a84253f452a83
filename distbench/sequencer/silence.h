// Silence: what a call to a node ends with when the node cannot be heard any more. A node that
// refuses a call, or does not know it, lives. Pure.
#ifndef DISTBENCH_SEQUENCER_SILENCE_H_
#define DISTBENCH_SEQUENCER_SILENCE_H_

#include "absl/status/status.h"

namespace distbench {

// Says nothing certain of calls in which a node speaks to others: it may pass on their silence.
inline bool IsSilence(const absl::Status& answer) {
  return absl::IsUnavailable(answer) || absl::IsDeadlineExceeded(answer) ||
         absl::IsCancelled(answer);
}

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SILENCE_H_
