#include "distbench/sequencer/sequencer.h"

#include <random>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "distbench/base/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/sequencer/grpc_node_stub.h"
#include "distbench/sequencer/mailbox.h"
#include "distbench/sequencer/node_pool.h"
#include "distbench/sequencer/sequence_runner.h"
#include "distbench/sequencer/sequencer_service.h"
#include "protos/provenance.pb.h"

namespace distbench {
namespace {

// Time for the last answers to leave.
constexpr absl::Duration kFarewell = absl::Seconds(5);

uint64_t Draw64Bits() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

}  // namespace

// In the order in which they depend on each other.
class Sequencer::Parts {
 public:
  Parts(const SequencerOptions& options, const Provenance& provenance)
      : provenance_(provenance),
        timers_(clock_),
        nodes_(MakeGrpcNodeStub),
        runner_({.context = {.calls = {.clock = clock_, .timers = timers_, .mailbox = mailbox_},
                             .nodes = nodes_,
                             .provenance = provenance_,
                             .draw_64_bits = Draw64Bits},
                 .drivers = options.drivers,
                 .on_shutdown = [this] { RequestShutdown(); }}),
        service_(nodes_, runner_, provenance_) {}

  ~Parts() { Shutdown(); }

  absl::Status Listen(const SequencerOptions& options) {
    ASSIGN_OR_RETURN(listener_,
                     GrpcListener::Start({.bind_ip = options.bind_ip,
                                          .ports = {.first = options.port, .last = options.port},
                                          .service = &service_}));
    runner_thread_ = std::thread([this] { runner_.Serve(); });
    return absl::OkStatus();
  }

  uint16_t port() const { return listener_->port(); }

  void RequestShutdown() {
    absl::MutexLock lock(&mutex_);
    shutdown_requested_ = true;
  }

  void AwaitShutdownRequest() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&shutdown_requested_));
  }

  void Shutdown() {
    RequestShutdown();
    absl::MutexLock lock(&shutdown_mutex_);
    if (listener_ == nullptr || !runner_thread_.joinable()) return;
    runner_.Stop();
    runner_thread_.join();
    listener_->Shutdown(absl::Now() + kFarewell);
  }

 private:
  const Provenance provenance_;
  const SystemClock clock_;
  ThreadTimerService timers_;
  ThreadMailbox mailbox_;
  NodePool nodes_;
  SequenceRunner runner_;
  SequencerService service_;

  absl::Mutex mutex_;
  bool shutdown_requested_ ABSL_GUARDED_BY(mutex_) = false;

  absl::Mutex shutdown_mutex_;              // the second caller waits for the first
  std::unique_ptr<GrpcListener> listener_;  // constant while serving
  std::thread runner_thread_ ABSL_GUARDED_BY(shutdown_mutex_);
};

Sequencer::Sequencer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Sequencer::~Sequencer() = default;

absl::StatusOr<std::unique_ptr<Sequencer>> Sequencer::Start(const SequencerOptions& options,
                                                            const Provenance& provenance) {
  auto parts = std::make_unique<Parts>(options, provenance);
  RETURN_IF_ERROR(parts->Listen(options));
  return std::unique_ptr<Sequencer>(new Sequencer(std::move(parts)));
}

uint16_t Sequencer::port() const { return parts_->port(); }
void Sequencer::Wait() { parts_->AwaitShutdownRequest(); }
void Sequencer::RequestShutdown() { parts_->RequestShutdown(); }
void Sequencer::Shutdown() { parts_->Shutdown(); }

}  // namespace distbench
