#include "benchmarks/engine_alone.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/compile_config.h"
#include "benchmarks/instant_driver.h"
#include "distbench/base/status_macros.h"
#include "glog/logging.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// Far more than any end of traffic takes.
constexpr absl::Duration kStopLimit = absl::Seconds(60);

}  // namespace

absl::StatusOr<std::unique_ptr<EngineAlone>> EngineAlone::Make(EngineAloneOptions options) {
  ASSIGN_OR_RETURN(const DistributedSystemDescription config, ParseConfig(options.config_text));
  ASSIGN_OR_RETURN(std::shared_ptr<const Plan> plan, CompileConfig(config));
  if (!plan->instance_by_name.contains(options.instance)) {
    return absl::NotFoundError(absl::StrCat("the config has no instance ", options.instance));
  }
  if (options.driver == nullptr) options.driver = std::make_unique<InstantDriver>();
  std::unique_ptr<EngineAlone> alone(new EngineAlone(std::move(plan), std::move(options)));
  RETURN_IF_ERROR(alone->engine_->StartServer());
  alone->engine_->BeginServing();
  return alone;
}

EngineAlone::EngineAlone(std::shared_ptr<const Plan> plan, EngineAloneOptions options)
    : shards_(options.shards),
      pacers_({.clock = &clock_, .shard_count = options.shards}),
      anchor_(AnchorWallClock(clock_)) {
  const InstanceIndex self = plan->instance_by_name.at(options.instance);
  engine_ = std::make_unique<Engine>(EngineOptions{.plan = std::move(plan),
                                                   .self = self,
                                                   .driver = std::move(options.driver),
                                                   .clock = &clock_,
                                                   .timers = &timers_,
                                                   .pacers = &pacers_,
                                                   .shards = &shards_,
                                                   .seed = 1,
                                                   .max_samples = options.max_samples});
}

EngineAlone::~EngineAlone() {
  const int64_t abandoned = engine_->Stop(absl::Now() + kStopLimit);
  LOG_IF(WARNING, abandoned > 0) << abandoned << " calls were abandoned";
}

void EngineAlone::Start() {
  engine_->RunTraffic(clock_.MonotonicNs(), anchor_, [this](absl::Status status) {
    outcome_ = std::move(status);
    ended_.Notify();
  });
}

absl::Status EngineAlone::AwaitEnd() {
  ended_.WaitForNotification();
  return outcome_;
}

RpcStatistics EngineAlone::Statistics() {
  const ServicePerformanceLog log = engine_->BuildStatistics(absl::Now() + kStopLimit);
  const auto it = log.rpc_statistics().find(0);
  return it == log.rpc_statistics().end() ? RpcStatistics() : it->second;
}

std::string OneClientOneServer(const std::string& iterations) {
  return absl::StrCat(R"(
      name: "alone" default_protocol: "none"
      attributes { key: "test_timeout" value: "600" }
      services { name: "client" count: 1 }
      services { name: "server" count: 1 }
      rpc_descriptions { name: "query" client: "client" server: "server" }
      action_lists { name: "client" action_names: "run" }
      action_lists { name: "query" }
      actions { name: "run" rpc_name: "query" iterations { )",
                      iterations, " } }");
}

}  // namespace distbench
