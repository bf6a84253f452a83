// Definitions that nothing uses: allowed, but most often a slip.
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"

namespace distbench {
namespace {

void WarnOfIdleServices(const CompileContext& context) {
  IndexedVector<ServiceIndex, bool> answers(context.plan.services.size());
  for (const RpcEnds& ends : context.rpc_ends) {
    if (ends.server.has_value()) answers[*ends.server] = true;
  }
  for (const TraceEnds& ends : context.trace_ends) {
    if (ends.server.has_value()) answers[*ends.server] = true;
  }
  for (uint32_t i = 0; i < context.plan.services.size(); ++i) {
    const ServicePlan& service = context.plan.services[ServiceIndex(i)];
    const bool is_misnamed = context.services.Find(service.name) != i;
    if (is_misnamed || service.main_list.has_value() || answers[ServiceIndex(i)]) continue;
    context.report.Warning(
        ElementPath("services", i),
        absl::StrCat("service ", Quoted(service.name),
                     " does nothing: no action list has its name, and it answers no RPC"));
  }
}

}  // namespace

void WarnOfUnused(const CompileContext& context) {
  WarnOfIdleServices(context);
  context.joint_distributions.WarnOfUnused(context.report);
  context.delay_distributions.WarnOfUnused(context.report);
  context.size_distributions.WarnOfUnused(context.report);
  context.payloads.WarnOfUnused(context.report);
  context.activities.WarnOfUnused(context.report);
  context.rpcs.WarnOfUnused(context.report);
  context.traces.WarnOfUnused(context.report);
  context.actions.WarnOfUnused(context.report);
  context.lists.WarnOfUnused(context.report);
  context.driver_options.WarnOfUnused(context.report);
  for (const ServiceChannels& channels : context.channels) {
    channels.names.WarnOfUnused(context.report);
  }
}

}  // namespace distbench
