// SequencerClient: run_tests' side of the conversation with a test sequencer.
#ifndef DISTBENCH_CLI_SEQUENCER_CLIENT_H_
#define DISTBENCH_CLI_SEQUENCER_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/net/socket_address.h"

namespace grpc {
class Channel;
class ClientContext;
class Status;
}  // namespace grpc

namespace distbench {

class ResultRecord;
class SequenceStop;
class TestProgress;
class TestSequence;

// Thread-safe; Run is called by one thread at a time.
class SequencerClient {
 public:
  explicit SequencerClient(const HostPort& address);
  ~SequencerClient();

  // Waits until the sequencer answers. UNAVAILABLE, with address and reason, if it does not within
  // `timeout`.
  absl::Status Connect(absl::Duration timeout);

  // Who hears of a sequence, on the thread that runs it.
  struct Listener {
    // As the tests go on, if the sequencer tells.
    std::function<void(const TestProgress& progress)> on_progress;
    // The results, as a result file has them.
    std::function<void(const ResultRecord& record)> on_record;
  };

  // Has the tests run and waits for all of the results, at most until `deadline` has passed. What
  // came before an error is right. Requires: `sequence` has an id, by which it can be stopped.
  absl::Status Run(const TestSequence& sequence, absl::Duration deadline, const Listener& listener);

  // Has the sequencer end the tests, so that Run soon returns what there is by then. Where the
  // sequencer cannot, and before Run, as Cancel(). Does not block.
  void Stop();

  // Ends Connect and Run, now and in future, with CANCELLED. Does not block.
  void Cancel();

 private:
  // What Stop and Cancel reach while Run waits.
  struct Running {
    grpc::ClientContext& context;
    SequenceStop& stop;
  };

  // Both return what the call ended with. UNIMPLEMENTED by the first: an older sequencer.
  grpc::Status RunStreaming(const TestSequence& sequence, absl::Time deadline,
                            const Listener& listener);
  grpc::Status RunUnary(const TestSequence& sequence, absl::Time deadline,
                        const Listener& listener);
  // Calls `call` so that Stop and Cancel reach it; CANCELLED if it shall not begin.
  grpc::Status Reachably(const TestSequence& sequence, absl::Time deadline,
                         const std::function<grpc::Status(grpc::ClientContext*)>& call);

  // Null: none any more. False if it shall not begin.
  bool SetRunning(Running* running);
  void CancelUnstoppable();
  bool cancelled() const;
  absl::Status Explain(const grpc::Status& status, absl::Duration deadline) const;
  // Asks once more, in order to learn the reason. OK if the sequencer answers after all.
  absl::Status WhyUnreachable(absl::Duration timeout) const;

  const std::string address_;
  const std::shared_ptr<grpc::Channel> channel_;
  mutable absl::Mutex mutex_;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_unstoppable_ ABSL_GUARDED_BY(mutex_) = false;  // and cancelled for that reason
  Running* running_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCER_CLIENT_H_
