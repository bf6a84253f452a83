// A test that tests of results make up: its plan and its result, to be changed at will. Instances
// client/0, ... send to server/0, ...; see made_up_traffic.h.
#ifndef DISTBENCH_RESULTS_MADE_UP_RESULT_H_
#define DISTBENCH_RESULTS_MADE_UP_RESULT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distbench/config/plan.h"
#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"
#include "protos/distbench.pb.h"

namespace distbench {

// Successes of the first RPC to server/0, on time but for `lateness_ns`.
struct MadeUpLoad {
  int64_t count = 0;
  int64_t interval_ns = 1'000'000;
  int64_t lateness_ns = 0;
  int64_t service_ns = 100;
  bool open_loop = true;
};

class MadeUpResult {
 public:
  explicit MadeUpResult(const MadeUpPlanOptions& options = {});

  // The one action of the clients, `ask`, sends the first RPC in these iterations.
  void SetIterations(const IterationPlan& iterations);

  // The client's log becomes what `record` records.
  void SetLog(const std::string& client, const std::function<void(Recorder&)>& record,
              int64_t max_samples = 1 << 20);
  void SetLoad(const std::string& client, const MadeUpLoad& load);

  // A node on a host of the same name with two CPUs, which agreed on the start and kept it, and
  // whose clock is right.
  NodeReport& AddNode(const std::string& alias, const std::vector<std::string>& instances);
  void SetCpuSeconds(const std::string& node, double seconds);

  Plan& plan() { return *plan_; }
  const Plan& plan() const { return *plan_; }
  TestResult& result() { return result_; }
  const TestResult& result() const { return result_; }

 private:
  const std::shared_ptr<Plan> plan_;
  TestResult result_;
};

// `count` starts, one each `interval_ns`.
IterationPlan OpenLoopIterations(int64_t count, int64_t interval_ns = 1'000'000,
                                 Pacing pacing = Pacing::kSleep);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_MADE_UP_RESULT_H_
