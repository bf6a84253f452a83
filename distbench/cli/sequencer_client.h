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
}  // namespace grpc

namespace distbench {

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

  // Has the tests run and waits for the results, at most until `deadline` has passed.
  absl::StatusOr<TestSequenceResults> Run(const TestSequence& sequence, absl::Duration deadline);

  // Ends Connect and Run, now and in future, with CANCELLED.
  void Cancel();

 private:
  // Registers `context` so that Cancel reaches it; null: none any more.
  void SetContext(grpc::ClientContext* context);
  bool cancelled() const;
  // Asks once more, in order to learn the reason. OK if the sequencer answers after all.
  absl::Status WhyUnreachable(absl::Duration timeout) const;

  const std::string address_;
  const std::shared_ptr<grpc::Channel> channel_;
  mutable absl::Mutex mutex_;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace distbench

#endif  // DISTBENCH_CLI_SEQUENCER_CLIENT_H_
