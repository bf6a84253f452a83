#include "distbench/sequencer/sample_relay.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/results/sample_columns.h"
#include "distbench/sequencer/alarm.h"

namespace distbench {
namespace {

// A block takes a node milliseconds.
constexpr int64_t kPatienceNs = 60'000'000'000;

}  // namespace

void SampleRelay::Relay(NodeSamples node) {
  const absl::Status status = RelayAll(node);
  if (status.ok()) return;
  if (remarks_.empty()) remarks_.push_back("Samples that could not be fetched:");
  remarks_.push_back(absl::StrCat("  of ", node.node, ", from some point on: ", status.message()));
}

absl::Status SampleRelay::RelayAll(const NodeSamples& node) {
  while (true) {
    ASSIGN_OR_RETURN(std::optional<SampleBlock> block, AwaitNext(*node.stream));
    if (!block.has_value()) return absl::OkStatus();
    if (!node.instances.contains(block->instance())) {
      return absl::InvalidArgumentError(
          absl::StrCat("samples.instance is '", block->instance(), "', which it does not host"));
    }
    RETURN_IF_ERROR(known_.Check(*block));
    const int64_t samples = SampleCount(*block);
    ResultRecord record;
    *record.mutable_samples() = *std::move(block);
    if (!send_(std::move(record))) return absl::CancelledError("nobody waits for them");
    samples_ += samples;
  }
}

absl::StatusOr<std::optional<SampleBlock>> SampleRelay::AwaitNext(SampleStream& stream) {
  // Shared: an answer may come after the wait was given up.
  auto answer = std::make_shared<std::optional<absl::StatusOr<std::optional<SampleBlock>>>>();
  stream.Next([&mailbox = calls_.mailbox, answer](absl::StatusOr<std::optional<SampleBlock>> next) {
    auto held = std::make_shared<absl::StatusOr<std::optional<SampleBlock>>>(std::move(next));
    mailbox.Post([answer, held] { *answer = std::move(*held); });
  });
  Alarm enough(calls_.timers, calls_.mailbox, calls_.clock.MonotonicNs() + kPatienceNs);
  calls_.mailbox.RunUntil([&] { return answer->has_value() || enough.rung(); });
  if (answer->has_value()) return **std::move(answer);
  return absl::DeadlineExceededError("it sends no more");
}

}  // namespace distbench
