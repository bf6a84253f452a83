// NodeStub: one node as the sequencer sees it, whatever carries the calls. GrpcNodeStub reaches a
// node manager over the network; tests put nodes in memory, on simulated time, behind it.
//
// Every call is asynchronous and ends in exactly one call of `done`: with the answer, or with an
// error (the node's own, UNAVAILABLE if it cannot be reached, DEADLINE_EXCEEDED after the timeout,
// CANCELLED after NodeCall::Cancel). `done` may run on any thread, also before the call that
// started it returns, so it must not block and must not need a lock that the caller holds.
// Thread-safe. A stub may be destroyed while its calls are under way.
#ifndef DISTBENCH_SEQUENCER_NODE_STUB_H_
#define DISTBENCH_SEQUENCER_NODE_STUB_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"

namespace distbench {

class CancelTrafficRequest;
class CancelTrafficResult;
class ClockProbe;
class ClockReading;
class GetTrafficProgressRequest;
class GetTrafficResultRequest;
class GetTrafficResultResponse;
class IntroducePeersResult;
class NodeRegistration;
struct NodeResult;
class NodeServiceConfig;
class RunTrafficRequest;
class RunTrafficResponse;
class ServiceEndpointMap;
class ShutdownNodeRequest;
class ShutdownNodeResult;
class TrafficProgress;

// A call that was started.
class NodeCall {
 public:
  virtual ~NodeCall() = default;

  // Ends the call soon, unless it has ended. Thread-safe.
  virtual void Cancel() = 0;
};

template <typename Response>
using NodeDone = std::function<void(absl::StatusOr<Response>)>;

// Null never; it may outlive the call.
using NodeCallHandle = std::shared_ptr<NodeCall>;

class NodeStub {
 public:
  virtual ~NodeStub() = default;

  virtual NodeCallHandle ConfigureNode(NodeServiceConfig request, int64_t timeout_ns,
                                       NodeDone<ServiceEndpointMap> done) = 0;
  virtual NodeCallHandle IntroducePeers(ServiceEndpointMap request, int64_t timeout_ns,
                                        NodeDone<IntroducePeersResult> done) = 0;
  virtual NodeCallHandle RunTraffic(RunTrafficRequest request, int64_t timeout_ns,
                                    NodeDone<RunTrafficResponse> done) = 0;
  virtual NodeCallHandle GetTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                          NodeDone<GetTrafficResultResponse> done) = 0;
  // The same without samples, and a stream of these. The stream is not subject to the timeout. A
  // node of another program answers UNIMPLEMENTED.
  virtual NodeCallHandle StreamTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                             NodeDone<NodeResult> done) = 0;
  // A node of another program answers UNIMPLEMENTED.
  virtual NodeCallHandle GetTrafficProgress(GetTrafficProgressRequest request, int64_t timeout_ns,
                                            NodeDone<TrafficProgress> done) = 0;
  virtual NodeCallHandle CancelTraffic(CancelTrafficRequest request, int64_t timeout_ns,
                                       NodeDone<CancelTrafficResult> done) = 0;
  virtual NodeCallHandle ShutdownNode(ShutdownNodeRequest request, int64_t timeout_ns,
                                      NodeDone<ShutdownNodeResult> done) = 0;
  // A node of another program answers UNIMPLEMENTED, which still shows that it lives.
  virtual NodeCallHandle ProbeClock(ClockProbe request, int64_t timeout_ns,
                                    NodeDone<ClockReading> done) = 0;
};

using NodeStubFactory = std::function<std::shared_ptr<NodeStub>(const NodeRegistration&)>;

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_NODE_STUB_H_
