#include "distbench/sequencer/sequencer_service.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "distbench/net/grpc_status.h"
#include "distbench/sequencer/assembling_receiver.h"
#include "distbench/sequencer/sequence_stream.h"

namespace distbench {
namespace {

constexpr int32_t kControlProtocol = 1;

// Nodes come back to a sequencer that was restarted within this time; all of them together are at
// most a hundred registrations a second.
constexpr int64_t kMinRegistrationPeriodMs = 5000;
constexpr int64_t kRegistrationPeriodMsPerNode = 10;

// One RunTestSequence. gRPC calls OnCancel and OnDone only after the handler that made the reactor
// has returned it, so that neither meets a reactor without its cancel function.
class SequenceReactor final : public grpc::ServerUnaryReactor {
 public:
  SequenceReactor(SequenceRunner& runner, const TestSequence& request,
                  TestSequenceResults& response) {
    cancel_ =
        runner.Run(request, std::make_shared<AssemblingReceiver>(
                                [this, &response](absl::StatusOr<TestSequenceResults> results) {
                                  if (results.ok()) response = *std::move(results);
                                  Finish(ToGrpcStatus(results.status()));
                                }));
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
  nodes_.Register(*request, [this, response, reactor](const absl::StatusOr<NodePointer>& node) {
    if (node.ok()) Describe(**node, *response);
    reactor->Finish(ToGrpcStatus(node.status()));
  });
  return reactor;
}

void SequencerService::Describe(const RegisteredNode& node, NodeConfig& config) const {
  config.set_node_id(node.id);
  config.set_node_alias(node.alias);
  config.mutable_daemon()->set_control_protocol(kControlProtocol);
  *config.mutable_daemon()->mutable_provenance() = provenance_;
  config.set_registration_period_ms(
      std::max(kMinRegistrationPeriodMs,
               kRegistrationPeriodMsPerNode * static_cast<int64_t>(nodes_.size())));
}

grpc::ServerUnaryReactor* SequencerService::RunTestSequence(
    grpc::CallbackServerContext* /*context*/, const TestSequence* request,
    TestSequenceResults* response) {
  return new SequenceReactor(runner_, *request, *response);
}

grpc::ServerWriteReactor<SequenceEvent>* SequencerService::RunTestSequenceStream(
    grpc::CallbackServerContext* /*context*/, const TestSequence* request) {
  return SequenceStream::Start(runner_, *request);
}

grpc::ServerUnaryReactor* SequencerService::StopTestSequence(grpc::CallbackServerContext* context,
                                                             const StopTestSequenceRequest* request,
                                                             StopTestSequenceResult* /*response*/) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  runner_.StopSequence(request->sequence_id(), [reactor](const absl::Status& status) {
    reactor->Finish(ToGrpcStatus(status));
  });
  return reactor;
}

}  // namespace distbench
