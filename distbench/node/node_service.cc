#include "distbench/node/node_service.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/statusor.h"
#include "distbench/net/grpc_status.h"
#include "distbench/node/node.h"
#include "distbench/node/result_stream.h"

namespace distbench {
namespace {

// Hands the node's answer to gRPC. `response` lives until Finish().
template <typename Response>
std::function<void(absl::StatusOr<Response>)> FinishWith(grpc::ServerUnaryReactor* reactor,
                                                         Response* response) {
  return [reactor, response](absl::StatusOr<Response> answer) {
    if (answer.ok()) *response = std::move(*answer);
    reactor->Finish(ToGrpcStatus(answer.status()));
  };
}

// A RunTraffic call, which notices when its caller goes away.
class RunTrafficReactor final : public grpc::ServerUnaryReactor {
 public:
  explicit RunTrafficReactor(Node* node) : node_(node) {}

  // Before the reactor is given to gRPC, which calls the others after that only.
  void set_run_number(uint64_t run_number) { run_number_.store(run_number); }

  void OnCancel() override {
    const uint64_t run_number = run_number_.load();
    node_->AbandonTraffic(run_number);
  }
  void OnDone() override { delete this; }

 private:
  Node* const node_;
  std::atomic<uint64_t> run_number_{0};  // read on another thread than that which wrote it
};

}  // namespace

grpc::ServerUnaryReactor* NodeService::ConfigureNode(grpc::CallbackServerContext* context,
                                                     const NodeServiceConfig* request,
                                                     ServiceEndpointMap* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  node_->ConfigureNode(*request, FinishWith(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* NodeService::IntroducePeers(grpc::CallbackServerContext* context,
                                                      const ServiceEndpointMap* request,
                                                      IntroducePeersResult* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  node_->IntroducePeers(*request, FinishWith(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* NodeService::RunTraffic(grpc::CallbackServerContext* /*context*/,
                                                  const RunTrafficRequest* request,
                                                  RunTrafficResponse* response) {
  auto* reactor = new RunTrafficReactor(node_);
  reactor->set_run_number(node_->RunTraffic(*request, FinishWith(reactor, response)));
  return reactor;
}

grpc::ServerUnaryReactor* NodeService::GetTrafficResult(grpc::CallbackServerContext* context,
                                                        const GetTrafficResultRequest* request,
                                                        GetTrafficResultResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  node_->GetTrafficResult(*request, FinishWith(reactor, response));
  return reactor;
}

grpc::ServerWriteReactor<ResultRecord>* NodeService::StreamTrafficResult(
    grpc::CallbackServerContext* /*context*/, const GetTrafficResultRequest* request) {
  return new ResultStream(node_, *request);
}

grpc::ServerUnaryReactor* NodeService::GetTrafficProgress(grpc::CallbackServerContext* context,
                                                          const GetTrafficProgressRequest* request,
                                                          TrafficProgress* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  node_->GetTrafficProgress(*request, FinishWith(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* NodeService::CancelTraffic(grpc::CallbackServerContext* context,
                                                     const CancelTrafficRequest* request,
                                                     CancelTrafficResult* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  node_->CancelTraffic(*request, FinishWith(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* NodeService::ShutdownNode(grpc::CallbackServerContext* context,
                                                    const ShutdownNodeRequest* request,
                                                    ShutdownNodeResult* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  node_->ShutdownNode(*request, FinishWith(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* NodeService::ProbeClock(grpc::CallbackServerContext* context,
                                                  const ClockProbe* /*request*/,
                                                  ClockReading* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  *response = node_->ProbeClock();
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

}  // namespace distbench
