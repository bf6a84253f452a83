#include "distbench/truth/measured_run.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "distbench/config/compiler.h"
#include "distbench/engine/engine.h"
#include "distbench/results/merge.h"
#include "distbench/results/summary.h"
#include "distbench/testing/simulated_time.h"
#include "distbench/truth/simulated_server_driver.h"
#include "glog/logging.h"
#include "google/protobuf/text_format.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr char kDriver[] = "simulated";

std::shared_ptr<const Plan> PlanOf(const std::string& iterations) {
  const std::string text = absl::StrCat(R"(
      name: "truth"
      services { name: "client" count: 1 }
      services { name: "server" count: 1 }
      rpc_descriptions { name: "query" client: "client" server: "server" }
      action_lists { name: "client" action_names: "ask" }
      action_lists { name: "query" }
      actions { name: "ask" rpc_name: "query" iterations { )",
                                        iterations, R"( } }
      default_protocol: ")",
                                        kDriver, "\"");
  DistributedSystemDescription config;
  CHECK(google::protobuf::TextFormat::ParseFromString(text, &config)) << text;
  Diagnostics diagnostics;
  std::shared_ptr<const Plan> plan = CompileTest(config, {.names = {kDriver}}, &diagnostics);
  CHECK(plan != nullptr) << diagnostics.ToStatus();
  return plan;
}

}  // namespace

MeasuredRun::MeasuredRun(const MeasuredRunOptions& options)
    : plan_(PlanOf(options.iterations)), server_(options.server) {
  Run(options);
  figures_ = std::make_unique<TestFigures>(*plan_, result_.service_logs());
  CHECK(figures_->unusable().empty());
}

void MeasuredRun::Run(const MeasuredRunOptions& options) {
  SimulatedTime time;
  const int64_t start_ns = time.MonotonicNs();
  Engine engine({.plan = plan_,
                 .self = plan_->instance_by_name.at("client/0"),
                 .driver = std::make_unique<SimulatedServerDriver>(&time, &server_),
                 .clock = &time,
                 .timers = &time,
                 .seed = 1,
                 .max_samples = 1});
  CHECK(engine.StartServer().ok());
  engine.BeginServing();
  std::optional<absl::Status> outcome;
  engine.RunTraffic(start_ns, AnchorWallClock(time),
                    [&outcome](absl::Status status) { outcome = std::move(status); });
  if (options.client_standstill.has_value()) {
    time.AdvanceTo(start_ns + options.client_standstill->begin_ns);
    time.StallUntil(start_ns + options.client_standstill->end_ns);
  }
  while (!outcome.has_value()) CHECK(time.RunNextTimer());
  CHECK(outcome->ok()) << *outcome;
  GetTrafficResultResponse node;
  (*node.mutable_service_logs()->mutable_instance_logs())["client/0"] =
      engine.BuildStatistics(absl::InfinitePast());
  CHECK_EQ(engine.Stop(absl::InfinitePast()), 0);
  const absl::Status merged = MergeNodeResult(std::move(node), result_);
  CHECK(merged.ok()) << merged;
}

std::vector<std::string> MeasuredRun::Summary() const { return SummarizeTest(*plan_, result_); }

std::vector<int64_t> MeasuredRun::TrueTimesNs() const {
  std::vector<int64_t> times_ns = server_.times_ns();
  std::sort(times_ns.begin(), times_ns.end());
  return times_ns;
}

}  // namespace distbench
