// ConnectionSetupService: the port of an engine where peers ask how to reach its driver.
//
// Thread-safe; answers on gRPC's threads, without waiting.
#ifndef DISTBENCH_NODE_CONNECTION_SETUP_SERVICE_H_
#define DISTBENCH_NODE_CONNECTION_SETUP_SERVICE_H_

#include "absl/status/status.h"
#include "distbench/driver/protocol_driver.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

class ConnectionSetupService final : public ConnectionSetup::CallbackService {
 public:
  // `driver` outlives the service; its server runs before the first call comes.
  ConnectionSetupService(ProtocolDriver* driver, const DriverHello& hello)
      : driver_(driver), hello_(hello) {}

  grpc::ServerUnaryReactor* SetupConnection(grpc::CallbackServerContext* context,
                                            const ConnectRequest* request,
                                            ConnectResponse* response) override;

 private:
  absl::Status Answer(const ConnectRequest& request, ConnectResponse* response);

  ProtocolDriver* const driver_;
  const DriverHello hello_;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_CONNECTION_SETUP_SERVICE_H_
