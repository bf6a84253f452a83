// OlderSequencer: a test sequencer as an older program has it, which calls nodes one after the
// other, with the deadlines and in the order that the public format's conventions name.
//
// Nodes see messages of the public format only, and of their answers only that is read.
#ifndef DISTBENCH_INTEROP_OLDER_SEQUENCER_H_
#define DISTBENCH_INTEROP_OLDER_SEQUENCER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "distbench/interop/plain_server.h"
#include "distbench/interop/public_format.h"
#include "distbench/net/grpc_status.h"
#include "glog/logging.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

// Instances by node.
using OlderPlacement = std::vector<std::vector<std::string>>;

class OlderSequencer {
 public:
  using Stub = DistBenchNodeManager::Stub;

  uint16_t port() const { return server_.port(); }

  // What a node's last registration was.
  NodeRegistration registration(size_t node) const { return service_.registration(node); }

  // One call, as it stands.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(size_t node,
                                grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                             Response*),
                                const Request& request, absl::Duration timeout) {
    CHECK(PublicFormat::Get().Unknown(request).empty()) << request.ShortDebugString();
    grpc::ClientContext context;
    context.set_deadline(absl::ToChronoTime(absl::Now() + timeout));
    Response response;
    const grpc::Status status = (StubOf(node).get()->*method)(&context, request, &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return PublicFormat::Get().AsRead(response);
  }

  // The phases of a test, each on all nodes of the placement. A config in canonical form.
  absl::Status Configure(const DistributedSystemDescription& config,
                         const OlderPlacement& placement);
  absl::Status Introduce();
  absl::Status RunTraffic(absl::Duration test_timeout);
  absl::Status CancelTraffic();
  // By node.
  absl::StatusOr<std::vector<GetTrafficResultResponse>> GetResults();
  absl::Status Shutdown();

  // All instances, as the nodes' answers to Configure told.
  const ServiceEndpointMap& endpoints() const { return endpoints_; }

 private:
  class Service final : public DistBenchTestSequencer::Service {
   public:
    grpc::Status RegisterNode(grpc::ServerContext* context, const NodeRegistration* request,
                              NodeConfig* response) override;
    NodeRegistration registration(size_t node) const;

   private:
    mutable absl::Mutex mutex_;
    std::vector<NodeRegistration> nodes_ ABSL_GUARDED_BY(mutex_);
  };

  std::unique_ptr<Stub> StubOf(size_t node) const;

  Service service_;
  PlainServer server_{&service_};
  size_t nodes_ = 0;  // of the placement
  ServiceEndpointMap endpoints_;
};

}  // namespace distbench

#endif  // DISTBENCH_INTEROP_OLDER_SEQUENCER_H_
