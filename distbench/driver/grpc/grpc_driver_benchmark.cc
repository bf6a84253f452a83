// What one RPC costs, client and server together, without an engine: two grpc drivers of one
// process that keep a number of calls in flight.
//
// The number of RPCs is fixed, so that instructions can be counted:
//
//   valgrind --tool=callgrind grpc_driver_benchmark --benchmark_filter=Small/100

#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "benchmark/benchmark.h"
#include "distbench/driver/conformance/test_peers.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr InstanceIndex kServer{1};
constexpr char kHead[] = "0123456789abcde";  // with its end 16 bytes

// Answers each request at once with a head and a payload.
class FixedServer final : public RequestHandler {
 public:
  explicit FixedServer(int64_t response_bytes)
      : response_{.head = {kHead, sizeof(kHead)},
                  .payload_size = response_bytes - static_cast<int64_t>(sizeof(kHead))} {}

  void OnRequest(ShardIndex, const ReceivedMessage& request, Responder responder) override {
    benchmark::DoNotOptimize(request.size);
    responder.Respond(response_);
  }

 private:
  const OutgoingMessage response_;
};

// Starts itself again until its share of the RPCs has been made.
class RepeatedCall final : public ClientCall {
 public:
  RepeatedCall(ProtocolDriver& driver, ShardIndex home, int64_t repeats,
               absl::BlockingCounter& unfinished)
      : driver_(driver), remaining_(repeats), unfinished_(unfinished) {
    driver_state = driver.NewCallState();
    peer = kServer;
    shard = home;
    request = {.head = {kHead, sizeof(kHead)}};
  }

  void OnCallDone(const absl::Status& status, const ReceivedMessage&) override {
    CHECK(status.ok()) << status;
    driver_.ReleaseCall(this);
    if (--remaining_ > 0) return driver_.StartCall(this);
    unfinished_.DecrementCount();
  }

 private:
  ProtocolDriver& driver_;
  int64_t remaining_;
  absl::BlockingCounter& unfinished_;
};

// A client connected to a server of the given settings.
class Loop {
 public:
  Loop(const std::string& settings, int64_t response_bytes)
      : subject_({.settings = settings}),
        handler_(response_bytes),
        server_(NewDriver()),
        client_(NewDriver()) {
    CHECK(server_->StartServer(&handler_).ok());
    const auto info = server_->AcceptConnection(client_->InitiatorInfo());
    CHECK(info.ok()) << info.status();
    absl::BlockingCounter unconnected(1);
    client_->Connect(kServer, *info, Soon(), [&](const absl::Status& status) {
      CHECK(status.ok()) << status;
      unconnected.DecrementCount();
    });
    unconnected.Wait();
  }

  ~Loop() {
    client_->Stop(Soon());
    server_->Stop(Soon());
  }

  void Run(int64_t rpcs, int in_flight) {
    absl::BlockingCounter unfinished(in_flight);
    std::vector<std::unique_ptr<RepeatedCall>> calls;
    for (int i = 0; i < in_flight; ++i) {
      const ShardIndex home(static_cast<size_t>(i) % subject_.shard_count());
      calls.push_back(std::make_unique<RepeatedCall>(*client_, home, rpcs / in_flight, unfinished));
    }
    for (const auto& call : calls) client_->StartCall(call.get());
    unfinished.Wait();
  }

 private:
  std::unique_ptr<ProtocolDriver> NewDriver() {
    auto driver = subject_.factory().Create(subject_.options(), subject_.environment());
    CHECK(driver.ok()) << driver.status();
    return *std::move(driver);
  }

  GrpcSubject subject_;
  FixedServer handler_;
  const std::unique_ptr<ProtocolDriver> server_;
  const std::unique_ptr<ProtocolDriver> client_;
};

void Measure(benchmark::State& state, const std::string& settings, int64_t response_bytes) {
  // As the program's main does.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  Loop loop(settings, response_bytes);
  const int in_flight = static_cast<int>(state.range(0));
  while (state.KeepRunningBatch(state.max_iterations)) {
    loop.Run(static_cast<int64_t>(state.max_iterations), in_flight);
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}

constexpr char kCallback[] = "client_settings { name: 'client_type' string_value: 'callback' }";
constexpr char kHandoff[] = "server_settings { name: 'server_type' string_value: 'handoff' }";

BENCHMARK_CAPTURE(Measure, Small, "", 32)->Arg(1)->Arg(100)->Arg(1000)->Iterations(20000);
BENCHMARK_CAPTURE(Measure, SmallCallback, kCallback, 32)->Arg(100)->Iterations(20000);
BENCHMARK_CAPTURE(Measure, SmallHandoff, kHandoff, 32)->Arg(100)->Iterations(20000);
BENCHMARK_CAPTURE(Measure, Large, "", 256 << 10)->Arg(100)->Iterations(2000);

}  // namespace
}  // namespace distbench
