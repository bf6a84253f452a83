#include "distbench/export/traffic_graph.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "distbench/config/plan.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using Lines = std::vector<std::string>;

// A string of DOT whose lines are these; empty ones are left out.
std::string Label(const Lines& lines) {
  Lines shown;
  for (const std::string& line : lines) {
    if (!line.empty()) shown.push_back(absl::Utf8SafeCEscape(line));
  }
  return absl::StrCat("\"", absl::StrJoin(shown, "\\n"), "\"");
}

// In the largest unit that does not round.
std::string Rounded(int64_t value, int64_t step, const std::vector<std::string>& units) {
  size_t unit = 0;
  while (unit + 1 < units.size() && value != 0 && value % step == 0) {
    value /= step;
    ++unit;
  }
  return absl::StrCat(value, " ", units[unit]);
}

std::string Bytes(const MessageSizePlan& size) {
  if (size.drawn != nullptr) return "drawn";
  return Rounded(size.bytes, 1024, {"B", "KiB", "MiB", "GiB"});
}

std::string Duration(int64_t ns) { return Rounded(ns, 1000, {"ns", "us", "ms", "s"}); }

std::string Instances(const ServicePlan& service) {
  if (service.dimensions == 1) return absl::StrCat("\u00d7 ", service.count);
  std::string shape = absl::StrCat(service.x_size, " \u00d7 ", service.y_size);
  if (service.dimensions == 3) absl::StrAppend(&shape, " \u00d7 ", service.z_size);
  return shape;
}

std::string ArrivalsName(Arrivals arrivals) {
  switch (arrivals) {
    case Arrivals::kConstant:
      return "";
    case Arrivals::kSyncBurst:
      return ", all at once";
    case Arrivals::kSyncBurstSpread:
      return ", in turn";
    case Arrivals::kExponential:
      return " on average";
  }
  return "";
}

// How often something that is done by itself is done; empty: once.
std::string Pace(const std::optional<IterationPlan>& iterations) {
  if (!iterations) return "";
  if (!iterations->open_loop) return absl::StrCat(iterations->max_parallel, " at a time");
  return absl::StrCat("every ", Duration(iterations->open_loop->interval_ns),
                      ArrivalsName(iterations->open_loop->arrivals),
                      iterations->open_loop->rates == nullptr ? "" : ", changing");
}

// In how many of its list's runs the action runs; empty: in all.
std::string Chance(const ActionListPlan& list, const ConditionPlan& condition) {
  if (condition.is_empty()) return "";
  for (size_t i = 0; i < list.predicates.size(); ++i) {
    const uint64_t bit = uint64_t{1} << i;
    const double held = 100 * list.predicates[i];
    if (condition.must_hold == bit && condition.must_not_hold == 0) {
      return absl::StrFormat("drawn: %.3g %%", held);
    }
    if (condition.must_not_hold == bit && condition.must_hold == 0) {
      return absl::StrFormat("drawn: %.3g %%", 100 - held);
    }
  }
  return "sometimes";  // several conditions
}

// Of request and response.
std::string Sizes(const RpcPlan& rpc) {
  if (rpc.joint_sizes != nullptr) return "drawn in pairs";
  if (rpc.one_way) return absl::StrCat(Bytes(rpc.request), ", one-way");
  return absl::StrCat(Bytes(rpc.request), rpc.echo_request ? ", echoed" : " / ",
                      rpc.echo_request ? "" : Bytes(rpc.response));
}

// How the server goes about it; empty: at once.
std::string Dispatch(const DispatchPlan& plan) {
  switch (plan.mode) {
    case DispatchMode::kInline:
      return "";
    case DispatchMode::kThreadPool:
      return absl::StrCat("by ", plan.threads, " threads");
    case DispatchMode::kSerialQueue:
      return "one after the other";
    case DispatchMode::kFreshThread:
      return "a thread for each";
  }
  return "";
}

