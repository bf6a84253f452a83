#include "distbench/sequencer/clock_survey.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "distbench/base/status_macros.h"
#include "distbench/sequencer/lost_nodes.h"
#include "distbench/sequencer/node_errors.h"
#include "distbench/sequencer/silence.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int kRounds = 8;
constexpr int64_t kRoundTimeoutNs = 5'000'000'000;
constexpr int64_t kFailureGraceNs = 1'000'000'000;
// Fewer than for other calls: what waits behind others in this process looks like distance.
constexpr size_t kMaxInFlight = 32;

class ClockSurvey {
 public:
  ClockSurvey(const CallContext& context, const WallAnchor& anchor, ControlCalls& control,
              Participants& participants)
      : context_(context),
        anchor_(anchor),
        control_(control),
        participants_(participants),
        current_(participants.size()),
        probes_(participants.size()) {}

  absl::Status RunRound(const StopSignal& stop) {
    const int64_t begin_ns = context_.clock.MonotonicNs();
    NodeCalls<ClockReading> calls(
        context_, participants_.size(),
        {.timeout_ns = kRoundTimeoutNs, .max_in_flight = kMaxInFlight},
        [this](NodeIndex node, int64_t timeout_ns, NodeDone<ClockReading> done) {
          return Probe(node, timeout_ns, std::move(done));
        });
    calls.Await({.stop = &stop, .after_failure_ns = kFailureGraceNs});
    RETURN_IF_ERROR(stop.reason());
    RETURN_IF_ERROR(KeepReadings(calls));
    longest_round_ns_ = std::max(longest_round_ns_, context_.clock.MonotonicNs() - begin_ns);
    return absl::OkStatus();
  }

  void Estimate() {
    for (size_t i = 0; i < participants_.size(); ++i) {
      participants_[NodeIndex(i)].clock = EstimateClockOffset(probes_[NodeIndex(i)]);
    }
  }

  int64_t longest_round_ns() const { return longest_round_ns_; }

 private:
  int64_t NowNs() const { return anchor_.ToWallNs(context_.clock.MonotonicNs()); }

  NodeCallHandle Probe(NodeIndex node, int64_t timeout_ns, NodeDone<ClockReading> done) {
    const RegisteredNode& registered = *participants_[node].node;
    ClockProbe request;
    control_.Introduce(registered, request);
    ProbeTimes& times = current_[node];
    times.sent_ns = NowNs();
    // The time is taken where the answer comes in; the way to this thread is not the network's.
    auto timed = [this, &times, done = std::move(done)](absl::StatusOr<ClockReading> reading) {
      times.received_ns = NowNs();
      done(std::move(reading));
    };
    return registered.stub->ProbeClock(std::move(request), timeout_ns, std::move(timed));
  }

  absl::Status KeepReadings(NodeCalls<ClockReading>& calls) {
    NodeErrors errors;
    for (size_t i = 0; i < participants_.size(); ++i) {
      const NodeIndex node(i);
      const absl::StatusOr<ClockReading>& reading = *calls.answer(node);
      if (reading.ok()) {
        ProbeTimes& times = current_[node];
        times.node_received_ns = reading->receive_timestamp_ns();
        times.node_sent_ns = reading->transmit_timestamp_ns();
        probes_[node].push_back(times);
      } else if (reading.status().code() != absl::StatusCode::kUnimplemented) {
        // Cancelled: given up because another node failed.
        participants_[node].lost =
            IsSilence(reading.status()) && !absl::IsCancelled(reading.status());
        AddError(participants_[node], reading.status(), errors);
      }
    }
    return errors.ToStatus("ProbeClock failed");
  }

  const CallContext context_;
  const WallAnchor anchor_;
  ControlCalls& control_;
  Participants& participants_;
  IndexedVector<NodeIndex, ProbeTimes> current_;  // of the round under way
  IndexedVector<NodeIndex, std::vector<ProbeTimes>> probes_;
  int64_t longest_round_ns_ = 0;
};

}  // namespace

absl::StatusOr<int64_t> SurveyClocks(const CallContext& context, const WallAnchor& anchor,
                                     const StopSignal& stop, ControlCalls& control,
                                     Participants& participants) {
  ClockSurvey survey(context, anchor, control, participants);
  for (int round = 0; round < kRounds; ++round) RETURN_IF_ERROR(survey.RunRound(stop));
  survey.Estimate();
  return survey.longest_round_ns();
}

}  // namespace distbench
