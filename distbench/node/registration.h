// Registration: a node manager's call to its test sequencer, which may not be there yet, or not any
// more. Thread-safe.
#ifndef DISTBENCH_NODE_REGISTRATION_H_
#define DISTBENCH_NODE_REGISTRATION_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

class Registration {
 public:
  // `sequencer`: a gRPC target.
  explicit Registration(const std::string& sequencer);

  // Registers, waiting for the sequencer until `timeout` has passed. Blocks. What the sequencer
  // itself refuses is not tried again. An error names the sequencer's address. The same message
  // again is harmless.
  absl::StatusOr<NodeConfig> Register(const NodeRegistration& registration, absl::Duration timeout);

  // Registers once, without waiting for a sequencer that cannot be reached. Does not block; `done`
  // is called once, on any thread. One at a time; the registration must live until then.
  void Ask(const NodeRegistration& registration, absl::Duration timeout,
           std::function<void(absl::StatusOr<NodeConfig>)> done);

  // Lets Register() and Ask() end as CANCELLED soon, now and from now on.
  void Cancel();

 private:
  class Question;

  // Remembers the context of a call that begins, so that Cancel() reaches it. False if cancelled.
  bool Begin(grpc::ClientContext* context);
  void End();
  absl::Status TryOnce(const NodeRegistration& registration, absl::Time deadline,
                       NodeConfig* answer);
  // False if cancelled meanwhile.
  bool Sleep(absl::Duration duration);

  const std::string sequencer_;
  const std::unique_ptr<DistBenchTestSequencer::Stub> stub_;
  absl::Mutex mutex_;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the call under way
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_REGISTRATION_H_
