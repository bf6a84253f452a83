// NodePool: the nodes that have registered, by number.
//
// A node is the process that answers on one address. Who registers again from the same address is
// the same node: it keeps its number. If it was restarted it gets a new stub; nodes repeat their
// registrations all the time, and one that changes nothing costs next to nothing.
//
// Nodes are never dropped, but one that asks for the number of a dead one gets it. Whether a node
// lives is found out only then, and when a test needs it. Thread-safe.
#ifndef DISTBENCH_SEQUENCER_NODE_POOL_H_
#define DISTBENCH_SEQUENCER_NODE_POOL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
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
  using Registered = std::function<void(absl::StatusOr<NodePointer>)>;

  explicit NodePool(NodeStubFactory make_stub) : make_stub_(std::move(make_stub)) {}

  // The number is the one asked for, else that of the same address, else the one that the node had
  // formerly, else the least that is free. INVALID_ARGUMENT if the host name is missing, the port
  // invalid, or another node has the number asked for and answers.
  //
  // `done` is called once: before Register returns, or from a node's answer, on whatever thread
  // that comes, within seconds; until then the pool must live.
  void Register(const NodeRegistration& registration, Registered done);

  // In the order of their numbers.
  std::vector<NodePointer> Nodes() const;
  size_t size() const;

 private:
  // `dead`: a node whose number may be taken; null: none.
  void TryRegister(const NodeRegistration& registration, const NodePointer& dead, Registered done);

  // Those below belong to a registration that is in order.

  NodePointer FindTarget(const std::string& target) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Another node that has the number asked for; null if nobody has.
  NodePointer FindRival(const NodeRegistration& registration) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  int32_t ChooseId(const NodeRegistration& registration) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Requires: FindRival() is null.
  NodePointer Add(const NodeRegistration& registration) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Remove(const RegisteredNode& node) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const NodeStubFactory make_stub_;
  mutable absl::Mutex mutex_;
  std::map<int32_t, NodePointer> nodes_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, int32_t> id_by_target_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_NODE_POOL_H_
