#include "distbench/node/node_testbed.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/driver/fake/fake_driver.h"
#include "distbench/driver/rpc_counter/rpc_counter_driver_factory.h"
#include "distbench/node/resource_budget.h"
#include "distbench/results/log_samples.h"
#include "glog/logging.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

constexpr size_t kShards = 2;

constexpr char kPairs[] = R"(
  name: "pairs"
  default_protocol: "fake"
  services { name: "client" count: 1 }
  services { name: "server" count: 2 }
  rpc_descriptions { name: "query" client: "client" server: "server" }
  action_lists { name: "client" action_names: "run" }
  action_lists { name: "query" }
)";

DistributedSystemDescription Pairs(const std::string& iterations) {
  DistributedSystemDescription config;
  const std::string text = absl::StrCat(
      kPairs, R"(actions { name: "run" rpc_name: "query" iterations { )", iterations, " } }");
  CHECK(google::protobuf::TextFormat::ParseFromString(text, &config));
  return config;
}

std::unique_ptr<DriverRegistry> FakeDrivers(FakeNetwork* network) {
  auto drivers = std::make_unique<DriverRegistry>();
  drivers->Register("fake", std::make_unique<FakeDriverFactory>(network));
  drivers->Register("composable_rpc_counter",
                    std::make_unique<RpcCounterDriverFactory>(
                        HolderFactoryOptions{.registry = drivers.get(), .shards = kShards}));
  return drivers;
}

}  // namespace

DistributedSystemDescription ShortTest() {
  return Pairs("max_iteration_count: 10 max_parallel_iterations: 2");
}

DistributedSystemDescription EndlessTest() {
  return Pairs("max_iteration_count_64: 1000000000000 max_parallel_iterations: 2");
}

NodeTestbed::NodeTestbed(size_t node_count, const PortRange& ports)
    : drivers_(FakeDrivers(&network_)),
      environment_(
          {.drivers = drivers_.get(),
           .data_plane = {.bind_ip = "127.0.0.1", .advertise_ip = "127.0.0.1", .ports = ports},
           .shard_count = kShards,
           .command_line = {"node_test"},
           .count_threads = [this] { return ThreadsInProcess() + added_threads_.load(); }}) {
  for (size_t i = 0; i < node_count; ++i) {
    nodes_.push_back(std::make_unique<Node>(NodeOptions{.environment = &environment_,
                                                        .host_name = absl::StrCat("host", i),
                                                        .on_shutdown = [this] { ++shutdowns_; }}));
    nodes_.back()->SetAlias(absl::StrCat("node", i));
  }
}

absl::StatusOr<ServiceEndpointMap> NodeTestbed::Configure(
    size_t node, const DistributedSystemDescription& config,
    const std::vector<std::string>& instances, const std::string& run_id,
    const std::string& request_id) {
  NodeServiceConfig request;
  *request.mutable_traffic_config() = config;
  for (const std::string& instance : instances) request.add_services(instance);
  request.mutable_control()->set_run_id(run_id);
  request.mutable_control()->set_request_id(request_id);
  Awaited<ServiceEndpointMap> answer;
  nodes_[node]->ConfigureNode(request, answer.done());
  return answer.Get();
}

absl::Status NodeTestbed::Introduce(size_t node, const ServiceEndpointMap& peers,
                                    const std::string& run_id) {
  ServiceEndpointMap request = peers;
  request.mutable_control()->set_run_id(run_id);
  Awaited<IntroducePeersResult> answer;
  nodes_[node]->IntroducePeers(request, answer.done());
  return answer.Get().status();
}

absl::StatusOr<RunTrafficResponse> NodeTestbed::Run(size_t node, const RunTrafficRequest& request) {
  Awaited<RunTrafficResponse> answer;
  nodes_[node]->RunTraffic(request, answer.done());
  return answer.Get();
}

absl::StatusOr<GetTrafficResultResponse> NodeTestbed::Result(size_t node, bool clear,
                                                             const std::string& run_id) {
  GetTrafficResultRequest request;
  request.set_clear_services(clear);
  request.mutable_control()->set_run_id(run_id);
  Awaited<GetTrafficResultResponse> answer;
  nodes_[node]->GetTrafficResult(request, answer.done());
  return answer.Get();
}

absl::StatusOr<ServiceLogs> NodeTestbed::LogsInPieces(size_t node, const std::string& run_id) {
  GetTrafficResultRequest request;
  request.mutable_control()->set_run_id(run_id);
  Awaited<uint64_t> opened;
  nodes_[node]->OpenResult(request, opened.done());
  RETURN_IF_ERROR(opened.Get().status());
  ServiceLogs logs;
  while (true) {
    Awaited<std::optional<ResultRecord>> next;
    nodes_[node]->NextRecord(*opened.Get(), next.done());
    ASSIGN_OR_RETURN(std::optional<ResultRecord> record, std::move(next.Get()));
    if (!record.has_value()) break;
    if (!record->has_instance_log()) continue;
    AddPart(std::move(*record->mutable_instance_log()),
            (*logs.mutable_instance_logs())[record->instance_log().instance()]);
  }
  nodes_[node]->CloseResult(*opened.Get());
  return logs;
}

absl::Status NodeTestbed::Cancel(size_t node, const CancelTrafficRequest& request) {
  Awaited<CancelTrafficResult> answer;
  nodes_[node]->CancelTraffic(request, answer.done());
  return answer.Get().status();
}

void NodeTestbed::Prepare(const DistributedSystemDescription& config) {
  const auto endpoints = Configure(0, config, {"client/0", "server/0", "server/1"});
  ASSERT_TRUE(endpoints.ok()) << endpoints.status();
  const absl::Status introduced = Introduce(0, *endpoints);
  ASSERT_TRUE(introduced.ok()) << introduced;
}

}  // namespace distbench
