// TcpServer: the server side of a TcpDriver: one listening socket, whose connections are spread
// over all event loops.
//
//   Start --> serving --BeginStop--> no new requests --FinishStop--> answered or detached, closed
//
// Threads: all methods are thread-safe; not called on an event loop's thread.
#ifndef DISTBENCH_DRIVER_TCP_TCP_SERVER_H_
#define DISTBENCH_DRIVER_TCP_TCP_SERVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "distbench/driver/server_call.h"
#include "distbench/driver/tcp/endpoint.h"
#include "distbench/driver/tcp/loop_set.h"
#include "distbench/driver/tcp/server_context.h"
#include "distbench/driver/tcp/tcp_acceptor.h"
#include "distbench/driver/tcp/tcp_counters.h"
#include "distbench/driver/tcp/tcp_settings.h"
#include "distbench/net/data_plane_address.h"

namespace distbench {

struct TcpServerOptions {
  const LoopSet* loops = nullptr;  // outlives the server
  TcpTransport transport = TcpTransport::kTcp;
  TcpSideSettings settings;
  DataPlaneAddress address;                    // kTcp
  std::atomic<int>* next_unix_name = nullptr;  // kUnix; of the process
  RequestHandler* handler = nullptr;
  size_t shards = 1;
};

class TcpServer {
 public:
  // Listens and serves. The error names the address and the range of ports.
  static absl::StatusOr<std::unique_ptr<TcpServer>> Start(const TcpServerOptions& options);

  // What to tell peers.
  const TcpEndpoint& endpoint() const { return endpoint_; }

  // The two halves of Stop(): refuses new requests; then waits for answers until `deadline`,
  // detaches from the engine and closes all connections. Returns how many requests were not
  // answered.
  void BeginStop();
  int64_t FinishStop(absl::Time deadline);

  void AddCounters(TcpCounters* sum) const { context_->AddCounters(sum); }

 private:
  struct Listening {
    SharedSocket socket;
    TcpEndpoint endpoint;
  };

  TcpServer(const TcpServerOptions& options, Listening listening);

  static absl::StatusOr<Listening> ListenSomewhere(const TcpServerOptions& options);
  static absl::StatusOr<Listening> ListenOnPort(const TcpServerOptions& options);
  static absl::StatusOr<Listening> ListenOnName(const TcpServerOptions& options);

  void OnAccepted(SharedSocket socket);

  const TcpServerOptions options_;
  const TcpEndpoint endpoint_;
  const std::shared_ptr<ServerContext> context_;
  const std::shared_ptr<TcpAcceptor> acceptor_;
  size_t next_loop_ = 0;  // the acceptor's loop's thread's
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_SERVER_H_
