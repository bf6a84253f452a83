// Calls that are all that happens in a test: each client starts an RPC again and again, and whom it
// calls answers. What clique, ring, rectangular and incast share, and what client_server,
// scatter_gather and all_to_all do. Pure.
#ifndef TEST_BUILDER_PATTERNS_CALLS_H_
#define TEST_BUILDER_PATTERNS_CALLS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/parameter_values.h"
#include "test_builder/patterns/traffic.h"

namespace distbench {

// Names in the config. The services are there already.
struct Calls {
  std::string action;
  std::string rpc;
  std::string client;
  std::string server;
  std::string fanout;  // empty: to all
};

// Sizes are `request_size` and `response_size`. Calls start by the clock, as `rpc_interval_us` and
// `synchronization_mode` say, after `warmup_seconds` for the duration.
RpcSpec* AddOpenCalls(const Calls& calls, const ParameterValues& values, absl::Duration duration,
                      DistributedSystemDescription* test);

// The same, in a loop.
void AddClosedCalls(const Calls& calls, const ParameterValues& values, const ClosedLoop& loop,
                    DistributedSystemDescription* test);

// `{pattern}_{mode}_{count}x{interval}x{request}x{response}`, of open calls.
std::string OpenCallsAlias(absl::string_view pattern, absl::string_view count,
                           const ParameterValues& values);

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERNS_CALLS_H_
