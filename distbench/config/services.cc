// Services and their instances. The main list of a service is the action list of its name.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/grid_shape.h"

namespace distbench {
namespace {

// A service whose sizes are wrong, which the canonical form reported, has no instances.
GridShape ShapeOrNone(const ServiceSpec& spec) {
  const auto shape = ShapeOf(spec);
  if (const auto* known = std::get_if<GridShape>(&shape)) return *known;
  return GridShape{};
}

// None for a service whose name is another's already: only one of them can mean it.
std::optional<ListIndex> MainListOf(CompileContext& context, const std::string& name) {
  if (context.services.Find(name) != context.plan.services.size()) return std::nullopt;
  const std::optional<size_t> position = context.lists.Find(name);
  if (!position.has_value()) return std::nullopt;
  context.lists.MarkUsed(*position);
  return ListIndex(*position);
}

void AddInstances(const ServicePlan& service, ServiceIndex index, const GridShape& shape,
                  Plan& plan) {
  for (size_t rank = 0; rank < shape.count; ++rank) {
    const InstanceIndex instance = plan.instances.push_back(
        {.name = InstanceName(service.name, shape, rank), .service = index, .rank = rank});
    plan.instance_by_name.try_emplace(plan.instances[instance].name, instance);
  }
}

void CheckServiceName(const ServiceSpec& spec, size_t position, Reporter& report) {
  if (absl::StrContains(spec.name(), '/')) {
    report.Error(ElementPath("services", position, "name"),
                 absl::StrCat(Quoted(spec.name()),
                              " contains '/', which separates a service's name from the number of "
                              "an instance; use another character"));
  }
}

void CompileService(CompileContext& context, const ServiceSpec& spec, const GridShape& shape) {
  ServicePlan service{.name = spec.name(),
                      .count = shape.count,
                      .first = InstanceIndex(context.plan.instances.size()),
                      .dimensions = shape.dimensions,
                      .x_size = shape.x_size,
                      .y_size = shape.y_size,
                      .z_size = shape.z_size,
                      .main_list = MainListOf(context, spec.name()),
                      .called = {},
                      .protocol = "",
                      .driver_options = nullptr};
  const ServiceIndex index = context.plan.services.push_back(std::move(service));
  AddInstances(context.plan.services[index], index, shape, context.plan);
}

}  // namespace

void CompileServices(CompileContext& context) {
  int64_t instances = 0;
  for (const ServiceSpec& spec : context.config.services()) instances += ShapeOrNone(spec).count;
  const bool too_many = instances > kMaxInstances;
  if (too_many) {
    context.report.Error("services", absl::StrCat("all services together have ", instances,
                                                  " instances; a test may have ", kMaxInstances));
  } else {
    context.plan.instances.reserve(instances);
    context.plan.instance_by_name.reserve(instances);
  }
  for (int i = 0; i < context.config.services_size(); ++i) {
    const ServiceSpec& spec = context.config.services(i);
    CheckServiceName(spec, i, context.report);
    CompileService(context, spec, too_many ? GridShape{} : ShapeOrNone(spec));
  }
}

}  // namespace distbench
