// NodePool: the nodes that have registered, by number.
//
// A node is the process that answers on one address. Who registers again from the same address is
// the same node, perhaps restarted: it keeps its number and gets a new stub. Nodes are never
// dropped; whether one still lives is found out when a test needs it. Thread-safe.
#ifndef DISTBENCH_SEQUENCER_NODE_POOL_H_
#define DISTBENCH_SEQUENCER_NODE_POOL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "distbench/sequencer/node_stub.h"
#include "protos/distbench.pb.h"

namespace distbench {

// Immutable once made.
struct RegisteredNode {
  int32_t id = 0;
  std::string alias;              // "node3"
  NodeRegistration registration;  // attributes include `node_alias`
  std::shared_ptr<NodeStub> stub;

  // A node of another program knows the public format only.
  bool knows_extensions() const { return registration.has_daemon(); }

  // "node3 (host:10000)", for messages.
  std::string ToString() const;
};

using NodePointer = std::shared_ptr<const RegisteredNode>;

// The gRPC target of a node: what it asks for, else host and port.
std::string NodeTarget(const NodeRegistration& registration);

class NodePool {
 public:
  explicit NodePool(NodeStubFactory make_stub) : make_stub_(std::move(make_stub)) {}

  // The number is the one asked for, else that of the same address, else the least that is free.
  // INVALID_ARGUMENT if the host name is missing, the port invalid, or another node has the number.
  absl::StatusOr<NodePointer> Register(const NodeRegistration& registration);

  // In the order of their numbers.
  std::vector<NodePointer> Nodes() const;

 private:
  NodePointer FindTarget(const std::string& target) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int32_t LeastFreeId() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const NodeStubFactory make_stub_;
  mutable absl::Mutex mutex_;
  std::map<int32_t, NodePointer> nodes_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_NODE_POOL_H_
