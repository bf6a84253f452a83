// OlderNode: a node manager as an older program has it: the public calls only, none of them twice,
// registers once, knows neither hello nor runs, and complains of what it cannot understand.
#ifndef DISTBENCH_INTEROP_OLDER_NODE_H_
#define DISTBENCH_INTEROP_OLDER_NODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/interop/older_engine.h"
#include "distbench/interop/plain_server.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

class OlderNode {
 public:
  // Registers with the sequencer on this port of the loopback device.
  explicit OlderNode(uint16_t sequencer_port);

  const std::string& alias() const { return alias_; }
  // Names of the calls that came, in order.
  std::vector<std::string> calls() const { return service_.calls(); }
  // What was not as the public format and its conventions have it.
  std::vector<std::string> complaints() const { return service_.complaints(); }

 private:
  class Service final : public DistBenchNodeManager::Service {
   public:
    grpc::Status ConfigureNode(grpc::ServerContext* context, const NodeServiceConfig* request,
                               ServiceEndpointMap* response) override;
    grpc::Status IntroducePeers(grpc::ServerContext* context, const ServiceEndpointMap* request,
                                IntroducePeersResult* response) override;
    grpc::Status RunTraffic(grpc::ServerContext* context, const RunTrafficRequest* request,
                            RunTrafficResponse* response) override;
    grpc::Status GetTrafficResult(grpc::ServerContext* context,
                                  const GetTrafficResultRequest* request,
                                  GetTrafficResultResponse* response) override;
    grpc::Status CancelTraffic(grpc::ServerContext* context, const CancelTrafficRequest* request,
                               CancelTrafficResult* response) override;
    grpc::Status ShutdownNode(grpc::ServerContext* context, const ShutdownNodeRequest* request,
                              ShutdownNodeResult* response) override;

    void SetAlias(const std::string& alias);
    std::vector<std::string> calls() const;
    std::vector<std::string> complaints() const;

   private:
    using Engines = std::vector<std::shared_ptr<OlderEngine>>;

    // Notes the call and what is unknown in it.
    void Note(const char* method, const google::protobuf::Message& request);
    void Complain(std::vector<std::string> complaints);
    Engines engines() const;

    mutable absl::Mutex mutex_;
    std::string alias_ ABSL_GUARDED_BY(mutex_);
    DistributedSystemDescription config_ ABSL_GUARDED_BY(mutex_);
    Engines engines_ ABSL_GUARDED_BY(mutex_);
    std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
    std::vector<std::string> complaints_ ABSL_GUARDED_BY(mutex_);
  };

  Service service_;
  PlainServer server_{&service_};
  std::string alias_;
};

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_OLDER_NODE_H_
