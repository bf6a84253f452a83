#include "distbench/sequencer/grpc_node_stub.h"

#include <grpc/support/time.h>
#include <grpcpp/grpcpp.h>

#include <functional>
#include <utility>

#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "distbench/sequencer/node_pool.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using AsyncStub = DistBenchNodeManager::StubInterface::async_interface;

// Everything that a call needs until it ends; gRPC's completion holds a reference.
template <typename Request, typename Response>
struct GrpcNodeCall final : NodeCall {
  void Cancel() override { context.TryCancel(); }

  grpc::ClientContext context;
  Request request;
  Response response;
  NodeDone<Response> done;
};

gpr_timespec DeadlineAfter(int64_t timeout_ns) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(timeout_ns, GPR_TIMESPAN));
}

template <typename Request, typename Response>
using CallbackMethod = void (AsyncStub::*)(grpc::ClientContext*, const Request*, Response*,
                                           std::function<void(grpc::Status)>);

class GrpcNodeStub final : public NodeStub {
 public:
  explicit GrpcNodeStub(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(DistBenchNodeManager::NewStub(channel)) {}

  NodeCallHandle ConfigureNode(NodeServiceConfig request, int64_t timeout_ns,
                               NodeDone<ServiceEndpointMap> done) override {
    return Start<NodeServiceConfig, ServiceEndpointMap>(
        &AsyncStub::ConfigureNode, std::move(request), timeout_ns, std::move(done));
  }
  NodeCallHandle IntroducePeers(ServiceEndpointMap request, int64_t timeout_ns,
                                NodeDone<IntroducePeersResult> done) override {
    return Start<ServiceEndpointMap, IntroducePeersResult>(
        &AsyncStub::IntroducePeers, std::move(request), timeout_ns, std::move(done));
  }
  NodeCallHandle RunTraffic(RunTrafficRequest request, int64_t timeout_ns,
                            NodeDone<RunTrafficResponse> done) override {
    return Start<RunTrafficRequest, RunTrafficResponse>(&AsyncStub::RunTraffic, std::move(request),
                                                        timeout_ns, std::move(done));
  }
  NodeCallHandle GetTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                  NodeDone<GetTrafficResultResponse> done) override {
    return Start<GetTrafficResultRequest, GetTrafficResultResponse>(
        &AsyncStub::GetTrafficResult, std::move(request), timeout_ns, std::move(done));
  }
  NodeCallHandle CancelTraffic(CancelTrafficRequest request, int64_t timeout_ns,
                               NodeDone<CancelTrafficResult> done) override {
    return Start<CancelTrafficRequest, CancelTrafficResult>(
        &AsyncStub::CancelTraffic, std::move(request), timeout_ns, std::move(done));
  }
  NodeCallHandle ShutdownNode(ShutdownNodeRequest request, int64_t timeout_ns,
                              NodeDone<ShutdownNodeResult> done) override {
    return Start<ShutdownNodeRequest, ShutdownNodeResult>(
        &AsyncStub::ShutdownNode, std::move(request), timeout_ns, std::move(done));
  }
  NodeCallHandle ProbeClock(ClockProbe request, int64_t timeout_ns,
                            NodeDone<ClockReading> done) override {
    return Start<ClockProbe, ClockReading>(&AsyncStub::ProbeClock, std::move(request), timeout_ns,
                                           std::move(done));
  }

 private:
  template <typename Request, typename Response>
  NodeCallHandle Start(CallbackMethod<Request, Response> method, Request request,
                       int64_t timeout_ns, NodeDone<Response> done) {
    auto call = std::make_shared<GrpcNodeCall<Request, Response>>();
    call->context.set_deadline(DeadlineAfter(timeout_ns));
    call->request = std::move(request);
    call->done = std::move(done);
    (stub_->async()->*method)(&call->context, &call->request, &call->response,
                              [call](const grpc::Status& status) {
                                if (status.ok()) {
                                  call->done(std::move(call->response));
                                } else {
                                  call->done(FromGrpcStatus(status));
                                }
                              });
    return call;
  }

  const std::unique_ptr<DistBenchNodeManager::StubInterface> stub_;
};

}  // namespace

std::shared_ptr<NodeStub> MakeGrpcNodeStub(const NodeRegistration& registration) {
  return std::make_shared<GrpcNodeStub>(ControlPlaneChannel(NodeTarget(registration)));
}

}  // namespace distbench
