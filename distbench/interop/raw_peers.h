// RawClient, RawServer: gRPC without any message classes: bytes out, bytes in.
#ifndef DISTBENCH_INTEROP_RAW_PEERS_H_
#define DISTBENCH_INTEROP_RAW_PEERS_H_

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "distbench/interop/plain_server.h"

namespace distbench {

// Calls the data plane at an address. Thread-safe.
class RawClient {
 public:
  explicit RawClient(const std::string& address) : stub_(PlainChannel(address)) {}

  // `done` runs on any thread.
  using Done = std::function<void(absl::StatusOr<std::string>)>;
  void Start(const std::string& request, Done done);

  absl::StatusOr<std::string> Call(const std::string& request);

 private:
  grpc::GenericStub stub_;
};

// Serves the data plane.
class RawServer {
 public:
  // Makes the answer's bytes of the request's, for several calls at once.
  using Answering = std::function<std::string(const std::string& request)>;
  explicit RawServer(Answering answering) : service_(std::move(answering)) {}

  std::string address() const { return server_.address(); }

 private:
  class Service final : public grpc::CallbackGenericService {
   public:
    explicit Service(Answering answering) : answering_(std::move(answering)) {}
    grpc::ServerGenericBidiReactor* CreateReactor(
        grpc::GenericCallbackServerContext* context) override;

   private:
    const Answering answering_;
  };

  Service service_;
  PlainServer server_{&service_};
};

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_RAW_PEERS_H_
