// Configs and helpers that the engine's tests share.
#ifndef DISTBENCH_ENGINE_ENGINE_TESTING_H_
#define DISTBENCH_ENGINE_ENGINE_TESTING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "distbench/driver/fake/fake_network.h"
#include "protos/distbench.pb.h"

namespace distbench {

inline constexpr int64_t kMs = 1'000'000;

// One client, `servers` servers; the client's only action sends "query" as `action` says. `rpc` is
// added to the RPC's description.
std::string ClientServer(const std::string& action, int servers = 1, const std::string& rpc = "");

FakeTransit Delayed(int64_t delay_ns);

// The samples' starts, counted from `origin_ns` on the simulated monotonic clock.
std::vector<int64_t> StartsSince(const std::vector<RpcSample>& samples, int64_t origin_ns);

}  // namespace distbench

#endif  // DISTBENCH_ENGINE_ENGINE_TESTING_H_
