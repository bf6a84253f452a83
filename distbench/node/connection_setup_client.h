// ConnectionSetupClient: an engine's questions to its peers how to reach their drivers.
//
// Thread-safe. No thread waits for an answer.
#ifndef DISTBENCH_NODE_CONNECTION_SETUP_CLIENT_H_
#define DISTBENCH_NODE_CONNECTION_SETUP_CLIENT_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace grpc {
class Channel;
}

namespace distbench {

class ConnectRequest;
class ConnectResponse;

class ConnectionSetupClient {
 public:
  using Done = std::function<void(absl::StatusOr<ConnectResponse>)>;

  ConnectionSetupClient() = default;
  // Requires: Close() was called, if Ask() ever was.
  ~ConnectionSetupClient();

  // Asks the engine at `address` (numeric, "10.0.0.7:4711"). `done` is called once, on one of
  // gRPC's threads or, after Close(), on the caller's. An error names the address.
  void Ask(const std::string& address, const ConnectRequest& request, absl::Time deadline,
           Done done);

  // Cancels what is outstanding and waits until its `done`s have returned.
  void Close();

 private:
  class Call;

  // False if closed.
  bool Remember(Call* call, const std::shared_ptr<grpc::Channel>& channel);
  void Forget(Call* call);
  void OnCallDeleted();
  bool NothingOutstanding() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return outstanding_ == 0; }

  absl::Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_set<Call*> calls_ ABSL_GUARDED_BY(mutex_);  // can be cancelled
  size_t outstanding_ ABSL_GUARDED_BY(mutex_) = 0;            // not yet deleted
  // Kept until Close(): the threads that deliver answers end with the last channel of the process
  // that used them, and that must not go on one of these very threads.
  std::shared_ptr<grpc::Channel> first_channel_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_CONNECTION_SETUP_CLIENT_H_
