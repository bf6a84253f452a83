// SequenceStop: has a test sequencer end a sequence early, from a thread of its own, so that who
// asks for it never waits.
//
//   idle --Request()--> asking --"stopped", "cannot"--> done
//                         '--^ no such sequence (yet), no answer: again
#ifndef DISTBENCH_CLI_SEQUENCE_STOP_H_
#define DISTBENCH_CLI_SEQUENCE_STOP_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace grpc {
class Channel;
class ClientContext;
}  // namespace grpc

namespace distbench {

// Thread-safe.
class SequenceStop {
 public:
  // `on_unable` runs once, on the thread, if the sequencer knows no such request.
  SequenceStop(std::shared_ptr<grpc::Channel> channel, std::string sequence_id,
               std::function<void()> on_unable);
  // Asks no more.
  ~SequenceStop();

  // Returns at once. The caller of the sequence is the one who sees it end.
  void Request();

 private:
  void RunThread();
  // Waits until somebody requests, or nobody will. False: nobody will.
  bool AwaitRequest();
  // Waits before the next attempt. False: there shall be none.
  bool AwaitNextAttempt();
  absl::Status Ask();
  bool IsRequestedOrEnding() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return requested_ || ending_;
  }

  const std::shared_ptr<grpc::Channel> channel_;
  const std::string sequence_id_;
  const std::function<void()> on_unable_;

  absl::Mutex mutex_;
  bool requested_ ABSL_GUARDED_BY(mutex_) = false;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the attempt under way
  std::thread thread_;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCE_STOP_H_
