// What the tcp driver alone costs: RPCs between two processes on this machine, without an engine.
//
//   bazel run -c opt //distbench/driver/tcp:tcp_benchmark
//
// For each scenario: RPCs per second, and for each of the two processes the user and system time
// per RPC and the RPCs per write.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/base/clock.h"
#include "distbench/base/thread_timer_service.h"
#include "distbench/driver/protocol_driver.h"
#include "distbench/driver/tcp/tcp_driver_factory.h"
#include "distbench/net/data_plane_address.h"
#include "glog/logging.h"
#include "google/protobuf/text_format.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr size_t kShards = 2;
constexpr InstanceIndex kServer(1);
constexpr absl::Duration kWarmup = absl::Milliseconds(300);
constexpr absl::Duration kMeasured = absl::Seconds(2);

struct Scenario {
  const char* name;
  int in_flight;
  int64_t request_bytes;
  int64_t response_bytes;
  std::string settings;
};

struct CpuTime {
  double user_ns = 0;
  double system_ns = 0;
};

CpuTime CpuTimeNow() {
  const auto ns = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
  };
  rusage usage;
  PCHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  return {.user_ns = ns(usage.ru_utime), .system_ns = ns(usage.ru_stime)};
}

// A driver with all that it needs.
class Host {
 public:
  explicit Host(const Scenario& scenario) {
    ProtocolDriverOptions options;
    CHECK(google::protobuf::TextFormat::ParseFromString(scenario.settings, &options));
    auto driver = factory_.Create(
        options, {.clock = &clock_, .timers = &timers_, .address = &address_, .peer_count = 2});
    CHECK(driver.ok()) << driver.status();
    driver_ = *std::move(driver);
  }
  ~Host() { driver_->Stop(absl::Now() + absl::Seconds(1)); }

  ProtocolDriver& driver() { return *driver_; }

  double FramesPerWrite(const std::string& side) const {
    double frames = 0;
    double writes = 1;
    for (const DriverStatistic& statistic : driver_->Statistics()) {
      if (statistic.name == side + "_frames_sent") frames = static_cast<double>(statistic.value);
      if (statistic.name == side + "_writes") writes = static_cast<double>(statistic.value);
    }
    return frames / writes;
  }

 private:
  const SystemClock clock_;
  ThreadTimerService timers_{clock_};
  const DataPlaneAddress address_ = {
      .bind_ip = "127.0.0.1", .advertise_ip = "127.0.0.1", .ports = {}};
  TcpDriverFactory factory_{{.shards = kShards}};
  std::unique_ptr<ProtocolDriver> driver_;
};

class Answerer final : public RequestHandler {
 public:
  explicit Answerer(int64_t response_bytes) : response_bytes_(response_bytes) {}
  void OnRequest(ShardIndex, const ReceivedMessage&, Responder responder) override {
    responder.Respond({.head = "answer", .payload_size = response_bytes_ - 6});
  }

 private:
  const int64_t response_bytes_;
};

// Starts itself again at each end.
class EndlessCall final : public ClientCall {
 public:
  EndlessCall(ProtocolDriver& driver, const Scenario& scenario, ShardIndex of_shard)
      : driver_(driver) {
    peer = kServer;
    shard = of_shard;
    request = {.head = "request", .payload_size = scenario.request_bytes - 7};
    driver_state = driver.NewCallState();
  }
  void Start() { driver_.StartCall(this); }
  int64_t count() const { return count_.load(std::memory_order_relaxed); }

  void OnCallDone(const absl::Status& status, const ReceivedMessage&) override {
    if (!status.ok()) return;
    count_.store(count() + 1, std::memory_order_relaxed);
    driver_.ReleaseCall(this);
    Start();
  }

 private:
  ProtocolDriver& driver_;
  std::atomic<int64_t> count_{0};
};

// --- The server's process

// Tells its address to `out`; measures from each byte on `in` to the next; ends with `in`.
void Serve(const Scenario& scenario, int in, int out) {
  Answerer answerer(scenario.response_bytes);
  Host host(scenario);
  CHECK(host.driver().StartServer(&answerer).ok());
  const std::string info = host.driver().AcceptConnection("").value();
  PCHECK(write(out, info.data(), info.size()) > 0);
  char byte;
  while (read(in, &byte, 1) == 1) {
    const CpuTime now = CpuTimeNow();
    const double figures[] = {now.user_ns, now.system_ns, host.FramesPerWrite("server")};
    PCHECK(write(out, figures, sizeof(figures)) == sizeof(figures));
  }
}

class ServerProcess {
 public:
  explicit ServerProcess(const Scenario& scenario) {
    int to_server[2];
    int from_server[2];
    PCHECK(pipe(to_server) == 0 && pipe(from_server) == 0);
    process_ = fork();
    PCHECK(process_ >= 0);
    if (process_ == 0) {
      close(to_server[1]);
      Serve(scenario, to_server[0], from_server[1]);
      _exit(0);
    }
    close(to_server[0]);
    to_server_ = to_server[1];
    from_server_ = from_server[0];
    char info[200];
    const ssize_t size = read(from_server_, info, sizeof(info));
    PCHECK(size > 0);
    responder_info_ = std::string(info, static_cast<size_t>(size));
  }
  ~ServerProcess() {
    close(to_server_);
    waitpid(process_, nullptr, 0);
  }

