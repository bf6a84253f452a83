// Opens the stream sockets of the tcp driver, all of them non-blocking.
#ifndef DISTBENCH_DRIVER_TCP_STREAM_SOCKET_H_
#define DISTBENCH_DRIVER_TCP_STREAM_SOCKET_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "distbench/driver/tcp/endpoint.h"
#include "distbench/driver/tcp/tcp_settings.h"
#include "distbench/net/device_binding.h"
#include "distbench/net/socket.h"

namespace distbench {

// Shared by a connection and by whoever is writing to it at the moment.
using SharedSocket = std::shared_ptr<const OwnedSocket>;

struct ConnectOptions {
  const TcpEndpoint& endpoint;
  const TcpSideSettings& settings;
  const std::optional<DeviceBinding>& device;  // to bind to; none: to none
};

// A socket that begins to connect; whether that works is told by epoll. The error is the kernel's.
absl::StatusOr<SharedSocket> BeginConnect(const ConnectOptions& options);

// OK if the connect has succeeded; else the kernel's reason.
absl::Status FinishConnect(const OwnedSocket& socket);

// A socket that listens; the error names the endpoint.
absl::StatusOr<SharedSocket> Listen(const TcpEndpoint& endpoint, const TcpSideSettings& settings);

// The port that a listening TCP socket has got.
uint16_t ListeningPort(const OwnedSocket& socket);

// A connection that waits to be accepted. Not valid, with errno set, if there is none.
SharedSocket Accept(const OwnedSocket& listener);

// Who is at the other end, for messages.
std::string DescribePeer(const OwnedSocket& socket);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_STREAM_SOCKET_H_
