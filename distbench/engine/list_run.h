// ListRun: one run of an action list.
//
//   Start* --> predicates are drawn --> every action without dependencies is started
//                 |
//   an action:  Waiting --dependencies finished--> Running --all its lanes done--> Finished
//                  |                                              |
//                  |                          its successors lose a dependency each
//                  |
//                  '--its condition is not met, or a dependency was skipped--> Skipped
//                                                                 |
//                                                       and so are its successors
//                 |
//   all actions finished or skipped --> answer if still owed --> whoever started the run hears
//
// The run of a server's list owes its request an answer: that goes out when the first action with
// `sends_response` finishes, or when the last of them was skipped, at the latest when the run ends.
// Where nobody waits for the work, a request that the transport wants an answer for has it at once.
//
// Belongs to one shard and is pooled there, per list.
#ifndef DISTBENCH_ENGINE_LIST_RUN_H_
#define DISTBENCH_ENGINE_LIST_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/config/plan.h"
#include "distbench/driver/server_call.h"
#include "distbench/engine/iteration.h"
#include "distbench/engine/iteration_claims.h"
#include "distbench/engine/iteration_lane.h"
#include "distbench/engine/job_queue.h"
#include "distbench/engine/request_queue.h"
#include "distbench/results/trace_hop.h"
#include "distbench/sampling/counter_random.h"

namespace distbench {

class EngineShard;

// Runs of lists within each other that start and end in one task. Beyond that each such number of
// them takes a task of its own, since each takes its part of the stack.
inline constexpr uint32_t kDepthPerTask = 64;

class ListRun {
 public:
  ListRun(EngineShard* shard, ListIndex list);

  // The main list: actions may be spread over `shards`. The first ones count from `start_ns`.
  void StartMain(const std::vector<std::unique_ptr<EngineShard>>* shards, int64_t start_ns);

  // A request's list. The answer will have `response_bytes`.
  struct Request {
    Responder responder;
    RpcIndex rpc;
    int64_t arrival_ns = 0;  // when the driver had it
    int64_t response_bytes = 0;
    std::optional<uint64_t> causal_key;
    std::unique_ptr<const TracePath> trace;   // null: not traced
    std::unique_ptr<const std::string> echo;  // payload of the answer, instead; null: none
    bool warmup = false;
    bool size_is_asked = false;  // by the caller, which nothing overrides
    bool one_way = false;        // nobody waits for an answer to the work
  };
  void Receive(Request request);
  // Starts the list for the request that was received, now or after a wait in a queue.
  void StartReceived();

  // A list run by an action of another run on the same shard.
  void StartNested(Iteration* iteration);

  // A lane of `action` has nothing more to do. On this run's shard.
  void OnLaneDone(ActionIndex action);

  EngineShard* shard() const { return shard_; }
  ListIndex list() const { return list_; }
  const ActionListPlan& plan() const { return plan_; }
  uint64_t number() const { return number_; }  // how many runs of this list the engine began before
  const CounterRandom& stream() const { return stream_; }
  bool warmup() const { return warmup_; }
  bool is_main() const { return is_main_; }                        // the main list, or run by it
  uint32_t depth() const { return depth_; }                        // runs that this one is within
  const TracePath* trace() const { return request_.trace.get(); }  // null: not traced

  // Of the run as one that a RequestQueue starts.
  RequestTurn& turn();

  // Where its activities that take a CPU are done; null: on the spot.
  JobQueue* workers();

 private:
  struct ActionRun {
    uint32_t waiting_for : 31 = 0;  // dependencies that have not finished
    uint32_t is_skipped : 1 = 0;    // a dependency was
    uint32_t lanes_left = 0;
    int64_t start_ns = 0;  // its limits and arrivals count from here
    IterationClaims claims;
    IterationLane lane;                                      // the only one, or the first
    std::vector<std::unique_ptr<IterationLane>> more_lanes;  // on other shards; kept for reuse
  };

  void Start(int64_t start_ns, std::optional<uint64_t> key);
  uint64_t DrawPredicates() const;
  void StartReadyActions();
  void StartAction(ActionIndex action);
  size_t LaneCount(const ActionPlan& action) const;
  int64_t DrawDelayNs(ActionIndex action) const;
  void StartLanes(ActionIndex action, size_t lanes, int64_t delay_ns);
  void FinishAction(ActionIndex action, int64_t finish_ns);
  void SkipAction(ActionIndex action);
  void ReleaseSuccessors(ActionIndex action, int64_t finish_ns);
  void OverrideResponse(const MessageSizePlan& size, ActionIndex action);
  ListRun& outermost();
  void SetResponseBytes(int64_t response_bytes);
  void EndTraffic(const ActionPlan& action);
  void Acknowledge();
  void Answer();
  void RecordServed();
  void End();

  EngineShard* const shard_;
  const ListIndex list_;
  const ActionListPlan& plan_;
  IndexedVector<ActionIndex, ActionRun> actions_;
  std::vector<ActionIndex> ready_;  // to be started by the loop in StartReadyActions
  uint32_t unfinished_ = 0;
  bool starting_ = false;  // that loop is running
  bool warmup_ = false;
  bool is_main_ = false;
  bool is_acknowledged_ = false;  // the request was answered before
  uint64_t number_ = 0;
  CounterRandom stream_ = CounterRandom({0});
  uint64_t held_predicates_ = 0;  // by position
  uint32_t answers_left_ = 0;     // actions with sends_response that were not skipped
  uint32_t depth_ = 0;
  // Who started this run: one of these, or the engine itself.
  const std::vector<std::unique_ptr<EngineShard>>* all_shards_ = nullptr;  // set: main list
  Iteration* iteration_ = nullptr;                                         // set: nested
  Request request_;                                                        // else: a request
  int64_t begin_ns_ = 0;               // when the handling of that began
  std::unique_ptr<RequestTurn> turn_;  // made for the first request that is dispatched
};

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_LIST_RUN_H_
