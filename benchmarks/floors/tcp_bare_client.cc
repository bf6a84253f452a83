#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/floors/client_commands.h"
#include "benchmarks/floors/epoll_loop.h"
#include "benchmarks/floors/roles.h"
#include "distbench/base/clock.h"
#include "distbench/base/status_macros.h"
#include "glog/logging.h"

namespace distbench {
namespace {

absl::StatusOr<int> ConnectTo(const std::string& address) {
  const size_t colon = address.rfind(':');
  sockaddr_in peer = {};
  peer.sin_family = AF_INET;
  int port = 0;
  if (colon == std::string::npos || !absl::SimpleAtoi(address.substr(colon + 1), &port) ||
      inet_pton(AF_INET, address.substr(0, colon).c_str(), &peer.sin_addr) != 1) {
    return absl::InvalidArgumentError(absl::StrCat("--address=", address, ": expected IP:PORT"));
  }
  peer.sin_port = htons(static_cast<uint16_t>(port));
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(descriptor, reinterpret_cast<sockaddr*>(&peer), sizeof(peer)) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("connecting to ", address));
  }
  return descriptor;
}

// A thread's connections and the RPCs on them. An RPC's id says which one it is.
class ClientLoop {
 public:
  explicit ClientLoop(const FloorOptions& options)
      : body_(static_cast<size_t>(options.request_bytes), 'x'), with_latency_(options.latency) {}

  void AddConnection(int descriptor) {
    sockets_.emplace_back(descriptor);
    loop_.Add(&sockets_.back());
  }
  void AddRpc() { begin_ns_.push_back(0); }

  // Runs the load until the window's last RPC has ended.
  void Run(const LoadWindow& window, LoadTally* tally) {
    in_flight_ = begin_ns_.size();
    int64_t now_ns = clock_.MonotonicNs();
    for (uint64_t id = 0; id < begin_ns_.size(); ++id) {
      Begin(&sockets_[id % sockets_.size()], id, now_ns);
    }
    for (FramedSocket& socket : sockets_) CHECK(loop_.Flush(&socket));
    while (in_flight_ > 0) {
      loop_.Wait([&](FramedSocket* socket) {
        // One reading for the whole batch, before it is unpacked: the earliest of its ends.
        const int64_t batch_ns = clock_.MonotonicNs();
        const bool is_open = socket->Read([&](uint64_t id, absl::string_view) {
          CHECK_LT(id, begin_ns_.size());
          OnEnd(socket, id, batch_ns, window, tally);
        });
        CHECK(is_open && loop_.Flush(socket)) << "the server has gone";
      });
    }
  }

 private:
  void Begin(FramedSocket* socket, uint64_t id, int64_t now_ns) {
    begin_ns_[id] = now_ns;
    socket->Append(id, body_);
  }

  void OnEnd(FramedSocket* socket, uint64_t id, int64_t now_ns, const LoadWindow& window,
             LoadTally* tally) {
    if (with_latency_) {
      tally->CountWithLatency(begin_ns_[id], now_ns);
    } else {
      tally->Count(begin_ns_[id], now_ns);
    }
    if (window.MayBegin(now_ns)) {
      Begin(socket, id, now_ns);
    } else {
      --in_flight_;
    }
  }

  const SystemClock clock_;
  const std::string body_;
  const bool with_latency_;
  EpollLoop loop_;
  std::deque<FramedSocket> sockets_;
  std::vector<int64_t> begin_ns_;  // by RPC
  size_t in_flight_ = 0;
};

}  // namespace

absl::Status RunTcpBareClient(const FloorOptions& options) {
  std::deque<ClientLoop> loops;
  for (int i = 0; i < options.threads; ++i) loops.emplace_back(options);
  for (int i = 0; i < options.connections; ++i) {
    ASSIGN_OR_RETURN(const int descriptor, ConnectTo(options.address));
    loops[static_cast<size_t>(i) % loops.size()].AddConnection(descriptor);
  }
  for (int i = 0; i < options.in_flight; ++i) loops[static_cast<size_t>(i) % loops.size()].AddRpc();
  return ObeyCommands([&](const LoadWindow& window) {
    std::vector<std::unique_ptr<LoadTally>> tallies;
    std::vector<std::thread> threads;
    for (ClientLoop& loop : loops) {
      tallies.push_back(std::make_unique<LoadTally>(window));
      threads.emplace_back(
          [&loop, &window, tally = tallies.back().get()] { loop.Run(window, tally); });
    }
    for (std::thread& thread : threads) thread.join();
    return Sum(tallies);
  });
}

}  // namespace distbench
