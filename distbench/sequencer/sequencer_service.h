// SequencerService: SequenceRunner and NodePool as the gRPC service that nodes and callers know. It
// translates and decides nothing. Handlers never block; they run on gRPC's shared threads.
#ifndef DISTBENCH_SEQUENCER_SEQUENCER_SERVICE_H_
#define DISTBENCH_SEQUENCER_SEQUENCER_SERVICE_H_

#include "distbench/sequencer/node_pool.h"
#include "distbench/sequencer/sequence_runner.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

class SequencerService final : public DistBenchTestSequencer::CallbackService {
 public:
  // All borrowed. `provenance` is told to nodes.
  SequencerService(NodePool& nodes, SequenceRunner& runner, const Provenance& provenance)
      : nodes_(nodes), runner_(runner), provenance_(provenance) {}

  grpc::ServerUnaryReactor* RegisterNode(grpc::CallbackServerContext* context,
                                         const NodeRegistration* request,
                                         NodeConfig* response) override;

  // A caller who goes away cancels his sequence.
  grpc::ServerUnaryReactor* RunTestSequence(grpc::CallbackServerContext* context,
                                            const TestSequence* request,
                                            TestSequenceResults* response) override;

  // The same. Progress that the caller is too slow to take is left out.
  grpc::ServerWriteReactor<SequenceEvent>* RunTestSequenceStream(
      grpc::CallbackServerContext* context, const TestSequence* request) override;

  grpc::ServerUnaryReactor* StopTestSequence(grpc::CallbackServerContext* context,
                                             const StopTestSequenceRequest* request,
                                             StopTestSequenceResult* response) override;

 private:
  void Describe(const RegisteredNode& node, NodeConfig& config) const;

  NodePool& nodes_;
  SequenceRunner& runner_;
  const Provenance& provenance_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SEQUENCER_SERVICE_H_
