// StartGrpcResultStream: NodeStub::StreamTrafficResult over gRPC.
#ifndef DISTBENCH_SEQUENCER_GRPC_RESULT_STREAM_H_
#define DISTBENCH_SEQUENCER_GRPC_RESULT_STREAM_H_

#include <cstdint>

#include "distbench/sequencer/node_stub.h"
#include "distbench/sequencer/sample_stream.h"
#include "protos/services.grpc.pb.h"

namespace distbench {

NodeCallHandle StartGrpcResultStream(DistBenchNodeManager::StubInterface::async_interface& stub,
                                     GetTrafficResultRequest request, int64_t timeout_ns,
                                     NodeDone<NodeResult> done);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_GRPC_RESULT_STREAM_H_
