#include "test_builder/patterns/traffic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();

std::string AddPayload(const std::string& name, int64_t size, DistributedSystemDescription* test) {
  PayloadSpec* const payload = test->add_payload_descriptions();
  payload->set_name(name);
  payload->set_size(size);
  return name;
}

void SetMaxDuration(absl::Duration duration, Iterations* iterations) {
  const int64_t duration_us = std::max<int64_t>(1, absl::ToInt64Microseconds(duration));
  if (duration_us <= kMaxInt32) {
    iterations->set_max_duration_us(static_cast<int32_t>(duration_us));
  } else {
    iterations->set_max_duration_us_64(duration_us);
  }
}

// When the last of so many starts is due, at the latest. The sum of `count` exponential gaps has a
// standard deviation of sqrt(count) gaps; beyond this sum is one in some hundred million.
absl::Duration LatestStart(const OpenLoop& loop, int64_t count) {
  const auto gaps = static_cast<double>(count);
  const double more = loop.distribution == "exponential" ? 6 * std::sqrt(gaps) + 20 : 0;
  return absl::Ceil(absl::Nanoseconds(loop.interval_ns) * (gaps + more), absl::Microseconds(1));
}

}  // namespace

ServiceSpec* AddService(const std::string& name, int64_t count,
                        DistributedSystemDescription* test) {
  ServiceSpec* const service = test->add_services();
  service->set_name(name);
  service->set_count(static_cast<int32_t>(count));
  return service;
}

RpcSpec* AddRpc(const RpcDraft& draft, DistributedSystemDescription* test) {
  RpcSpec* const rpc = test->add_rpc_descriptions();
  rpc->set_name(draft.name);
  rpc->add_client(draft.client);
  rpc->set_server(draft.server);
  rpc->set_request_payload_name(
      AddPayload(absl::StrCat(draft.name, "_request"), draft.request_size, test));
  if (draft.response_size) {
    rpc->set_response_payload_name(
        AddPayload(absl::StrCat(draft.name, "_response"), *draft.response_size, test));
  }
  if (!draft.fanout.empty()) rpc->set_fanout_filter(draft.fanout);
  return rpc;
}

Action* AddRpcAction(const std::string& name, const std::string& rpc,
                     DistributedSystemDescription* test) {
  Action* const action = AddAction(name, test);
  action->set_rpc_name(rpc);
  return action;
}

Action* AddAction(const std::string& name, DistributedSystemDescription* test) {
  Action* const action = test->add_actions();
  action->set_name(name);
  return action;
}

ActivityConfig* AddActivity(const std::string& name, const std::string& function,
                            int64_t duration_us, DistributedSystemDescription* test) {
  ActivityConfig* const activity = test->add_activity_configs();
  activity->set_name(name);
  NamedSetting* setting = activity->add_activity_settings();
  setting->set_name("activity_func");
  setting->set_string_value(function);
  setting = activity->add_activity_settings();
  setting->set_name("duration_us");
  setting->set_int64_value(duration_us);
  return activity;
}

void AddList(const std::string& name, const std::vector<std::string>& actions,
             DistributedSystemDescription* test) {
  ActionList* const list = test->add_action_lists();
  list->set_name(name);
  for (const std::string& action : actions) list->add_action_names(action);
}

void SetClosedLoop(const ClosedLoop& loop, Iterations* iterations) {
  SetMaxDuration(loop.warmup + loop.duration, iterations);
  iterations->set_max_parallel_iterations(loop.parallel);
  if (loop.warmup_iterations > 0) iterations->set_warmup_iterations(loop.warmup_iterations);
  const int64_t warmup_ns = absl::ToInt64Nanoseconds(loop.warmup);
  if (warmup_ns > 0) iterations->set_warmup_ns(warmup_ns);
}

void SetOpenLoop(const OpenLoop& loop, Iterations* iterations) {
  const int64_t warmup = absl::ToInt64Nanoseconds(loop.warmup) / loop.interval_ns;
  const int64_t all = absl::ToInt64Nanoseconds(loop.warmup + loop.duration) / loop.interval_ns;
  const int64_t count = std::max(all, warmup + 1);
  // A loop that starts less than once in all its time would wait for longer than that.
  absl::Duration limit = loop.warmup + loop.duration;
  if (all > 0) limit = std::max(limit, LatestStart(loop, count));
  SetMaxDuration(limit, iterations);
  if (count <= kMaxInt32) {
    iterations->set_max_iteration_count(static_cast<int32_t>(count));
  } else {
    iterations->set_max_iteration_count_64(count);
  }
  iterations->set_open_loop_interval_ns(loop.interval_ns);
  iterations->set_open_loop_interval_distribution(loop.distribution);
  if (warmup > 0) iterations->set_warmup_iterations(warmup);
}

}  // namespace distbench
