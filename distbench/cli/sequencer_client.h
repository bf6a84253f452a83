// SequencerClient: run_tests' side of the conversation with a test sequencer.
#ifndef DISTBENCH_CLI_SEQUENCER_CLIENT_H_
#define DISTBENCH_CLI_SEQUENCER_CLIENT_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/net/socket_address.h"

namespace grpc {
class Channel;
class ClientContext;
class Status;
}  // namespace grpc

namespace distbench {

class SequenceStop;
class TestSequence;
class TestSequenceResults;

// Thread-safe; Run is called by one thread at a time.
class SequencerClient {
 public:
  explicit SequencerClient(const HostPort& address);
  ~SequencerClient();

  // Waits until the sequencer answers. UNAVAILABLE, with address and reason, if it does not within
  // `timeout`.
  absl::Status Connect(absl::Duration timeout);

  // Has the tests run and waits for the results, at most until `deadline` has passed. Requires:
  // `sequence` has an id, by which it can be stopped.
  absl::StatusOr<TestSequenceResults> Run(const TestSequence& sequence, absl::Duration deadline);

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
