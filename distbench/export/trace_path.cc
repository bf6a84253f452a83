#include "distbench/export/trace_path.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "protos/distbench.pb.h"

namespace distbench {

std::vector<TraceHop> TraceHops(const TraceContext& context) {
  const auto at = [](const auto& list, int i) { return i < list.size() ? list[i] : 0; };
  std::vector<TraceHop> hops;
  for (int i = 0; i < context.engine_ids_size(); ++i) {
    hops.push_back({.engine = context.engine_ids(i),
                    .list = at(context.actionlist_indices(), i),
                    .invocation = at(context.actionlist_invocations(), i),
                    .action = at(context.action_indices(), i),
                    .iteration = at(context.action_iterations(), i),
                    .fanout = at(context.fanout_index(), i)});
  }
  return hops;
}

std::string TracePath(const TraceContext& context) {
  return absl::StrJoin(TraceHops(context), "/", [](std::string* text, const TraceHop& hop) {
    absl::StrAppend(text, hop.engine, ":", hop.list, ":", hop.invocation, ":");
    absl::StrAppend(text, hop.action, ":", hop.iteration, ":", hop.fanout);
  });
}

absl::string_view ParentPath(absl::string_view path) {
  const size_t end = path.rfind('/');
  return end == absl::string_view::npos ? absl::string_view() : path.substr(0, end);
}

absl::Status NoTracedRpcsError() {
  return absl::NotFoundError(
      "no RPC in these results was traced; set tracing_interval: N in rpc_descriptions "
      "of the test to trace every N-th iteration, and run it again");
}

}  // namespace distbench
