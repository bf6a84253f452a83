#include "distbench/sequencer/grpc_node_stub.h"

#include <grpc/support/time.h>
#include <grpcpp/grpcpp.h>
#if defined(DISTBENCH_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/net/grpc_channel.h"
#include "distbench/net/grpc_status.h"
#include "distbench/sequencer/grpc_result_stream.h"
#include "distbench/sequencer/node_pool.h"
#include "protos/services.grpc.pb.h"

namespace distbench {
namespace {

using AsyncStub = DistBenchNodeManager::StubInterface::async_interface;

gpr_timespec DeadlineAfter(int64_t timeout_ns) {
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(timeout_ns, GPR_TIMESPAN));
}

template <typename Request, typename Response>
using ReactorMethod = void (AsyncStub::*)(grpc::ClientContext*, const Request*, Response*,
                                          grpc::ClientUnaryReactor*);

// A call and everything that it needs; it keeps itself alive until gRPC is done with it. gRPC
// orders the start before OnDone(); the sanitizer, which does not see into the system's library, is
// told so.
//
// Once it has told its outcome it holds nothing of gRPC: whoever waits for that may then let go of
// the process's last channel, and gRPC aborts if that dies on one of the threads that call OnDone.
template <typename Request, typename Response>
class GrpcNodeCall final : public NodeCall, public grpc::ClientUnaryReactor {
 public:
  GrpcNodeCall(Request request, int64_t timeout_ns, NodeDone<Response> done)
      : request_(std::move(request)), done_(std::move(done)), context_(std::in_place) {
    context_->set_deadline(DeadlineAfter(timeout_ns));
  }

  static NodeCallHandle Start(AsyncStub& stub, ReactorMethod<Request, Response> method,
                              std::shared_ptr<GrpcNodeCall> call) {
    GrpcNodeCall& started = *call;
    started.self_ = call;
    (stub.*method)(started.context(), &started.request_, &started.response_, &started);
#if defined(DISTBENCH_TSAN)
    __tsan_release(&started);
#endif
    started.StartCall();
    return call;
  }

  void Cancel() override {
    absl::MutexLock lock(&mutex_);
    if (context_.has_value()) context_->TryCancel();
  }

  void OnDone(const grpc::Status& status) override {
#if defined(DISTBENCH_TSAN)
    __tsan_acquire(this);
#endif
    const std::shared_ptr<GrpcNodeCall> until_return = std::move(self_);
    ForgetContext();
    if (status.ok()) {
      done_(std::move(response_));
    } else {
      done_(FromGrpcStatus(status));
    }
  }

 private:
  grpc::ClientContext* context() {
    absl::MutexLock lock(&mutex_);
    return &*context_;
  }
  void ForgetContext() {
    absl::MutexLock lock(&mutex_);
    context_.reset();
  }

  const Request request_;
  Response response_;
  const NodeDone<Response> done_;
  std::shared_ptr<GrpcNodeCall> self_;
  absl::Mutex mutex_;
  std::optional<grpc::ClientContext> context_ ABSL_GUARDED_BY(mutex_);  // none: has ended
};

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
  NodeCallHandle StreamTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                     NodeDone<NodeResult> done) override {
    return StartGrpcResultStream(*stub_->async(), std::move(request), timeout_ns, std::move(done));
  }
  NodeCallHandle GetTrafficProgress(GetTrafficProgressRequest request, int64_t timeout_ns,
                                    NodeDone<TrafficProgress> done) override {
    return Start<GetTrafficProgressRequest, TrafficProgress>(
        &AsyncStub::GetTrafficProgress, std::move(request), timeout_ns, std::move(done));
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
  NodeCallHandle Start(ReactorMethod<Request, Response> method, Request request, int64_t timeout_ns,
                       NodeDone<Response> done) {
    return GrpcNodeCall<Request, Response>::Start(
        *stub_->async(), method,
        std::make_shared<GrpcNodeCall<Request, Response>>(std::move(request), timeout_ns,
                                                          std::move(done)));
  }

  const std::unique_ptr<DistBenchNodeManager::StubInterface> stub_;
};

}  // namespace

std::shared_ptr<NodeStub> MakeGrpcNodeStub(const NodeRegistration& registration) {
  return std::make_shared<GrpcNodeStub>(ControlPlaneChannel(NodeTarget(registration)));
}

}  // namespace distbench
