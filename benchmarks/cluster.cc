#include "benchmarks/cluster.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "benchmarks/cpu_meter.h"
#include "benchmarks/quantiles.h"
#include "distbench/base/status_macros.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

constexpr int kNodes = 2;
constexpr absl::Duration kStartLimit = absl::Seconds(60);

std::string ConfigText(const DriverChoice& driver, const LoadShape& shape, double seconds) {
  const double warmup_s = seconds * kLoadWarmupShare;
  return absl::Substitute(
      R"(name: "load" default_protocol: "$0"
         attributes { key: "test_timeout" value: "120" }
         protocol_driver_options { name: "default_protocol_driver_options" protocol_name: "$0" $1 }
         services { name: "client" count: 1 } services { name: "server" count: 1 }
         node_service_bundles { key: "node0" value { services: "client/0" } }
         node_service_bundles { key: "node1" value { services: "server/0" } }
         payload_descriptions { name: "request" size: $2 }
         payload_descriptions { name: "response" size: $3 }
         rpc_descriptions { name: "query" client: "client" server: "server"
                            request_payload_name: "request" response_payload_name: "response" }
         action_lists { name: "client" action_names: "run" }
         action_lists { name: "query" }
         actions { name: "run" rpc_name: "query"
                   iterations { max_parallel_iterations: $4 max_duration_us_64: $5
                                warmup_ns: $6 } })",
      driver.protocol, driver.settings, shape.request_bytes, shape.response_bytes, shape.in_flight,
      static_cast<int64_t>((warmup_s + seconds) * 1e6), static_cast<int64_t>(warmup_s * 1e9));
}

absl::StatusOr<OutcomeStatistics> MeasuredOf(const TestResult& result) {
  const auto log = result.service_logs().instance_logs().find("client/0");
  if (log == result.service_logs().instance_logs().end()) {
    return absl::NotFoundError("the result has no log of client/0");
  }
  const auto statistics = log->second.rpc_statistics().find(0);
  if (statistics == log->second.rpc_statistics().end() ||
      statistics->second.measured_success().count() == 0) {
    return absl::NotFoundError("no RPC succeeded");
  }
  if (statistics->second.measured_failure().count() > 0) {
    return absl::InternalError(
        absl::StrCat(statistics->second.measured_failure().count(), " RPCs failed"));
  }
  return statistics->second.measured_success();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> Cluster::Start(const std::string& program) {
  std::unique_ptr<Cluster> cluster(new Cluster());
  RETURN_IF_ERROR(cluster->StartDaemons(program));
  return cluster;
}

absl::Status Cluster::StartDaemons(const std::string& program) {
  ASSIGN_OR_RETURN(sequencer_, ChildProcess::Start({program, "test_sequencer", "--port=0",
                                                    "--control_bind=127.0.0.1"}));
  // "test_sequencer: ready with 0 local nodes at 127.0.0.1:1234"
  ASSIGN_OR_RETURN(const std::string ready, sequencer_->ReadLine(kStartLimit));
  const std::string address = ready.substr(ready.rfind(' ') + 1);
  for (int i = 0; i < kNodes; ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<ChildProcess> node,
                     ChildProcess::Start({program, "node_manager", absl::StrCat("node", i),
                                          absl::StrCat("--test_sequencer=", address), "--port=0",
                                          "--control_bind=127.0.0.1", "--data_bind=127.0.0.1"}));
    RETURN_IF_ERROR(node->ReadLine(kStartLimit).status());
    nodes_.push_back(std::move(node));
  }
  client_ = std::make_unique<SequenceClient>(address);
  return absl::OkStatus();
}

absl::StatusOr<LoadFigures> Cluster::Run(const DriverChoice& driver, const LoadShape& shape,
                                         double seconds) {
  CpuMeter meter({nodes_[0]->pid(), nodes_[1]->pid()});
  ASSIGN_OR_RETURN(const TestResult result,
                   client_->Run(ConfigText(driver, shape, seconds), driver.progress));
  ASSIGN_OR_RETURN(const OutcomeStatistics measured, MeasuredOf(result));
  const int64_t start_ns = measured.first_start_timestamp_ns();
  const int64_t end_ns = measured.last_end_timestamp_ns();
  ASSIGN_OR_RETURN(const double cpu_ns, meter.CpuNsBetween(start_ns, end_ns));
  ASSIGN_OR_RETURN(const std::vector<double> latency_ns,
                   Quantiles(measured.service_time_ns(), {kMedianPpm}));
  const auto rpcs = static_cast<double>(measured.count());
  return LoadFigures{.per_second = rpcs * 1e9 / static_cast<double>(end_ns - start_ns),
                     .cpu_ns_per_rpc = cpu_ns / rpcs,
                     .median_ns = latency_ns[0]};
}

}  // namespace distbench
