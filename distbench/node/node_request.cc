#include "distbench/node/node_request.h"

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "distbench/config/compiler.h"
#include "distbench/node/node_environment.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

// Clocks of one cluster that differ by more than this are wrong, not skewed.
constexpr int64_t kMaxStartDistanceNs = int64_t{3600} * 1'000'000'000;

// Where no start is agreed on, main lists start at once, and replay traces that are relative to the
// traffic's start count from so much later, when all nodes can be expected to have started.
constexpr int64_t kUnagreedReplayLeadNs = 1'000'000'000;

absl::Status InstanceError(const std::string& name, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("services: ", Quoted(name), " ", problem));
}

}  // namespace

absl::StatusOr<HostedTestOptions> PlanOf(const NodeServiceConfig& request,
                                         NodeEnvironment* environment) {
  HostedTestOptions options{.environment = environment};
  if (request.services().empty() && !request.has_traffic_config()) return options;
  Diagnostics diagnostics;
  options.plan = CompileTest(request.traffic_config(), environment->known_drivers(), &diagnostics);
  if (options.plan == nullptr) return diagnostics.ToStatus();
  std::set<std::string> seen;
  for (const std::string& name : request.services()) {
    const auto instance = options.plan->instance_by_name.find(name);
    if (instance == options.plan->instance_by_name.end()) {
      return InstanceError(name, "is no instance of a service of the traffic config");
    }
    if (!seen.insert(name).second) return InstanceError(name, "is given twice");
    options.instances.push_back(instance->second);
  }
  return options;
}

absl::StatusOr<TrafficStart> StartOf(const RunTrafficRequest& request, const Clock& clock) {
  TrafficStart start{.anchor = AnchorWallClock(clock)};
  start.start_ns = start.anchor.monotonic_ns;
  start.replay_origin_ns = start.start_ns + kUnagreedReplayLeadNs;
  if (!request.has_agreed_start()) return start;
  const int64_t wall_ns = request.agreed_start().start_timestamp_ns();
  const int64_t now_ns = start.anchor.wall_ns;
  if (wall_ns < now_ns - kMaxStartDistanceNs || wall_ns > now_ns + kMaxStartDistanceNs) {
    return absl::InvalidArgumentError(absl::StrCat("agreed_start.start_timestamp_ns ", wall_ns,
                                                   " is more than an hour from this node's clock, ",
                                                   now_ns));
  }
  start.start_ns = start.anchor.ToMonotonicNs(wall_ns);
  start.replay_origin_ns = start.start_ns;
  return start;
}

absl::Status CancelReasonOf(const CancelTrafficRequest& request) {
  const int code = request.status_code();
  const bool is_error = code > static_cast<int>(absl::StatusCode::kOk) &&
                        code <= static_cast<int>(absl::StatusCode::kUnauthenticated);
  return absl::Status(is_error ? static_cast<absl::StatusCode>(code) : absl::StatusCode::kCancelled,
                      request.reason().empty() ? "no reason given" : request.reason());
}

}  // namespace distbench
