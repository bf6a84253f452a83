// RPCs: who may send them, who answers and with which list, to how many, and how large.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/fanout.h"
#include "distbench/config/time_limits.h"

namespace distbench {
namespace {

// "1 target", "2 targets".
std::string Counted(size_t count, const char* noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// The greatest number of targets that may be drawn.
size_t MostTargets(const FanoutStochastic& fanout) {
  size_t most = 0;
  double below = 0;
  for (const FanoutStochastic::Choice& choice : fanout.choices) {
    if (choice.cumulative_probability > below) most = std::max(most, choice.targets);
    below = choice.cumulative_probability;
  }
  return most;
}

class RpcCompiler {
 public:
  RpcCompiler(CompileContext& context, size_t position)
      : context_(context),
        spec_(context.config.rpc_descriptions(position)),
        path_(ElementPath("rpc_descriptions", position)) {}

  void Compile() {
    RpcPlan rpc{.name = spec_.name(),
                .clients = {},
                .server = {},
                .server_list = {},
                .fanout = FanoutAll{},
                .deadline_ns = DeadlineNs()};
    CompileClients(rpc);
    const RpcEnds ends = {.server = Server(), .server_list = ServerList()};
    rpc.server = ends.server.value_or(ServiceIndex());
    rpc.server_list = ends.server_list.value_or(ListIndex());
    if (has_channel()) {
      if (ends.server.has_value()) CompileChannel(*ends.server, rpc);
    } else {
      CompileFanout(rpc);
    }
    const auto* stochastic = std::get_if<FanoutStochastic>(&rpc.fanout);
    if (stochastic != nullptr && ends.server.has_value()) WarnOfFewTargets(rpc, *stochastic);
    CompileSize("request_payload_name", spec_.has_request_payload_name(),
                spec_.request_payload_name(), rpc.request);
    CompileSize("response_payload_name", spec_.has_response_payload_name(),
                spec_.response_payload_name(), rpc.response);
    rpc.joint_sizes = JointSizes();
    if (spec_.tracing_interval() < 0) {
      Report("tracing_interval",
             absl::StrCat(spec_.tracing_interval(), " is negative; set 0 for no tracing"));
    }
    rpc.tracing_interval = spec_.tracing_interval();
    context_.plan.rpcs.push_back(std::move(rpc));
    context_.rpc_ends.push_back(ends);
  }

 private:
  void CompileClients(RpcPlan& rpc) {
    if (spec_.client().empty()) {
      Report("client", absl::StrCat("RPC ", Quoted(spec_.name()),
                                    " has no client; name the services that may send it"));
    }
    absl::flat_hash_set<size_t> seen;
    for (int i = 0; i < spec_.client_size(); ++i) {
      const std::string path = absl::StrCat(path_, ".client[", i, "]");
      const auto client = context_.services.Resolve(spec_.client(i), path, context_.report);
      if (!client.has_value()) continue;
      if (seen.insert(*client).second) {
        rpc.clients.push_back(ServiceIndex(*client));
      } else {
        context_.report.Error(path, absl::StrCat(Quoted(spec_.client(i)),
                                                 " is among the clients already; name it once"));
      }
    }
  }

  std::optional<ServiceIndex> Server() {
    if (!spec_.has_server()) {
      Report("server", absl::StrCat("RPC ", Quoted(spec_.name()),
                                    " has no server; name the service that answers it"));
      return std::nullopt;
    }
    const auto server = context_.services.Resolve(spec_.server(), Path("server"), context_.report);
    if (!server.has_value()) return std::nullopt;
    return ServiceIndex(*server);
  }

  std::optional<ListIndex> ServerList() {
    if (spec_.name().empty()) return std::nullopt;  // reported with the names
    const auto list = context_.lists.Find(spec_.name());
    if (!list.has_value()) {
      Report("name",
             absl::StrCat("there is no action list ", Quoted(spec_.name()),
                          " to run on the server of this RPC; add one, if only an empty one",
                          context_.lists.Hint(spec_.name())));
      return std::nullopt;
    }
    context_.lists.MarkUsed(*list);
    if (context_.services.Find(spec_.name()).has_value()) {
      Report("name", absl::StrCat(Quoted(spec_.name()),
                                  " is a service too, and its action list cannot belong to both; "
                                  "rename one of them"));
    }
    return ListIndex(*list);
  }

  // An empty name names none, as an empty filter does not filter.
  bool has_channel() const { return !spec_.multi_server_channel_name().empty(); }

  // Each iteration goes to one instance, which the channel picks.
  void CompileChannel(ServiceIndex server, RpcPlan& rpc) {
    rpc.fanout = FanoutRandom{};
    rpc.channel = ResolveChannel(context_, server, spec_.multi_server_channel_name(),
                                 Path("multi_server_channel_name"));
    if (!spec_.has_fanout_filter() || spec_.fanout_filter().empty()) return;
    context_.report.Warning(
        Path("fanout_filter"),
        absl::StrCat(Quoted(spec_.fanout_filter()), " has no effect: the channel ",
                     Quoted(spec_.multi_server_channel_name()),
                     " picks the instance; leave one of ", "the two out"));
  }

  void CompileFanout(RpcPlan& rpc) {
    absl::StatusOr<FanoutPlan> fanout = ParseFanout(spec_.fanout_filter());
    if (fanout.ok()) {
      rpc.fanout = *std::move(fanout);
    } else {
      Report("fanout_filter", std::string(fanout.status().message()));
    }
  }

  // A fanout that asks for more targets than there are gets them all, which changes its mean.
  void WarnOfFewTargets(const RpcPlan& rpc, const FanoutStochastic& fanout) {
    const size_t asked = MostTargets(fanout);
    if (asked == 0) {
      context_.report.Warning(
          Path("fanout_filter"),
          absl::StrCat(Quoted(spec_.fanout_filter()),
                       " never sends to anybody; give a number of targets of at least 1 a "
                       "probability above 0"));
    }
    for (const ServiceIndex client : rpc.clients) WarnOfFewTargets(rpc, client, asked);
  }

  void WarnOfFewTargets(const RpcPlan& rpc, ServiceIndex client, size_t asked) {
    const ServicePlan& server = context_.plan.services[rpc.server];
    const bool is_own = client == rpc.server;
    const size_t targets = server.count - (is_own && server.count > 0 ? 1 : 0);
    if (asked <= targets) return;
    const char* const itself =
        server.count == 1 ? ", which does not send to itself" : ", of which none sends to itself";
    context_.report.Warning(
        Path("fanout_filter"),
        absl::StrCat(Quoted(spec_.fanout_filter()), " asks for ", Counted(asked, "target"),
                     ", but ", Quoted(context_.plan.services[client].name), " has ", targets, ": ",
                     Quoted(server.name), " has ", Counted(server.count, "instance"),
                     is_own ? itself : "", "; it sends to ",
                     targets == 0 ? "nobody" : absl::StrCat("all ", targets),
                     " then. Ask for fewer, or give ", Quoted(server.name), " more instances"));
  }

  // Leaves the size at its default if no payload is named.
  void CompileSize(const char* field, bool is_named, const std::string& payload,
                   MessageSizePlan& size) {
    if (!is_named) return;
    const auto position = context_.payloads.Resolve(payload, Path(field), context_.report);
    if (position.has_value()) size = context_.payload_sizes[*position];
  }

  std::shared_ptr<const Distribution> JointSizes() {
    if (spec_.distribution_config_name().empty()) return nullptr;
    const auto position = context_.joint_distributions.Resolve(
        spec_.distribution_config_name(), Path("distribution_config_name"), context_.report);
    return position.has_value() ? context_.compiled_joint_sizes[*position] : nullptr;
  }

  std::optional<int64_t> DeadlineNs() {
    const int64_t deadline_us = spec_.deadline_us();
    if (deadline_us == 0) return std::nullopt;
    if (deadline_us < 0 || deadline_us > kMaxDurationUs) {
      Report("deadline_us", absl::StrCat(deadline_us,
                                         " is out of range; set 0 for no deadline or "
                                         "up to ",
                                         kMaxDurationUs));
    }
    return MicrosecondsToNs(deadline_us);
  }

  std::string Path(const char* field) const { return absl::StrCat(path_, ".", field); }
  void Report(const char* field, const std::string& message) {
    context_.report.Error(Path(field), message);
  }

  CompileContext& context_;
  const RpcSpec& spec_;
  const std::string path_;
};

}  // namespace

void CompileRpcs(CompileContext& context) {
  for (int i = 0; i < context.config.rpc_descriptions_size(); ++i) {
    RpcCompiler(context, i).Compile();
  }
}

}  // namespace distbench
