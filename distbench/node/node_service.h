// NodeService: a Node behind gRPC. Only translates; the node decides.
#ifndef DISTBENCH_NODE_NODE_SERVICE_H_
#define DISTBENCH_NODE_NODE_SERVICE_H_

#include "protos/services.grpc.pb.h"

namespace distbench {

class Node;

class NodeService final : public DistBenchNodeManager::CallbackService {
 public:
  // `node` outlives the service, and is closed before the service's server shuts down, so that
  // every call is answered.
  explicit NodeService(Node* node) : node_(node) {}

  grpc::ServerUnaryReactor* ConfigureNode(grpc::CallbackServerContext* context,
                                          const NodeServiceConfig* request,
                                          ServiceEndpointMap* response) override;
  grpc::ServerUnaryReactor* IntroducePeers(grpc::CallbackServerContext* context,
                                           const ServiceEndpointMap* request,
                                           IntroducePeersResult* response) override;
  grpc::ServerUnaryReactor* RunTraffic(grpc::CallbackServerContext* context,
                                       const RunTrafficRequest* request,
                                       RunTrafficResponse* response) override;
  grpc::ServerUnaryReactor* GetTrafficResult(grpc::CallbackServerContext* context,
                                             const GetTrafficResultRequest* request,
                                             GetTrafficResultResponse* response) override;
  grpc::ServerWriteReactor<ResultRecord>* StreamTrafficResult(
      grpc::CallbackServerContext* context, const GetTrafficResultRequest* request) override;
  grpc::ServerUnaryReactor* GetTrafficProgress(grpc::CallbackServerContext* context,
                                               const GetTrafficProgressRequest* request,
                                               TrafficProgress* response) override;
  grpc::ServerUnaryReactor* CancelTraffic(grpc::CallbackServerContext* context,
                                          const CancelTrafficRequest* request,
                                          CancelTrafficResult* response) override;
  grpc::ServerUnaryReactor* ShutdownNode(grpc::CallbackServerContext* context,
                                         const ShutdownNodeRequest* request,
                                         ShutdownNodeResult* response) override;
  grpc::ServerUnaryReactor* ProbeClock(grpc::CallbackServerContext* context,
                                       const ClockProbe* request, ClockReading* response) override;

 private:
  Node* const node_;
};

}  // namespace distbench

#endif  // DISTBENCH_NODE_NODE_SERVICE_H_
