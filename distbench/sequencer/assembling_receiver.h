// AssemblingReceiver: makes one message of a whole sequence's results, for callers who get one.
#ifndef DISTBENCH_SEQUENCER_ASSEMBLING_RECEIVER_H_
#define DISTBENCH_SEQUENCER_ASSEMBLING_RECEIVER_H_

#include <functional>

#include "absl/status/statusor.h"
#include "distbench/results/result_assembler.h"
#include "distbench/sequencer/sequence_receiver.h"

namespace distbench {

class AssemblingReceiver final : public SequenceReceiver {
 public:
  using Done = std::function<void(absl::StatusOr<TestSequenceResults>)>;

  // `done` is called once. Samples, and if need be logs, that do not fit one message are left out.
  explicit AssemblingReceiver(Done done)
      : done_(std::move(done)), assembler_({.drops_what_is_too_large = true}) {}

  bool wants_progress() const override { return false; }
  void OnProgress(const TestProgress&) override {}
  void OnRecord(ResultRecord record) override { status_.Update(assembler_.Add(std::move(record))); }
  bool has_room() const override { return true; }
  bool has_gone() const override { return false; }
  void OnEnd(const absl::Status& status) override {
    status_.Update(status);
    if (status_.ok()) return done_(assembler_.Take());
    done_(status_);
  }

 private:
  const Done done_;
  ResultAssembler assembler_;
  absl::Status status_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_ASSEMBLING_RECEIVER_H_
