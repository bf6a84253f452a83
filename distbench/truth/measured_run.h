// MeasuredRun: a test of one client and one simulated server, run by an engine on simulated time,
// and what its result says of it.
//
//   const MeasuredRun run({.iterations = "max_iteration_count: 10",
//                          .server = {.service_times = ConstantTimes(1000)}});
//   EXPECT_EQ(run.times().service_time.Quantile(500'000), 1000);
//
// Figures are those that a summary prints, taken from the result after it went the way of every
// result: recorder, log of the service, merge. The client is never late, unless it is made to stand
// still.
#ifndef DISTBENCH_TRUTH_MEASURED_RUN_H_
#define DISTBENCH_TRUTH_MEASURED_RUN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distbench/config/plan.h"
#include "distbench/results/rpc_totals.h"
#include "distbench/results/test_figures.h"
#include "distbench/truth/simulated_server.h"
#include "protos/distbench.pb.h"

namespace distbench {

struct MeasuredRunOptions {
  std::string iterations;  // of the client's one action, which sends "query"
  SimulatedServerOptions server;
  // The client neither starts calls nor sees their ends meanwhile. Times count from the start.
  std::optional<Standstill> client_standstill;
};

class MeasuredRun {
 public:
  // Runs to the end, or the program ends.
  explicit MeasuredRun(const MeasuredRunOptions& options);

  const OutcomeHistograms& times() const { return figures_->times().at(0); }
  std::vector<std::string> Summary() const;

  // What the server knows: from arrival to end of each call, the shortest first.
  std::vector<int64_t> TrueTimesNs() const;

 private:
  void Run(const MeasuredRunOptions& options);

  const std::shared_ptr<const Plan> plan_;
  SimulatedServer server_;
  TestResult result_;
  std::unique_ptr<TestFigures> figures_;
};

}  // namespace distbench

#endif  // DISTBENCH_TRUTH_MEASURED_RUN_H_
