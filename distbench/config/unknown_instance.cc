#include "distbench/config/unknown_instance.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "distbench/config/glob.h"

namespace distbench {
namespace {

// "'grid/0/0' to 'grid/2/4'"
std::string InstancesOf(const ServicePlan& service, const Plan& plan) {
  const auto name_of_rank = [&](size_t rank) {
    return plan.instances[InstanceIndex(service.first.value() + rank)].name;
  };
  return absl::StrCat(Quoted(name_of_rank(0)), " to ", Quoted(name_of_rank(service.count - 1)));
}

}  // namespace

void ReportUnknownInstance(CompileContext& context, const UnknownInstance& unknown) {
  const std::string problem = absl::StrCat(unknown.problem, " ", Quoted(unknown.name));
  const std::string service_name = unknown.name.substr(0, unknown.name.find('/'));
  const std::optional<size_t> position = context.services.Find(service_name);
  if (!position.has_value()) {
    context.report.Error(
        unknown.path,
        absl::StrCat(problem, IsGlob(service_name) ? "" : ", as no service has that name",
                     context.services.Hint(service_name)));
    return;
  }
  const ServicePlan& service = context.plan.services[ServiceIndex(*position)];
  if (service.count == 0) return;
  context.report.Error(unknown.path, absl::StrCat(problem, "; service ", Quoted(service_name),
                                                  " has ", InstancesOf(service, context.plan)));
}

}  // namespace distbench
