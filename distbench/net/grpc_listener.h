// GrpcListener: a gRPC server for one service on one address, with the port it got.
//
//   ASSIGN_OR_RETURN(auto listener, GrpcListener::Start({.bind_ip = "::1", .service = &service}));
//   ... FormatHostPort("::1", listener->port()) ...
//
// For services of the callback API only: they run on threads that all servers of the process share.
#ifndef DISTBENCH_NET_GRPC_LISTENER_H_
#define DISTBENCH_NET_GRPC_LISTENER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "distbench/net/data_plane_address.h"

namespace grpc {
class Server;
class Service;
}  // namespace grpc

namespace distbench {

struct GrpcListenerOptions {
  std::string bind_ip;               // numeric
  PortRange ports;                   // the first free one is taken
  grpc::Service* service = nullptr;  // outlives the listener
};

class GrpcListener {
 public:
  // An error names the address and the ports, and why the last of them could not be had.
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Start(const GrpcListenerOptions& options);

  // Shuts down at once if that was not done before.
  ~GrpcListener();

  uint16_t port() const { return port_; }

  // Refuses new calls, lets those that run end until `deadline`, cancels the rest and waits until
  // the service has finished each of them.
  void Shutdown(absl::Time deadline);

 private:
  GrpcListener(std::unique_ptr<grpc::Server> server, uint16_t port);

  const std::unique_ptr<grpc::Server> server_;
  const uint16_t port_;
  bool is_shut_down_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_NET_GRPC_LISTENER_H_
