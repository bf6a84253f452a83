#include "distbench/driver/tcp/tcp_server.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/tcp/stream_socket.h"
#include "distbench/driver/tcp/tcp_server_connection.h"
#include "distbench/net/port_range.h"

namespace distbench {
namespace {

// How long the last answers may take to leave. A client that runs needs a millisecond.
constexpr absl::Duration kFarewell = absl::Seconds(1);

}  // namespace

// --- Listening

absl::StatusOr<std::unique_ptr<TcpServer>> TcpServer::Start(const TcpServerOptions& options) {
  ASSIGN_OR_RETURN(Listening listening, ListenSomewhere(options));
  std::unique_ptr<TcpServer> server(new TcpServer(options, std::move(listening)));
  server->acceptor_->Start();
  return server;
}

TcpServer::TcpServer(const TcpServerOptions& options, Listening listening)
    : options_(options),
      endpoint_(std::move(listening.endpoint)),
      context_(std::make_shared<ServerContext>(options.handler, options.shards)),
      acceptor_(std::make_shared<TcpAcceptor>(
          &(*options.loops)[0], std::move(listening.socket),
          [this](SharedSocket socket) { OnAccepted(std::move(socket)); })) {}

absl::StatusOr<TcpServer::Listening> TcpServer::ListenSomewhere(const TcpServerOptions& options) {
  return options.transport == TcpTransport::kTcp ? ListenOnPort(options) : ListenOnName(options);
}

absl::StatusOr<TcpServer::Listening> TcpServer::ListenOnPort(const TcpServerOptions& options) {
  const DataPlaneAddress& address = options.address;
  absl::Status error;
  for (int port = address.ports.first; port <= address.ports.last; ++port) {
    const TcpEndpoint endpoint = {
        .address = {.host = address.bind_ip, .port = static_cast<uint16_t>(port)}};
    auto socket = Listen(endpoint, options.settings);
    if (socket.ok()) {
      const uint16_t bound = ListeningPort(**socket);
      return Listening{.socket = *std::move(socket),
                       .endpoint = {.address = {.host = address.advertise_ip, .port = bound}}};
    }
    error = socket.status();
  }
  return absl::Status(
      error.code(),
      absl::StrCat("the tcp driver finds no port to listen on (address ", address.bind_ip,
                   ", ports ", FormatPortRange(address.ports), "): ", error.message()));
}

absl::StatusOr<TcpServer::Listening> TcpServer::ListenOnName(const TcpServerOptions& options) {
  // Somebody else of the same process number, in another container, may have some of the names.
  constexpr int kAttempts = 1000;
  absl::Status error;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const TcpEndpoint endpoint = {
        .transport = TcpTransport::kUnix,
        .unix_name = absl::StrCat("distbench-", getpid(), "-", (*options.next_unix_name)++),
        .scope = UnixScope()};
    auto socket = Listen(endpoint, options.settings);
    if (socket.ok()) return Listening{.socket = *std::move(socket), .endpoint = endpoint};
    error = socket.status();
  }
  return error;
}

void TcpServer::OnAccepted(SharedSocket socket) {
  const size_t loop = next_loop_++ % options_.loops->size();
  auto connection = std::make_shared<TcpServerConnection>(
      TcpServerConnectionOptions{.loop = &(*options_.loops)[loop],
                                 .shard = ShardIndex(loop % options_.shards),
                                 .peer_name = DescribePeer(*socket),
                                 .max_queued_bytes = options_.settings.max_queued_bytes,
                                 .context = context_});
  (*options_.loops)[loop].Post([connection, socket] { connection->Begin(socket); });
}

// --- The end

void TcpServer::BeginStop() {
  context_->gate().Close();
  acceptor_->Stop();
  // What was accepted before has begun then.
  for (size_t i = 0; i < options_.loops->size(); ++i) (*options_.loops)[i].RunAndWait([] {});
}

int64_t TcpServer::FinishStop(absl::Time deadline) {
  const int64_t unanswered = context_->gate().EndBy(deadline);
  for (const auto& connection : context_->connections()) {
    connection->loop().Post([connection] { connection->CloseGracefully(); });
  }
  if (context_->AwaitNoConnections(std::min(deadline, absl::Now() + kFarewell))) return unanswered;
  for (const auto& connection : context_->connections()) {
    connection->loop().Post([connection] { connection->CloseNow(); });
  }
  context_->AwaitNoConnections(absl::InfiniteFuture());
  return unanswered;
}

}  // namespace distbench
