// LocalNodes: a sequencer and any number of node managers in this process, over the control plane
// that real ones use (gRPC on loopback).
#ifndef BENCHMARKS_LOCAL_NODES_H_
#define BENCHMARKS_LOCAL_NODES_H_

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/driver/fake/fake_network.h"
#include "distbench/node/node_environment.h"
#include "distbench/node/node_manager.h"
#include "distbench/sequencer/sequencer.h"

namespace distbench {

// Not thread-safe.
class LocalNodes {
 public:
  // Nodes know the protocols "fake" and "grpc".
  static absl::StatusOr<std::unique_ptr<LocalNodes>> Start(size_t node_count);
  ~LocalNodes();

  // HOST:PORT of the sequencer.
  std::string address() const;

 private:
  LocalNodes();
  absl::Status StartSequencer();
  absl::Status AddNode();

  FakeNetwork network_;
  const std::unique_ptr<DriverRegistry> drivers_;
  // Node i lives in environment i modulo their number. Each environment has a budget of descriptors
  // of its own, in which every connection of a test counts, those of the fake driver too, which
  // take none: a large clique needs more than one budget.
  std::array<std::unique_ptr<NodeEnvironment>, 2> environments_;
  std::unique_ptr<Sequencer> sequencer_;
  std::vector<std::unique_ptr<NodeManager>> managers_;
};

}  // namespace distbench

#endif  // BENCHMARKS_LOCAL_NODES_H_
