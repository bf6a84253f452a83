// SequenceReceiver: whoever asked for a sequence of tests, and hears of it.
//
//   OnProgress, OnRecord ... OnEnd
//
// All on the runner's thread, but for has_room(); OnEnd of a sequence that is refused on the thread
// that asked. Nothing may block.
#ifndef DISTBENCH_SEQUENCER_SEQUENCE_RECEIVER_H_
#define DISTBENCH_SEQUENCER_SEQUENCE_RECEIVER_H_

#include "absl/status/status.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {

class SequenceReceiver {
 public:
  virtual ~SequenceReceiver() = default;

  // Progress costs something; false: none is told.
  virtual bool wants_progress() const = 0;
  virtual void OnProgress(const TestProgress& progress) = 0;

  // The records of a result file, in order. Requires: has_room().
  virtual void OnRecord(ResultRecord record) = 0;
  // Whether OnRecord() may be called. A receiver that had no room calls SequenceRunner::LookAgain()
  // when it has. Thread-safe.
  virtual bool has_room() const = 0;
  // Has gone: nothing reaches it any more, and it has room for all of that. Thread-safe.
  virtual bool has_gone() const = 0;

  // The last call. OK once a test was begun.
  virtual void OnEnd(const absl::Status& status) = 0;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SEQUENCE_RECEIVER_H_
