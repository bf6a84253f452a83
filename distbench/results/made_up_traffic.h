// Plans and RPCs that tests of results make up: `client` instances that send to `server` instances.
#ifndef DISTBENCH_RESULTS_MADE_UP_TRAFFIC_H_
#define DISTBENCH_RESULTS_MADE_UP_TRAFFIC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "distbench/config/plan.h"
#include "distbench/results/recorder.h"

namespace distbench {

struct MadeUpPlanOptions {
  std::string client = "client";  // name of the service that sends
  size_t clients = 1;
  size_t servers = 1;
  std::vector<std::string> rpcs = {"client_server_rpc"};
  std::vector<std::string> traces = {};  // that clients replay; without records
};

// Instances client/0, client/1, ..., server/0, ...; all RPCs go from clients to servers.
std::shared_ptr<const Plan> MadeUpPlan(const MadeUpPlanOptions& options);

// The end of an RPC, as an engine would record it.
struct MadeUpRpc {
  RpcRecord record;
  std::string error;  // empty: a success
};

// RPCs between the services of `plan`, all kinds mixed: phases, failures, loops, times over many
// magnitudes. The same seed gives the same RPCs.
std::vector<MadeUpRpc> MadeUpTraffic(const Plan& plan, size_t count, uint64_t seed);

void Record(const MadeUpRpc& rpc, Recorder& recorder);

}  // namespace distbench

#endif  // DISTBENCH_RESULTS_MADE_UP_TRAFFIC_H_
