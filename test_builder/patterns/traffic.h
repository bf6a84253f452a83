// Pieces that the configs of patterns are put together from. Pure.
#ifndef TEST_BUILDER_PATTERNS_TRAFFIC_H_
#define TEST_BUILDER_PATTERNS_TRAFFIC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

// A line of `count` instances.
ServiceSpec* AddService(const std::string& name, int64_t count, DistributedSystemDescription* test);

struct RpcDraft {
  std::string name;
  std::string client;
  std::string server;
  std::string fanout;  // empty: to all
  int64_t request_size = 0;
  std::optional<int64_t> response_size;  // none: nobody says how large it is
};

// The RPC, with a payload of its own for each direction: NAME_request and NAME_response. What the
// server does for it is AddList's.
RpcSpec* AddRpc(const RpcDraft& draft, DistributedSystemDescription* test);

// An action that sends an RPC, once unless its iterations are set.
Action* AddRpcAction(const std::string& name, const std::string& rpc,
                     DistributedSystemDescription* test);

// An action that does nothing unless it is told to.
Action* AddAction(const std::string& name, DistributedSystemDescription* test);

// Work of this function and duration, once an iteration.
ActivityConfig* AddActivity(const std::string& name, const std::string& function,
                            int64_t duration_us, DistributedSystemDescription* test);

void AddList(const std::string& name, const std::vector<std::string>& actions,
             DistributedSystemDescription* test);

// As many in flight as there may be, for the warmup and then the duration. The first iterations of
// the duration may be warmup too.
struct ClosedLoop {
  int64_t parallel = 1;
  int64_t warmup_iterations = 0;
  absl::Duration warmup;
  absl::Duration duration;
};
void SetClosedLoop(const ClosedLoop& loop, Iterations* iterations);

// Starts by the clock: as many as fit into the warmup and the duration, so that each instance does
// the same number; at least one is measured. A limit of time, which no instance reaches that starts
// so many, bounds those whose first start is later than all of that.
struct OpenLoop {
  int64_t interval_ns = 0;
  std::string distribution;
  absl::Duration warmup;
  absl::Duration duration;
};
void SetOpenLoop(const OpenLoop& loop, Iterations* iterations);

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERNS_TRAFFIC_H_