  const std::string& responder_info() const { return responder_info_; }

  struct Figures {
    CpuTime cpu;
    double frames_per_write;
  };
  Figures Now() {
    PCHECK(write(to_server_, "x", 1) == 1);
    double figures[3];
    PCHECK(read(from_server_, figures, sizeof(figures)) == sizeof(figures));
    return {.cpu = {.user_ns = figures[0], .system_ns = figures[1]},
            .frames_per_write = figures[2]};
  }

 private:
  pid_t process_;
  int to_server_;
  int from_server_;
  std::string responder_info_;
};

// --- The client's process

int64_t Sum(const std::vector<std::unique_ptr<EndlessCall>>& calls) {
  int64_t sum = 0;
  for (const auto& call : calls) sum += call->count();
  return sum;
}

void Print(const Scenario& scenario, double rpcs, double seconds, const CpuTime& client,
           double client_batch, const CpuTime& server, double server_batch) {
  std::printf(
      "%-28s %9.0f RPC/s   client %5.0f + %5.0f ns, %5.1f a write   "
      "server %5.0f + %5.0f ns, %5.1f a write\n",
      scenario.name, rpcs / seconds, client.user_ns / rpcs, client.system_ns / rpcs, client_batch,
      server.user_ns / rpcs, server.system_ns / rpcs, server_batch);
  std::fflush(stdout);
}

CpuTime Difference(const CpuTime& end, const CpuTime& begin) {
  return {.user_ns = end.user_ns - begin.user_ns, .system_ns = end.system_ns - begin.system_ns};
}

void Run(const Scenario& scenario) {
  ServerProcess server(scenario);
  std::vector<std::unique_ptr<EndlessCall>> calls;
  Host host(scenario);
  absl::Notification connected;
  host.driver().Connect(kServer, server.responder_info(), absl::InfiniteFuture(),
                        [&](absl::Status status) {
                          CHECK(status.ok()) << status;
                          connected.Notify();
                        });
  connected.WaitForNotification();
  for (int i = 0; i < scenario.in_flight; ++i) {
    calls.push_back(std::make_unique<EndlessCall>(host.driver(), scenario,
                                                  ShardIndex(static_cast<size_t>(i) % kShards)));
  }
  for (const auto& call : calls) call->Start();
  absl::SleepFor(kWarmup);
  const absl::Time begin = absl::Now();
  const int64_t count_at_begin = Sum(calls);
  const CpuTime client_at_begin = CpuTimeNow();
  const ServerProcess::Figures server_at_begin = server.Now();
  absl::SleepFor(kMeasured);
  const int64_t count = Sum(calls) - count_at_begin;
  const double seconds = absl::ToDoubleSeconds(absl::Now() - begin);
  const CpuTime client = Difference(CpuTimeNow(), client_at_begin);
  const ServerProcess::Figures server_at_end = server.Now();
  Print(scenario, static_cast<double>(count), seconds, client, host.FramesPerWrite("client"),
        Difference(server_at_end.cpu, server_at_begin.cpu), server_at_end.frames_per_write);
  host.driver().Stop(absl::Now() + absl::Seconds(1));
}

std::string Connections(int count) {
  return absl::StrCat("client_settings { name: 'connections' int64_value: ", count, " }");
}

constexpr char kSpin[] =
    "client_settings { name: 'poll' string_value: 'spin' } "
    "server_settings { name: 'poll' string_value: 'spin' } ";
constexpr char kOneThread[] =
    "client_settings { name: 'threads' int64_value: 1 } "
    "server_settings { name: 'threads' int64_value: 1 } ";
constexpr char kUnix[] = "server_settings { name: 'transport' string_value: 'unix' } ";

std::vector<Scenario> Scenarios() {
  return {
      {"48 B, 1 in flight", 1, 48, 48, Connections(1)},
      {"48 B, 1, spin", 1, 48, 48, absl::StrCat(kSpin, kOneThread)},
      {"48 B, 10, 1 connection", 10, 48, 48, Connections(1)},
      {"48 B, 100, 1 connection", 100, 48, 48, Connections(1)},
      {"48 B, 100, 2 connections", 100, 48, 48, Connections(2)},
      {"48 B, 100, 4 connections", 100, 48, 48, Connections(4)},
      {"48 B, 100, 1, spin", 100, 48, 48, absl::StrCat(kSpin, kOneThread)},
      {"48 B, 100, 2, unix", 100, 48, 48, absl::StrCat(kUnix, Connections(2))},
      {"48 B, 1000, 4 connections", 1000, 48, 48, Connections(4)},
      {"196 B/256 KiB, 100, 4", 100, 196, 262144, Connections(4)},
  };
}

}  // namespace
}  // namespace distbench

// With words: only the scenarios whose names contain the first one.
int main(int argc, char** argv) {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  for (const distbench::Scenario& scenario : distbench::Scenarios()) {
    if (argc > 1 && std::string(scenario.name).find(argv[1]) == std::string::npos) continue;
    distbench::Run(scenario);
  }
}
