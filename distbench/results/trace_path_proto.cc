#include "distbench/results/trace_path_proto.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "protos/distbench.pb.h"

namespace distbench {

void WriteTracePath(const TracePath& path, TraceContext& context) {
  for (const TraceHop& hop : path) {
    context.add_engine_ids(hop.engine_id);
    context.add_actionlist_indices(hop.list_index);
    context.add_actionlist_invocations(hop.list_invocation);
    context.add_action_indices(hop.action_index);
    context.add_action_iterations(hop.iteration);
    context.add_fanout_index(hop.fanout_index);
  }
}

std::string SerializeTracePath(const TracePath& path) {
  TraceContext context;
  WriteTracePath(path, context);
  return context.SerializeAsString();
}

absl::StatusOr<TracePath> ParseTracePath(absl::string_view bytes) {
  TraceContext context;
  if (bytes.size() > INT32_MAX ||
      !context.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::InvalidArgumentError("trace_context: not a TraceContext");
  }
  const int hops = context.engine_ids_size();
  const int lengths[] = {context.actionlist_indices_size(), context.actionlist_invocations_size(),
                         context.action_indices_size(), context.action_iterations_size(),
                         context.fanout_index_size()};
  for (const int length : lengths) {
    if (length == hops) continue;
    return absl::InvalidArgumentError(absl::StrCat("trace_context: ", hops, " engine_ids, but ",
                                                   length, " entries in another list"));
  }
  if (static_cast<size_t>(hops) > kMostTraceHops) {
    return absl::InvalidArgumentError(
        absl::StrCat("trace_context: ", hops, " hops; the most are ", kMostTraceHops));
  }
  TracePath path;
  for (int i = 0; i < hops; ++i) {
    path.push_back({.engine_id = context.engine_ids(i),
                    .list_index = context.actionlist_indices(i),
                    .list_invocation = context.actionlist_invocations(i),
                    .action_index = context.action_indices(i),
                    .iteration = context.action_iterations(i),
                    .fanout_index = context.fanout_index(i)});
  }
  return path;
}

}  // namespace distbench
