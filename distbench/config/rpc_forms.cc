// How RPCs differ from the plain exchange of a request for a response: one-way RPCs, responses that
// echo their requests, and how servers run the lists. What they exclude is refused.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

constexpr struct {
  const char* name;
  DispatchMode mode;
} kModes[] = {{"inline", DispatchMode::kInline},
              {"thread_pool", DispatchMode::kThreadPool},
              {"serial_queue", DispatchMode::kSerialQueue},
              {"fresh_thread", DispatchMode::kFreshThread}};

constexpr int kMaxPoolThreads = 1000;

class RpcFormCompiler {
 public:
  // `reported` has the fields of actions that were reported: an action may be in several lists.
  RpcFormCompiler(CompileContext& context, size_t position, std::set<std::string>& reported)
      : context_(context),
        spec_(context.config.rpc_descriptions(position)),
        path_(ElementPath("rpc_descriptions", position)),
        index_(position),
        rpc_(context.plan.rpcs[index_]),
        reported_(reported) {}

  void Compile() {
    rpc_.one_way = spec_.one_way();
    rpc_.echo_request = spec_.echo_request();
    if (rpc_.one_way) {
      rpc_.response = {.bytes = 0, .drawn = nullptr};
      RefuseWhatOneWayExcludes();
    }
    if (rpc_.echo_request && !rpc_.one_way) RefuseResponseSizes("echo_request");
    if (spec_.has_server_dispatch()) CompileDispatch();
  }

 private:
  void RefuseWhatOneWayExcludes() {
    RefuseResponseSizes("one_way");
    if (rpc_.echo_request) {
      Report("echo_request",
             "a one_way RPC has no response to echo its request; remove one of the "
             "two");
    }
    if (!spec_.multi_server_channel_name().empty()) {
      Report("multi_server_channel_name",
             "the response says which instance of a channel has served, and a one_way RPC has "
             "none; remove one of the two");
    }
    const std::optional<ListIndex> list = ServerList();
    if (!list.has_value()) return;
    for (const ActionPlan& action : context_.plan.lists[*list].actions.items()) {
      const size_t position = *context_.actions.Find(action.name);
      if (!context_.config.actions(position).send_response_when_done()) continue;
      ReportAction(position, "send_response_when_done",
                   absl::StrCat("RPC ", Quoted(spec_.name()),
                                ", whose list has this action, is one_way and has no response; "
                                "remove one of the two"));
    }
  }

  // The response is none, or what the request makes it.
  void RefuseResponseSizes(const char* form) {
    const std::string remedy = absl::StrCat(" has no effect on an RPC with ", form,
                                            ", whose response has no size of its own; remove it");
    if (spec_.has_response_payload_name()) {
      Report("response_payload_name", absl::StrCat(Quoted(spec_.response_payload_name()), remedy));
    }
    if (!spec_.distribution_config_name().empty()) {
      Report("distribution_config_name",
             absl::StrCat(Quoted(spec_.distribution_config_name()),
                          " draws the size of the response too, and an RPC with ", form,
                          " has none of its own; draw that of the request with a payload "
                          "(request_payload_name, size_distribution_name)"));
    }
    if (const auto list = ServerList()) RefuseOverrides(*list, form);
  }

  void RefuseOverrides(ListIndex list, const char* form) {
    for (const ActionPlan& action : context_.plan.lists[list].actions.items()) {
      if (!action.response_override) continue;
      ReportAction(*context_.actions.Find(action.name), "response_payload_override",
                   absl::StrCat(OverrideOf(action), " cannot size the response of RPC ",
                                Quoted(spec_.name()), ", whose list has this action, as that has ",
                                form, "; remove it"));
    }
    visited_.insert(list);
    WarnOfOverridesWithin(list, form);
  }

  // A list that runs for other RPCs too may size theirs.
  void WarnOfOverridesWithin(ListIndex list, const char* form) {
    for (const ActionPlan& action : context_.plan.lists[list].actions.items()) {
      const auto* nested = std::get_if<RunList>(&action.work);
      if (nested == nullptr || !visited_.insert(nested->list).second) continue;
      for (const ActionPlan& inner : context_.plan.lists[nested->list].actions.items()) {
        if (!inner.response_override) continue;
        context_.report.Warning(
            ElementPath("actions", *context_.actions.Find(inner.name), "response_payload_override"),
            absl::StrCat(OverrideOf(inner), " has no effect on the response of RPC ",
                         Quoted(spec_.name()), ", within whose list this action runs, as that has ",
                         form));
      }
      WarnOfOverridesWithin(nested->list, form);
    }
  }

  std::string OverrideOf(const ActionPlan& action) const {
    return Quoted(
        context_.config.actions(*context_.actions.Find(action.name)).response_payload_override());
  }

  void CompileDispatch() {
    const ServerDispatch& dispatch = spec_.server_dispatch();
    const auto found = std::find_if(std::begin(kModes), std::end(kModes), [&](const auto& known) {
      return dispatch.mode() == known.name;
    });
    if (found == std::end(kModes)) {
      std::vector<std::string> known;
      for (const auto& mode : kModes) known.push_back(mode.name);
      return Report("server_dispatch.mode",
                    absl::StrCat("there is no mode ", Quoted(dispatch.mode()),
                                 NearestNameHint(dispatch.mode(), known)));
    }
    rpc_.dispatch.mode = found->mode;
    if (found->mode == DispatchMode::kThreadPool) {
      CompileThreads(dispatch);
    } else if (dispatch.has_threads()) {
      Report("server_dispatch.threads",
             absl::StrCat(dispatch.threads(), " has no meaning with mode ", Quoted(dispatch.mode()),
                          "; remove it, or set mode to 'thread_pool'"));
    }
  }

  void CompileThreads(const ServerDispatch& dispatch) {
    if (!dispatch.has_threads()) {
      Report("server_dispatch.threads",
             absl::StrCat("a thread_pool needs a number of threads; set 1 to ", kMaxPoolThreads));
    } else if (dispatch.threads() < 1 || dispatch.threads() > kMaxPoolThreads) {
      Report("server_dispatch.threads",
             absl::StrCat(dispatch.threads(), " is out of range; set 1 to ", kMaxPoolThreads));
    } else {
      rpc_.dispatch.threads = static_cast<size_t>(dispatch.threads());
    }
  }

  // The list that runs for the RPC's requests.
  std::optional<ListIndex> ServerList() const { return context_.rpc_ends[index_].server_list; }

  void Report(const char* field, const std::string& message) {
    context_.report.Error(absl::StrCat(path_, ".", field), message);
  }
  void ReportAction(size_t position, const char* field, const std::string& message) {
    const std::string path = ElementPath("actions", position, field);
    if (reported_.insert(path).second) context_.report.Error(path, message);
  }

  CompileContext& context_;
  const RpcSpec& spec_;
  const std::string path_;
  const RpcIndex index_;
  RpcPlan& rpc_;
  std::set<std::string>& reported_;
  std::set<ListIndex> visited_;  // whose overrides were looked at
};

}  // namespace

void CompileRpcForms(CompileContext& context) {
  std::set<std::string> reported;
  for (int i = 0; i < context.config.rpc_descriptions_size(); ++i) {
    RpcFormCompiler(context, i, reported).Compile();
  }
}

}  // namespace distbench
