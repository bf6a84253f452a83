#include "distbench/net/grpc_listener.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "distbench/net/port_range.h"
#include "distbench/net/socket.h"
#include "distbench/net/socket_address.h"

namespace distbench {
namespace {

std::unique_ptr<grpc::Server> BuildServer(const GrpcListenerOptions& options, uint16_t port,
                                          int* bound_port) {
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(std::numeric_limits<int>::max());
  builder.SetMaxSendMessageSize(std::numeric_limits<int>::max());
  // A port that somebody else listens on is an error, not to be shared.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddListeningPort(FormatHostPort(options.bind_ip, port), grpc::InsecureServerCredentials(),
                           bound_port);
  builder.RegisterService(options.service);
  return builder.BuildAndStart();
}

absl::Status NoPort(const GrpcListenerOptions& options, const absl::Status& last_error) {
  if (PortCount(options.ports) <= 1) return last_error;
  return absl::Status(last_error.code(),
                      absl::StrCat("no port of ", FormatPortRange(options.ports), " is free on ",
                                   options.bind_ip, ": ", last_error.message()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<GrpcListener>> GrpcListener::Start(
    const GrpcListenerOptions& options) {
  absl::Status error;
  for (int port = options.ports.first; port <= options.ports.last; ++port) {
    // Asked first, because gRPC tells no reason and logs what is no error here.
    error = CanListen(options.bind_ip, static_cast<uint16_t>(port));
    if (!error.ok()) continue;
    int bound_port = 0;
    auto server = BuildServer(options, static_cast<uint16_t>(port), &bound_port);
    if (server != nullptr && bound_port != 0) {
      return std::unique_ptr<GrpcListener>(
          new GrpcListener(std::move(server), static_cast<uint16_t>(bound_port)));
    }
    error = absl::UnavailableError(absl::StrCat(
        "cannot listen on ", FormatHostPort(options.bind_ip, static_cast<uint16_t>(port)),
        ": gRPC could not start a server there"));
  }
  return NoPort(options, error);
}

GrpcListener::GrpcListener(std::unique_ptr<grpc::Server> server, uint16_t port)
    : server_(std::move(server)), port_(port) {}

GrpcListener::~GrpcListener() {
  if (!is_shut_down_) Shutdown(absl::Now());
}

void GrpcListener::Shutdown(absl::Time deadline) {
  is_shut_down_ = true;
  // gRPC takes times before the epoch for infinity.
  server_->Shutdown(absl::ToChronoTime(std::max(deadline, absl::UnixEpoch())));
  server_->Wait();
}

}  // namespace distbench
