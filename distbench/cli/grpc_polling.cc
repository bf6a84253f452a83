#include "distbench/cli/grpc_polling.h"

#include <cstdlib>

namespace distbench {
namespace {

constexpr char kVariable[] = "GRPC_POLL_STRATEGY";

// Each thread of a shared control plane looks at the sockets of all nodes.
constexpr int kMostNodesWithOwnSockets = 32;

}  // namespace

GrpcPolling GrpcPollingFor(int nodes) {
  return nodes >= 1 && nodes <= kMostNodesWithOwnSockets ? GrpcPolling::kOwnSockets
                                                         : GrpcPolling::kAllSockets;
}

void ChooseGrpcPolling(GrpcPolling polling) {
  constexpr int kKeepsWhatIsSet = 0;
  setenv(kVariable, polling == GrpcPolling::kOwnSockets ? "poll" : "epoll1", kKeepsWhatIsSet);
}

}  // namespace distbench
