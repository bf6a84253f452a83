// What the tcp driver reads of a ProtocolDriverOptions. docs/drivers.md lists the settings.
#ifndef DISTBENCH_DRIVER_TCP_TCP_SETTINGS_H_
#define DISTBENCH_DRIVER_TCP_TCP_SETTINGS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/driver/tcp/endpoint.h"
#include "distbench/driver/tcp/event_loop.h"

namespace distbench {

class ProtocolDriverOptions;

// Of the server or of the client.
struct TcpSideSettings {
  std::optional<size_t> threads;  // event loops; none: one per shard
  PollMode poll = PollMode::kBlock;
  std::optional<int> send_buffer_bytes;  // of the kernel; none: as the kernel likes
  std::optional<int> receive_buffer_bytes;
  int64_t max_queued_bytes = int64_t{1} << 20;  // of a connection
};

struct TcpSettings {
  TcpTransport transport = TcpTransport::kTcp;
  std::optional<size_t> connections;  // of a client to each peer; none: one per event loop
  TcpSideSettings server;
  TcpSideSettings client;
};

// InvalidArgument or Unimplemented that names all settings that are wrong.
absl::StatusOr<TcpSettings> ParseTcpSettings(const ProtocolDriverOptions& options);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_TCP_TCP_SETTINGS_H_
