// Which service runs which lists, and so sends which RPCs: its main list, the lists of the RPCs
// that it answers, and what these run. Checks that each sender is among the RPC's clients and can
// have a target, and that whoever replays a trace is its client; yields the services that each
// service calls, and how its open loops are paced.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/fanout_bounds.h"
#include "distbench/config/list_links.h"

namespace distbench {
namespace {

template <typename T>
void SortUnique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

class SenderWalk {
 public:
  explicit SenderWalk(CompileContext& context)
      : context_(context),
        answered_(context.plan.services.size()),
        sent_by_(context.plan.services.size()),
        visited_by_(context.plan.lists.size()),
        client_mark_(context.plan.rpcs.size()),
        is_lonely_(context.plan.rpcs.size()) {
    for (uint32_t i = 0; i < context.rpc_ends.size(); ++i) {
      const RpcEnds& ends = context.rpc_ends[RpcIndex(i)];
      if (ends.server.has_value()) answered_[*ends.server].push_back(RpcIndex(i));
      for (ServiceIndex client : context.plan.rpcs[RpcIndex(i)].clients) {
        sent_by_[client].push_back(RpcIndex(i));
      }
    }
  }

  void Run() {
    for (uint32_t i = 0; i < context_.plan.services.size(); ++i) WalkService(ServiceIndex(i));
    ReportForeignSenders();
  }

 private:
  // An action at its place: position of the list, then of the action in it.
  using ActionPlace = std::pair<ListIndex, ActionIndex>;

  void WalkService(ServiceIndex service) {
    ServicePlan& plan = context_.plan.services[service];
    for (RpcIndex rpc : sent_by_[service]) client_mark_[rpc] = service;
    if (plan.main_list.has_value()) Reach(service, *plan.main_list);
    for (RpcIndex rpc : answered_[service]) {
      const std::optional<ListIndex> list = context_.rpc_ends[rpc].server_list;
      if (list.has_value()) Reach(service, *list);
    }
    while (!pending_.empty()) {
      const ListIndex list = pending_.back();
      pending_.pop_back();
      WalkList(service, list);
    }
    SortUnique(plan.called);
    SortUnique(plan.channels);
    SortUnique(plan.pacings);
  }

  void Reach(ServiceIndex service, ListIndex list) {
    if (visited_by_[list] == service) return;
    visited_by_[list] = service;
    pending_.push_back(list);
  }

  void WalkList(ServiceIndex service, ListIndex list) {
    const auto& actions = context_.plan.lists[list].actions;
    for (uint32_t i = 0; i < actions.size(); ++i) {
      const ActionPlan& action = actions[ActionIndex(i)];
      if (const auto nested = NestedListOf(action)) Reach(service, *nested);
      if (const auto rpc = RpcOf(action)) NoteSender(service, *rpc, {list, ActionIndex(i)});
      const auto* replay = std::get_if<ReplayTrace>(&action.work);
      if (replay != nullptr) NoteReplay(service, replay->trace, action);
      NotePacings(action, context_.plan.services[service].pacings);
    }
  }

  void NotePacings(const ActionPlan& action, std::vector<Pacing>& pacings) const {
    if (action.iterations && action.iterations->open_loop) {
      pacings.push_back(action.iterations->open_loop->pacing);
    }
    const auto* run = std::get_if<RunActivity>(&action.work);
    const bool sleeps = run != nullptr && std::holds_alternative<SleepFor>(
                                              context_.plan.activities[run->activity].work);
    const bool replays = std::holds_alternative<ReplayTrace>(action.work);
    if (sleeps || replays || (action.delay != nullptr && !action.delay_spins)) {
      pacings.push_back(Pacing::kSleep);
    }
  }

  void NoteSender(ServiceIndex service, RpcIndex rpc, ActionPlace place) {
    if (client_mark_[rpc] != service) foreign_senders_[place].push_back(service);
    const std::optional<ServiceIndex> server = context_.rpc_ends[rpc].server;
    if (!server.has_value()) return;
    if (const auto channel = context_.plan.rpcs[rpc].channel) {
      context_.plan.services[service].channels.push_back(*channel);
      return;
    }
    context_.plan.services[service].called.push_back(*server);
    RefuseLonelySender(service, *server, rpc);
  }

