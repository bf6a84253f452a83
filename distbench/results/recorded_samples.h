// RecordedSamples: the samples of one engine, block by block, as its recorders' logs hold them.
//
// A block takes what comes next in the logs, sorted by peer, RPC and start within the block only:
// as much memory as a block takes, however many samples there are and wherever they lie. Numbers of
// errors are those of BuildServiceStatistics(). Not thread-safe.
#ifndef DISTBENCH_RESULTS_RECORDED_SAMPLES_H_
#define DISTBENCH_RESULTS_RECORDED_SAMPLES_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "distbench/base/clock.h"

namespace distbench {

class Recorder;
class SampleBlock;
class ServicePerformanceLog;

class RecordedSamples {
 public:
  // The recorders of all shards of an engine, which outlive this and record no more.
  RecordedSamples(const std::vector<const Recorder*>& shards, const WallAnchor& anchor);
  ~RecordedSamples();

  // False at the end. `block` gets the samples and the instance that sent the RPCs.
  bool Next(SampleBlock* block);

  // Why samples are missing that were kept: their store has lost them.
  const absl::Status& status() const;

 private:
  class Reader;
  const std::unique_ptr<Reader> reader_;
};

// Adds all of them to the statistics of the same recorders.
void AddAllSamples(RecordedSamples& samples, ServicePerformanceLog& log);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_RECORDED_SAMPLES_H_
