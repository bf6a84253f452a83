// SampleRelay: samples from the nodes to whoever wants them, one node after the other and one block
// at a time, so that the sequencer holds hardly any. What a node sends is checked: nonsense, or a
// node that falls silent, costs that node's samples and nobody else's. Runs on the runner's thread.
#ifndef DISTBENCH_SEQUENCER_SAMPLE_RELAY_H_
#define DISTBENCH_SEQUENCER_SAMPLE_RELAY_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "distbench/results/log_samples.h"
#include "distbench/sequencer/node_calls.h"
#include "distbench/sequencer/sample_stream.h"

namespace distbench {

// The samples of one node and what they may be of.
struct NodeSamples {
  std::string node;  // for people
  std::set<std::string> instances;
  std::shared_ptr<SampleStream> stream;
};

class SampleRelay {
 public:
  // False: nobody wants more.
  using Send = absl::FunctionRef<bool(ResultRecord)>;

  // All borrowed.
  SampleRelay(const CallContext& calls, const KnownRpcs& known, Send send)
      : calls_(calls), known_(known), send_(send) {}

  void Relay(NodeSamples node);

  int64_t samples() const { return samples_; }
  // What went wrong, for people.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  absl::Status RelayAll(const NodeSamples& node);
  absl::StatusOr<std::optional<SampleBlock>> AwaitNext(SampleStream& stream);

  const CallContext& calls_;
  const KnownRpcs& known_;
  const Send send_;
  int64_t samples_ = 0;
  std::vector<std::string> remarks_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SAMPLE_RELAY_H_
