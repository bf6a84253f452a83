// GrpcNodeStub: a node manager behind a gRPC channel.
//
// Calls fail at once while the node cannot be reached: waiting for one that died would hold up a
// whole test. Completions run on the threads that all of gRPC's callbacks in the process share, so
// that a thousand nodes need no more threads than one.
#ifndef DISTBENCH_SEQUENCER_GRPC_NODE_STUB_H_
#define DISTBENCH_SEQUENCER_GRPC_NODE_STUB_H_

#include <memory>

#include "distbench/sequencer/node_stub.h"

namespace distbench {

// Connects to NodeTarget() of the registration, in the background.
std::shared_ptr<NodeStub> MakeGrpcNodeStub(const NodeRegistration& registration);

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_GRPC_NODE_STUB_H_
