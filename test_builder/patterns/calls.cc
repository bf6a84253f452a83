#include "test_builder/patterns/calls.h"

#include "absl/strings/str_cat.h"
#include "test_builder/patterns/common_parameters.h"

namespace distbench {
namespace {

// All but the iterations of the action.
RpcSpec* AddCalls(const Calls& calls, const ParameterValues& values,
                  DistributedSystemDescription* test) {
  RpcSpec* const rpc = AddRpc({.name = calls.rpc,
                               .client = calls.client,
                               .server = calls.server,
                               .fanout = calls.fanout,
                               .request_size = values.Integer("request_size"),
                               .response_size = values.Integer("response_size")},
                              test);
  AddList(calls.client, {calls.action}, test);
  AddRpcAction(calls.action, calls.rpc, test);
  AddList(calls.rpc, {}, test);
  return rpc;
}

Iterations* LastIterations(DistributedSystemDescription* test) {
  return test->mutable_actions()->rbegin()->mutable_iterations();
}

}  // namespace

RpcSpec* AddOpenCalls(const Calls& calls, const ParameterValues& values, absl::Duration duration,
                      DistributedSystemDescription* test) {
  RpcSpec* const rpc = AddCalls(calls, values, test);
  SetOpenLoop({.interval_ns = values.Integer("rpc_interval_us") * 1000,
               .distribution = values.Text("synchronization_mode"),
               .warmup = WarmupOf(values),
               .duration = duration},
              LastIterations(test));
  return rpc;
}

void AddClosedCalls(const Calls& calls, const ParameterValues& values, const ClosedLoop& loop,
                    DistributedSystemDescription* test) {
  AddCalls(calls, values, test);
  SetClosedLoop(loop, LastIterations(test));
}

std::string OpenCallsAlias(absl::string_view pattern, absl::string_view count,
                           const ParameterValues& values) {
  return absl::StrCat(pattern, "_", values.Text("synchronization_mode"), "_", count, "x",
                      values.Text("rpc_interval_us"), "x", values.Text("request_size"), "x",
                      values.Text("response_size"));
}

}  // namespace distbench
