#include "distbench/sequencer/sequencer_service.h"

#include <glog/logging.h>

#include <utility>

#include "distbench/net/grpc_status.h"

namespace distbench {
namespace {

constexpr int32_t kControlProtocol = 1;

// One RunTestSequence. gRPC calls OnCancel and OnDone only after the handler that made the reactor
// has returned it, so that neither meets a reactor without its cancel function.
class SequenceReactor final : public grpc::ServerUnaryReactor {
 public:
  SequenceReactor(SequenceRunner& runner, const TestSequence& request,
                  TestSequenceResults& response) {
    cancel_ = runner.Run(request, [this, &response](absl::StatusOr<TestSequenceResults> results) {
      if (results.ok()) response = *std::move(results);
      Finish(ToGrpcStatus(results.status()));
    });
  }

  void OnCancel() override { cancel_(); }
  void OnDone() override { delete this; }

 private:
  SequenceRunner::Cancel cancel_;
};

}  // namespace

grpc::ServerUnaryReactor* SequencerService::RegisterNode(grpc::CallbackServerContext* context,
                                                         const NodeRegistration* request,
                                                         NodeConfig* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const absl::StatusOr<NodePointer> node = nodes_.Register(*request);
  if (node.ok()) {
    VLOG(1) << (*node)->ToString() << " registered from " << context->peer();
    response->set_node_id((*node)->id);
    response->set_node_alias((*node)->alias);
    response->mutable_daemon()->set_control_protocol(kControlProtocol);
    *response->mutable_daemon()->mutable_provenance() = provenance_;
  }
  reactor->Finish(ToGrpcStatus(node.status()));
  return reactor;
}

grpc::ServerUnaryReactor* SequencerService::RunTestSequence(
    grpc::CallbackServerContext* /*context*/, const TestSequence* request,
    TestSequenceResults* response) {
  return new SequenceReactor(runner_, *request, *response);
}

}  // namespace distbench
