// NodeCalls: the same call to each of a list of nodes, at once.
//
//   NodeCalls<IntroducePeersResult> calls(
//       context, nodes.size(), {.timeout_ns = kMinuteNs},
//       [&](NodeIndex node, int64_t timeout_ns, NodeDone<IntroducePeersResult> done) {
//         return nodes[node]->stub->IntroducePeers(RequestFor(node), timeout_ns, std::move(done));
//       });
//   calls.Await({.stop = &stop});
//
// At most `max_in_flight` requests are built and under way at a time; all of them share one
// deadline. Belongs to its mailbox's thread.
#ifndef DISTBENCH_SEQUENCER_NODE_CALLS_H_
#define DISTBENCH_SEQUENCER_NODE_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "distbench/base/clock.h"
#include "distbench/sequencer/alarm.h"
#include "distbench/sequencer/mailbox.h"
#include "distbench/sequencer/node_index.h"
#include "distbench/sequencer/node_stub.h"
#include "distbench/sequencer/stop_signal.h"

namespace distbench {

// The thread that calls, and its time. All borrowed.
struct CallContext {
  const Clock& clock;
  TimerService& timers;
  Mailbox& mailbox;
};

struct NodeCallsOptions {
  int64_t timeout_ns = 0;      // of all calls together, from now on
  size_t max_in_flight = 200;  // bounds the memory for requests and the load on the network
};

// How long to wait for the others once something has gone wrong.
struct Patience {
  const StopSignal* stop = nullptr;  // null: cannot be stopped
  int64_t after_stop_ns = 0;
  // Time for other nodes to report their failures too. None: each has until the timeout.
  std::optional<int64_t> after_failure_ns = std::nullopt;
};

template <typename Response>
class NodeCalls {
 public:
  using StartCall =
      std::function<NodeCallHandle(NodeIndex node, int64_t timeout_ns, NodeDone<Response> done)>;

  // Starts the calls to nodes 0 to `node_count` - 1. `start` runs on this thread, possibly later.
  NodeCalls(const CallContext& context, size_t node_count, NodeCallsOptions options,
            StartCall start)
      : context_(context),
        options_(options),
        deadline_ns_(context.clock.MonotonicNs() + options.timeout_ns),
        start_(std::move(start)),
        handles_(node_count),
        answers_(node_count) {
    StartMore();
  }
  NodeCalls(const NodeCalls&) = delete;
  NodeCalls& operator=(const NodeCalls&) = delete;

  // Ends what is still under way.
  ~NodeCalls() {
    Cancel();
    context_.mailbox.RunUntil([this] { return all_finished(); });
  }

  // Waits until all calls have finished. Those that patience does not suffice for are cancelled.
  void Await(const Patience& patience) {
    std::optional<Alarm> enough;
    bool stopping = false;
    while (!all_finished()) {
      if (!enough && failures_ > 0 && patience.after_failure_ns.has_value()) {
        SetAlarm(*patience.after_failure_ns, enough);
      }
      if (!stopping && patience.stop != nullptr && patience.stop->requested()) {
        stopping = true;
        SetAlarm(patience.after_stop_ns, enough);
      }
      if (enough && enough->rung()) Cancel();
      context_.mailbox.RunOne();
    }
  }

  // Calls under way end soon as CANCELLED; those that have not begun never do.
  void Cancel() {
    if (cancelled_) return;
    cancelled_ = true;
    for (const NodeCallHandle& handle : handles_) {
      if (handle != nullptr) handle->Cancel();
    }
    StartMore();
  }

  bool all_finished() const { return finished_ == answers_.size(); }
  size_t failures() const { return failures_; }

  // None while the call has not finished.
  std::optional<absl::StatusOr<Response>>& answer(NodeIndex node) { return answers_[node]; }

 private:
  void SetAlarm(int64_t after_ns, std::optional<Alarm>& alarm) {
    alarm.emplace(context_.timers, context_.mailbox, context_.clock.MonotonicNs() + after_ns);
  }

  void StartMore() {
    while (next_ < answers_.size() && next_ - finished_ < options_.max_in_flight) {
      const NodeIndex node(next_++);
      const int64_t timeout_ns = deadline_ns_ - context_.clock.MonotonicNs();
      if (cancelled_) {
        Finish(node, absl::CancelledError("cancelled before the node was called"));
      } else if (timeout_ns <= 0) {
        Finish(node, absl::DeadlineExceededError("no time was left to call the node"));
      } else {
        handles_[node] = start_(node, timeout_ns, DoneFor(node));
      }
    }
  }

  // The answer crosses over to this thread, however early and wherever it comes.
  NodeDone<Response> DoneFor(NodeIndex node) {
    return [this, node](absl::StatusOr<Response> answer) {
      auto held = std::make_shared<absl::StatusOr<Response>>(std::move(answer));
      context_.mailbox.Post([this, node, held] {
        Finish(node, std::move(*held));
        StartMore();
      });
    };
  }

  void Finish(NodeIndex node, absl::StatusOr<Response> answer) {
    if (!answer.ok()) ++failures_;
    answers_[node] = std::move(answer);
    handles_[node] = nullptr;
    ++finished_;
  }

  const CallContext context_;
  const NodeCallsOptions options_;
  const int64_t deadline_ns_;
  const StartCall start_;
  IndexedVector<NodeIndex, NodeCallHandle> handles_;  // of the calls under way
  IndexedVector<NodeIndex, std::optional<absl::StatusOr<Response>>> answers_;
  size_t next_ = 0;      // nodes below have been called
  size_t finished_ = 0;  // <= next_
  size_t failures_ = 0;
  bool cancelled_ = false;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_NODE_CALLS_H_