  void NoteReplay(ServiceIndex service, TraceIndex trace, const ActionPlan& action) {
    const TraceEnds& ends = context_.trace_ends[trace];
    NoteTargets(context_.plan.traces[trace], ends, context_.plan.services[service]);
    if (!ends.client.has_value() || *ends.client == service) return;
    const size_t position = *context_.actions.Find(action.name);
    if (!foreign_replays_.insert(position).second) return;
    context_.report.Error(
        ElementPath("actions", position, "rpc_replay_trace_name"),
        absl::StrCat("service ", Quoted(context_.plan.services[service].name), " runs action ",
                     Quoted(action.name), ", but the client of replay trace ",
                     Quoted(context_.plan.traces[trace].name), " is ",
                     Quoted(context_.plan.services[*ends.client].name),
                     "; run the action there, or change the trace's `client`"));
  }

  static void NoteTargets(const ReplayTracePlan& trace, const TraceEnds& ends,
                          ServicePlan& sender) {
    bool is_called = false;
    for (const ReplayRecordPlan& record : trace.records) {
      is_called |= !record.channel.has_value();
      const bool is_new = record.channel.has_value() &&
                          (sender.channels.empty() || sender.channels.back() != *record.channel);
      if (is_new) sender.channels.push_back(*record.channel);
    }
    if (is_called && ends.server.has_value()) sender.called.push_back(*ends.server);
  }

  // An instance never sends to itself within its own service, and a step along a grid may lead
  // nowhere.
  void RefuseLonelySender(ServiceIndex client, ServiceIndex server, RpcIndex rpc) {
    const RpcPlan& plan = context_.plan.rpcs[rpc];
    const ServicePlan& client_plan = context_.plan.services[client];
    const ServicePlan& server_plan = context_.plan.services[server];
    const bool may_send_none = std::holds_alternative<FanoutStochastic>(plan.fanout);
    const bool has_errors = client_plan.count == 0 || server_plan.count == 0;
    if (may_send_none || has_errors || is_lonely_[rpc]) return;
    const bool is_own = client == server;
    if (BoundsOfTargets(plan.fanout, client_plan, server_plan, is_own).most > 0) return;
    is_lonely_[rpc] = true;
    const std::string why =
        is_own && client_plan.count == 1
            ? absl::StrCat(Quoted(client_plan.name),
                           " is client and server and has one instance, which does not send to "
                           "itself; give the service more instances")
            : absl::StrCat(Quoted(context_.config.rpc_descriptions(rpc.value()).fanout_filter()),
                           " leads no instance of ", Quoted(client_plan.name),
                           " to another instance of ", Quoted(server_plan.name),
                           "; give that more instances along the axis, or choose another filter");
    context_.report.Error(ElementPath("rpc_descriptions", rpc.value(), "fanout_filter"),
                          absl::StrCat("RPC ", Quoted(plan.name), " can never be sent: ", why));
  }

  void ReportForeignSenders() {
    for (const auto& [place, services] : foreign_senders_) {
      const ActionListPlan& list = context_.plan.lists[place.first];
      const ActionPlan& action = list.actions[place.second];
      const RpcPlan& rpc = context_.plan.rpcs[*RpcOf(action)];
      const std::string others =
          services.size() == 1 ? "" : absl::StrCat(" and ", services.size() - 1, " more");
      context_.report.Error(
          ElementPath("actions", *context_.actions.Find(action.name), "rpc_name"),
          absl::StrCat("service ", Quoted(context_.plan.services[services.front()].name), others,
                       " runs action ", Quoted(action.name), " of list ", Quoted(list.name),
                       ", but is not among the clients of RPC ", Quoted(rpc.name),
                       "; add it to `client`"));
    }
  }

  CompileContext& context_;
  IndexedVector<ServiceIndex, std::vector<RpcIndex>> answered_;
  IndexedVector<ServiceIndex, std::vector<RpcIndex>> sent_by_;
  // The last service that was found to run the list, and to be a client of the RPC.
  IndexedVector<ListIndex, std::optional<ServiceIndex>> visited_by_;
  IndexedVector<RpcIndex, std::optional<ServiceIndex>> client_mark_;
  IndexedVector<RpcIndex, bool> is_lonely_;
  std::vector<ListIndex> pending_;
  std::map<ActionPlace, std::vector<ServiceIndex>> foreign_senders_;
  std::set<size_t> foreign_replays_;  // actions that are reported
};

}  // namespace

void CompileSenders(CompileContext& context) { SenderWalk(context).Run(); }

}  // namespace distbench
