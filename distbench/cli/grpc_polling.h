// How gRPC's threads wait for their sockets: for the whole process, so that the program chooses
// and no library does. Stateless.
#ifndef DISTBENCH_CLI_GRPC_POLLING_H_
#define DISTBENCH_CLI_GRPC_POLLING_H_

namespace distbench {

enum class GrpcPolling {
  // gRPC's "poll": each thread waits for its own sockets. For nodes: the event loops and the
  // threads
  // of the control plane leave each other alone. At 1000 peers it is still the faster one, although
  // poll(2) looks at every socket.
  kOwnSockets,
  // gRPC's "epoll1", its default: all threads wait for all sockets, and one of them at a time does
  // so for the others. Each event that is for somebody else costs a hand-over to another thread.
  // For thousands of connections that are mostly idle, as a sequencer's.
  kAllSockets,
};

// The right one for a process that hosts so many nodes.
GrpcPolling GrpcPollingFor(int nodes);

// Requires: gRPC was not used before, and no other thread runs. What the user has set as
// GRPC_POLL_STRATEGY stays.
void ChooseGrpcPolling(GrpcPolling polling);

}  // namespace distbench

#endif  // DISTBENCH_CLI_GRPC_POLLING_H_
