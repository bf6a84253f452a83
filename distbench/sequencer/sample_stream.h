// SampleStream: the samples of one node, which the sequencer fetches block by block after
// everything else of the node's result. Letting go of it ends the call.
#ifndef DISTBENCH_SEQUENCER_SAMPLE_STREAM_H_
#define DISTBENCH_SEQUENCER_SAMPLE_STREAM_H_

#include <functional>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {

class SampleStream {
 public:
  // None: that was all.
  using Done = std::function<void(absl::StatusOr<std::optional<SampleBlock>>)>;

  virtual ~SampleStream() = default;

  // Asks for the next block. `done` is called once, on any thread, also before this returns.
  // Requires: the one before was answered, with a block.
  virtual void Next(Done done) = 0;
};

// What a node has measured. `samples` is null where they are in the logs.
struct NodeResult {
  GetTrafficResultResponse result;
  std::shared_ptr<SampleStream> samples;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_SAMPLE_STREAM_H_