class Drawing {
 public:
  Drawing(const DistributedSystemDescription& config, const Plan& plan)
      : config_(config), plan_(plan) {}

  std::string Draw() {
    text_ = absl::StrCat("digraph ", Label({plan_.test_name}),
                         " {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
    for (const ServicePlan& service : plan_.services) {
      absl::StrAppend(&text_, "  ", Label({service.name}),
                      " [label=", Label({service.name, Instances(service)}), "];\n");
    }
    for (size_t i = 0; i < plan_.services.size(); ++i) {
      const ServiceIndex service(i);
      if (plan_.services[service].main_list)
        Follow(service, *plan_.services[service].main_list, {});
    }
    for (size_t i = 0; i < plan_.rpcs.size(); ++i) {
      Follow(plan_.rpcs[RpcIndex(i)].server, plan_.rpcs[RpcIndex(i)].server_list, {});
    }
    return absl::StrCat(text_, "}\n");
  }

 private:
  // How often something is done on the way to it, where that was said last. Empty: once, always.
  struct HowOften {
    std::string pace;
    std::string chance;

    friend auto operator<=>(const HowOften&, const HowOften&) = default;
  };

  // Draws what `service` sends in `list`, which is run so often.
  void Follow(ServiceIndex service, ListIndex list, const HowOften& how_often) {
    if (!followed_.emplace(service, list, how_often).second) return;
    const ActionListPlan& plan = plan_.lists[list];
    for (const ActionPlan& action : plan.actions) {
      HowOften shown = {Pace(action.iterations), Chance(plan, action.condition)};
      if (shown.pace.empty()) shown.pace = how_often.pace;
      if (shown.chance.empty()) shown.chance = how_often.chance;
      if (const auto* send = std::get_if<SendRpc>(&action.work)) {
        DrawRpc(service, send->rpc, shown);
      } else if (const auto* run = std::get_if<RunList>(&action.work)) {
        Follow(service, run->list, shown);
      } else if (const auto* replay = std::get_if<ReplayTrace>(&action.work)) {
        const ReplayTracePlan& trace = plan_.traces[replay->trace];
        DrawArrow(service, trace.server, {"replay of " + trace.name}, ", style=dashed");
      }
    }
  }

  void DrawRpc(ServiceIndex client, RpcIndex index, const HowOften& how_often) {
    const RpcPlan& rpc = plan_.rpcs[index];
    DrawArrow(client, rpc.server,
              {rpc.name, Sizes(rpc), Whom(index), how_often.pace, how_often.chance,
               Dispatch(rpc.dispatch)},
              "");
  }

  // Which of several instances; empty if there is one.
  std::string Whom(RpcIndex index) const {
    const RpcPlan& rpc = plan_.rpcs[index];
    if (rpc.channel) return absl::StrCat("channel ", plan_.channels[*rpc.channel].name);
    if (plan_.services[rpc.server].count == 1) return "";
    const RpcSpec& spec = config_.rpc_descriptions(static_cast<int>(index.value()));
    return absl::StrCat("to ", spec.fanout_filter().empty() ? "all" : spec.fanout_filter());
  }

  void DrawArrow(ServiceIndex from, ServiceIndex to, const Lines& lines, absl::string_view style) {
    const std::string arrow =
        absl::StrCat("  ", Label({plan_.services[from].name}), " -> ",
                     Label({plan_.services[to].name}), " [label=", Label(lines), style, "];\n");
    if (drawn_.insert(arrow).second) absl::StrAppend(&text_, arrow);
  }

  const DistributedSystemDescription& config_;
  const Plan& plan_;
  std::string text_;
  std::set<std::string> drawn_;
  std::set<std::tuple<ServiceIndex, ListIndex, HowOften>> followed_;
};

}  // namespace

std::string DrawTraffic(const DistributedSystemDescription& config, const Plan& plan) {
  return Drawing(config, plan).Draw();
}

}  // namespace distbench
