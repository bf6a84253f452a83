// ProgressWatch: asks the nodes, while traffic runs, how much of it there has been, and tells the
// sum.
//
// All nodes are asked at the same time, at an interval that grows with their number. A node that
// does not answer in time counts with what it told before, so that a sum never shrinks. Nobody is
// asked if nobody listens. Belongs to the runner's thread.
#ifndef DISTBENCH_SEQUENCER_PROGRESS_WATCH_H_
#define DISTBENCH_SEQUENCER_PROGRESS_WATCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "distbench/sequencer/alarm.h"
#include "distbench/sequencer/control_calls.h"
#include "distbench/sequencer/node_calls.h"
#include "distbench/sequencer/participant.h"
#include "protos/progress.pb.h"

namespace distbench {

using OnTrafficProgress = std::function<void(const TrafficProgress& progress)>;

class ProgressWatch {
 public:
  // All borrowed. Asks from `start_ns` on. `listener` may be null.
  ProgressWatch(const CallContext& context, int64_t start_ns, ControlCalls& control,
                const Participants& participants, OnTrafficProgress listener);

  // Does what is due. To be called after each of the mailbox's tasks.
  void Check();

 private:
  // A node that is asked, and what it told last.
  struct Source {
    const RegisteredNode* node = nullptr;
    TrafficProgress latest;
  };

  void AskAt(int64_t time_ns);
  void Ask();
  void TakeAnswers();
  void Tell() const;

  const CallContext context_;
  ControlCalls& control_;
  const OnTrafficProgress listener_;
  int64_t interval_ns_ = 0;
  int64_t asked_ns_ = 0;  // when the present question went out
  std::vector<Source> sources_;
  // One of these at a time, none if there is nobody to ask or to tell.
  std::optional<Alarm> next_;
  std::optional<NodeCalls<TrafficProgress>> calls_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_PROGRESS_WATCH_H_
