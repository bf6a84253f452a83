// FakeCluster: fake nodes, registered, and everything else that running tests needs, on simulated
// time. Not thread-safe.
#ifndef DISTBENCH_SEQUENCER_FAKE_CLUSTER_H_
#define DISTBENCH_SEQUENCER_FAKE_CLUSTER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "distbench/config/compiler.h"
#include "distbench/sequencer/fake_node.h"
#include "distbench/sequencer/node_pool.h"
#include "distbench/sequencer/run_context.h"
#include "distbench/sequencer/simulated_events.h"
#include "distbench/sequencer/simulated_mailbox.h"
#include "protos/provenance.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

class FakeCluster {
 public:
  FakeCluster();
  ~FakeCluster();

  // Starts and registers node0, node1, ...
  FakeNode& AddNode(const FakeNodeOptions& options = {});
  FakeNode& node(size_t position) { return *nodes_[position]; }

  RunContext context();

  // Without those of `method`.
  std::vector<std::string> JournalWithout(const std::string& method) const;

  SimulatedTime time;
  SimulatedEvents events{time};
  SimulatedMailbox mailbox{time};
  std::vector<std::string> journal;

 private:
  Provenance provenance_;
  std::vector<std::shared_ptr<FakeNode>> nodes_;
  NodePool pool_;
  uint64_t drawn_ = 0;
};

// A test, "demo", in which each client sends three RPCs to server/0; `more` is added to it as text.
TestSequence ClientServerTest(int clients, const std::string& more = "");

KnownDrivers FakeDrivers();

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_FAKE_CLUSTER_H_
