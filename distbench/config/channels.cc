// Multi-server channels: the instances behind each, and the drivers of those who send on it.
//
// Members are ranks, or what satisfies constraints on the attributes of endpoints; which instances
// that are is known only when they are placed.
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/constraints.h"

namespace distbench {
namespace {

std::string ChannelsPath(ServiceIndex service) {
  return ElementPath("services", service.value(), "multi_server_channels");
}

// The ranks that exist, each once.
std::vector<size_t> Members(const MultiServerChannel& spec, const ServicePlan& service,
                            const std::string& path, Reporter& report) {
  std::set<size_t> seen;
  std::vector<size_t> members;
  for (int i = 0; i < spec.selected_instances_size(); ++i) {
    const std::string field = ElementPath(absl::StrCat(path, ".selected_instances"), i);
    const int64_t rank = spec.selected_instances(i);
    if (rank < 0 || rank >= static_cast<int64_t>(service.count)) {
      report.Error(field, absl::StrCat(rank, " is no instance of ", Quoted(service.name),
                                       ", which has ", service.count, ", numbered from 0"));
    } else if (!seen.insert(rank).second) {
      report.Error(field, absl::StrCat(rank, " is a member already; name it once"));
    } else {
      members.push_back(rank);
    }
  }
  return members;
}

ChannelPlan CompileChannel(const MultiServerChannel& spec, ServiceIndex server,
                           const std::string& path, CompileContext& context) {
  const bool is_listed = spec.selected_instances_size() > 0;
  if (is_listed == spec.has_constraints()) {
    context.report.Error(path,
                         absl::StrCat("channel ", Quoted(spec.name()), " has ",
                                      is_listed ? "both selected_instances and constraints"
                                                : "neither selected_instances nor constraints",
                                      "; give it one of them"));
  }
  if (spec.has_constraints()) {
    CheckConstraints(spec.constraints(), absl::StrCat(path, ".constraints"), context.report);
  }
  return {.name = spec.name(),
          .server = server,
          .members = Members(spec, context.plan.services[server], path, context.report),
          .config = std::make_shared<const MultiServerChannel>(spec)};
}

}  // namespace

void CompileChannels(CompileContext& context) {
  for (int i = 0; i < context.config.services_size(); ++i) {
    const ServiceIndex service(i);
    const auto& specs = context.config.services(i).multi_server_channels();
    context.channels.push_back(
        {.names = NameTable("multi-server channel", ChannelsPath(service), specs, context.report),
         .first = ChannelIndex(context.plan.channels.size())});
    for (int j = 0; j < specs.size(); ++j) {
      context.plan.channels.push_back(
          CompileChannel(specs[j], service, ElementPath(ChannelsPath(service), j), context));
    }
  }
}

std::optional<ChannelIndex> ResolveChannel(CompileContext& context, ServiceIndex server,
                                           const std::string& name, const std::string& path) {
  ServiceChannels& channels = context.channels[server];
  const std::optional<size_t> position = channels.names.Find(name);
  if (!position.has_value()) {
    context.report.Error(path, absl::StrCat("service ", Quoted(context.plan.services[server].name),
                                            " has no multi-server channel ", Quoted(name),
                                            channels.names.Hint(name)));
    return std::nullopt;
  }
  channels.names.MarkUsed(*position);
  return ChannelIndex(channels.first.value() + *position);
}

void CheckChannelDrivers(CompileContext& context) {
  if (!context.drivers.check_channel) return;
  std::set<std::pair<ChannelIndex, std::string>> reported;
  for (const ServicePlan& client : context.plan.services) {
    if (client.driver_options == nullptr) continue;  // reported
    for (const ChannelIndex index : client.channels) {
      const ChannelPlan& channel = context.plan.channels[index];
      const absl::Status status =
          context.drivers.check_channel(*client.driver_options, *channel.config);
      const std::string message(status.message());
      if (status.ok() || !reported.insert({index, message}).second) continue;
      const std::string path =
          ElementPath(ChannelsPath(channel.server),
                      index.value() - context.channels[channel.server].first.value());
      if (absl::IsUnimplemented(status)) {
        context.report.Unsupported(path, message);
      } else {
        context.report.Error(path, message);
      }
    }
  }
}

}  // namespace distbench
