// FakeNetwork: what connects the FakeDrivers of a test, and the hand that the test has on it.
//
//   FakeNetwork network;
//   registry.Register("fake", std::make_unique<FakeDriverFactory>(&network));
//   network.SetTransit({.mode = FakeTransit::Mode::kHeld});
//   ... calls are started ...
//   network.DeliverHeld();
//
// Requests travel as SetTransit() says, answers at once: a call is complete when the server's
// Respond() returns. With nothing set, a call whose handler answers at once is complete when
// StartCall() returns.
//
// Thread-safe. Outlives the drivers.
#ifndef DISTBENCH_DRIVER_FAKE_FAKE_NETWORK_H_
#define DISTBENCH_DRIVER_FAKE_FAKE_NETWORK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "distbench/base/clock.h"
#include "distbench/driver/fake/fake_call.h"
#include "distbench/driver/server_call.h"

namespace distbench {

// How requests travel.
struct FakeTransit {
  enum class Mode {
    kAtOnce,   // OnRequest runs inside StartCall
    kDelayed,  // after `delay_ns`, on the timer service's thread
    kHeld,     // when the test says so
    kNever,    // lost: the call ends by its deadline, a cancel or Stop
  };
  Mode mode = Mode::kAtOnce;
  int64_t delay_ns = 0;
};

// A driver's listening side. Shared by the driver, the network and requests on their way.
struct FakeServer {
  const Clock* clock = nullptr;  // tells when requests arrive
  RequestHandler* handler = nullptr;
  std::shared_ptr<OpenFakeCalls> calls = std::make_shared<OpenFakeCalls>();
};

class FakeNetwork {
 public:
  // --- For tests

  // For the calls that start from now on.
  void SetTransit(FakeTransit transit);

  // Each call that starts from now on ends at once with `error`; OK: no longer.
  void FailCalls(absl::Status error);

  // Delivers the requests that are held now, oldest first. Returns how many there were.
  size_t DeliverHeld();

  // --- For FakeDriver

  // Returns the server's address.
  std::string Listen(std::shared_ptr<FakeServer> server);
  void StopListening(const std::string& address);
  bool HasServer(const std::string& address) const;

  // Takes the request to the server at `address`, or ends the call with an error. `now_ns` is the
  // monotonic time.
  void Send(const std::string& address, int64_t now_ns, std::shared_ptr<FakeCall> call);

 private:
  struct HeldRequest {
    std::shared_ptr<FakeServer> server;
    std::shared_ptr<FakeCall> call;
  };

  mutable absl::Mutex mutex_;
  FakeTransit transit_ ABSL_GUARDED_BY(mutex_);
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  std::vector<HeldRequest> held_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<FakeServer>> servers_ ABSL_GUARDED_BY(mutex_);
  int next_server_ ABSL_GUARDED_BY(mutex_) = 1;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_FAKE_FAKE_NETWORK_H_
