// PlainServer: a gRPC server of gRPC's own classes on a port of the loopback device, for peers of
// other programs.
#ifndef DISTBENCH_INTEROP_PLAIN_SERVER_H_
#define DISTBENCH_INTEROP_PLAIN_SERVER_H_

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <memory>
#include <string>

namespace distbench {

class PlainServer {
 public:
  // The service outlives the server.
  explicit PlainServer(grpc::Service* service);
  explicit PlainServer(grpc::CallbackGenericService* service);
  // Ends calls that are under way.
  ~PlainServer();

  uint16_t port() const { return static_cast<uint16_t>(port_); }
  // "127.0.0.1:4711".
  std::string address() const;

 private:
  void Start(grpc::ServerBuilder& builder);

  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

// To "127.0.0.1:4711", with connections of its own and without a limit on the size of messages.
std::shared_ptr<grpc::Channel> PlainChannel(const std::string& address);

// Waits long enough for any machine.
void SetLongDeadline(grpc::ClientContext& context);

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_PLAIN_SERVER_H_
