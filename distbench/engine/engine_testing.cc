#include "distbench/engine/engine_testing.h"

#include "absl/strings/str_cat.h"
#include "distbench/testing/simulated_time.h"

namespace distbench {

std::string ClientServer(const std::string& action, int servers, const std::string& rpc) {
  return absl::StrCat(R"(
    name: "client_server"
    default_protocol: "fake"
    attributes { key: "test_timeout" value: "100" }
    services { name: "client" count: 1 }
    services { name: "server" count: )",
                      servers, R"( }
    rpc_descriptions { name: "query" client: "client" server: "server" )",
                      rpc, R"( }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "query" }
    actions { name: "ask" rpc_name: "query" )",
                      action, " }");
}

FakeTransit Delayed(int64_t delay_ns) {
  return {.mode = FakeTransit::Mode::kDelayed, .delay_ns = delay_ns};
}

std::vector<int64_t> StartsSince(const std::vector<RpcSample>& samples, int64_t origin_ns) {
  std::vector<int64_t> starts;
  for (const RpcSample& sample : samples) {
    starts.push_back(sample.start_timestamp_ns() - origin_ns -
                     SimulatedTime::kWallMinusMonotonicNs);
  }
  return starts;
}

}  // namespace distbench
