#include "distbench/driver/tcp/stream_socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

SharedSocket NewSocket(int family) {
  return std::make_shared<const OwnedSocket>(
      socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

// Buffers must be asked for before a connection begins, since the window scale depends on them.
// The kernel never refuses a size: it takes the nearest that it allows.
void SetBuffers(const OwnedSocket& socket, const TcpSideSettings& settings) {
  const auto set = [&](int option, const std::optional<int>& bytes) {
    if (bytes) setsockopt(socket.fd(), SOL_SOCKET, option, &*bytes, sizeof(*bytes));
  };
  set(SO_SNDBUF, settings.send_buffer_bytes);
  set(SO_RCVBUF, settings.receive_buffer_bytes);
}

// Batching is ours: what is written shall leave. Accepted sockets inherit it from their listener.
void SetNoDelay(const OwnedSocket& socket, int family) {
  const int on = 1;
  if (family != AF_UNIX) setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

absl::Status Error(absl::string_view what) { return absl::ErrnoToStatus(errno, what); }

uint16_t PortOf(const sockaddr_storage& name) {
  // At the same place in both families.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&name)->sin_port);
}

}  // namespace

absl::StatusOr<SharedSocket> BeginConnect(const ConnectOptions& options) {
  ASSIGN_OR_RETURN(const KernelAddress address, ToKernelAddress(options.endpoint));
  SharedSocket socket = NewSocket(address.family());
  if (!socket->valid()) return Error("no socket");
  SetBuffers(*socket, options.settings);
  SetNoDelay(*socket, address.family());
  if (options.device && options.endpoint.transport == TcpTransport::kTcp) {
    const IpFamily family = address.family() == AF_INET ? IpFamily::kV4 : IpFamily::kV6;
    RETURN_IF_ERROR(BindToDevice(socket->fd(), *options.device, family));
  }
  if (connect(socket->fd(), address.get(), address.length) == 0 || errno == EINPROGRESS) {
    return socket;
  }
  return Error("connect");
}

absl::Status FinishConnect(const OwnedSocket& socket) {
  int error = 0;
  socklen_t length = sizeof(error);
  if (getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &length) != 0) error = errno;
  return error == 0 ? absl::OkStatus() : absl::ErrnoToStatus(error, "connect");
}

absl::StatusOr<SharedSocket> Listen(const TcpEndpoint& endpoint, const TcpSideSettings& settings) {
  ASSIGN_OR_RETURN(const KernelAddress address, ToKernelAddress(endpoint));
  const std::string where = absl::StrCat("cannot listen on ", endpoint.ToString());
  SharedSocket socket = NewSocket(address.family());
  if (!socket->valid()) return Error(where);
  SetBuffers(*socket, settings);
  SetNoDelay(*socket, address.family());
  // An old connection that lingers on the port is no obstacle, a listener is.
  const int on = 1;
  setsockopt(socket->fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(socket->fd(), address.get(), address.length) != 0) return Error(where);
  if (listen(socket->fd(), SOMAXCONN) != 0) return Error(where);
  return socket;
}

uint16_t ListeningPort(const OwnedSocket& socket) {
  sockaddr_storage name = {};
  socklen_t length = sizeof(name);
  getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&name), &length);
  return PortOf(name);
}

SharedSocket Accept(const OwnedSocket& listener) {
  return std::make_shared<const OwnedSocket>(
      accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

std::string DescribePeer(const OwnedSocket& socket) {
  sockaddr_storage name = {};
  socklen_t length = sizeof(name);
  if (getpeername(socket.fd(), reinterpret_cast<sockaddr*>(&name), &length) != 0) {
    return "a peer that has gone";
  }
  if (name.ss_family == AF_INET || name.ss_family == AF_INET6) {
    const auto ip = NumericAddress(reinterpret_cast<const sockaddr&>(name));
    if (ip.ok()) return FormatHostPort(*ip, PortOf(name));
  }
  ucred credentials = {};
  length = sizeof(credentials);
  getsockopt(socket.fd(), SOL_SOCKET, SO_PEERCRED, &credentials, &length);
  return absl::StrCat("process ", credentials.pid);
}

}  // namespace distbench
