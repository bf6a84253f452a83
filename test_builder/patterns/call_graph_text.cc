#include "test_builder/patterns/call_graph_text.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

constexpr int64_t kMaxCount = 1'000'000;
constexpr int64_t kMaxCalls = 1'000'000;

class GraphReader {
 public:
  absl::StatusOr<CallGraph> Read(absl::string_view text) {
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      ++line_;
      line = line.substr(0, line.find('#'));
      const std::vector<std::string> words =
          absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
      if (!words.empty()) RETURN_IF_ERROR(TakeLine(words));
    }
    RETURN_IF_ERROR(FindClient());
    RETURN_IF_ERROR(CheckOrder());
    return std::move(graph_);
  }

 private:
  absl::Status Error(absl::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat("graph, line ", line_, ": ", message));
  }

  absl::Status TakeLine(const std::vector<std::string>& words) {
    if (words.size() < 2) {
      return Error(absl::StrCat(Quoted(words[0]), " alone; write CALLER CALLEE [NAME=VALUE...]"));
    }
    if (absl::StrContains(words[1], '=')) return TakeCount(words);
    CallGraph::Edge edge;
    ASSIGN_OR_RETURN(edge.caller, ServiceCalled(words[0]));
    ASSIGN_OR_RETURN(edge.callee, ServiceCalled(words[1]));
    if (absl::c_any_of(graph_.edges, [&](const CallGraph::Edge& other) {
          return other.caller == edge.caller && other.callee == edge.callee;
        })) {
      return Error(
          absl::StrCat(words[0], " calls ", words[1], " twice; write one line, with calls=2"));
    }
    for (size_t i = 2; i < words.size(); ++i) RETURN_IF_ERROR(TakeSetting(words[i], &edge));
    graph_.edges.push_back(edge);
    return absl::OkStatus();
  }

  absl::Status TakeCount(const std::vector<std::string>& words) {
    ASSIGN_OR_RETURN(const size_t service, ServiceCalled(words[0]));
    const std::pair<std::string, std::string> setting =
        absl::StrSplit(words[1], absl::MaxSplits('=', 1));
    if (setting.first != "count" || words.size() > 2) {
      return Error("a service alone has count=INSTANCES, nothing else");
    }
    return TakeInteger(setting.first, setting.second, 1, kMaxCount,
                       &graph_.services[service].count);
  }

  absl::Status TakeSetting(const std::string& word, CallGraph::Edge* edge) {
    const std::pair<std::string, std::string> setting =
        absl::StrSplit(word, absl::MaxSplits('=', 1));
    const auto& [name, value] = setting;
    if (name == "calls") return TakeInteger(name, value, 1, kMaxCalls, &edge->calls);
    if (name == "probability") {
      if (absl::SimpleAtod(value, &edge->probability) && edge->probability > 0 &&
          edge->probability <= 1) {
        return absl::OkStatus();
      }
      return Error(absl::StrCat(Quoted(word), ": expected a number above 0, up to 1"));
    }
    const bool is_request = name == "request_size";
    if (is_request || name == "response_size") {
      int64_t size_bytes = 0;
      RETURN_IF_ERROR(TakeInteger(name, value, 0, INT32_MAX, &size_bytes));
      (is_request ? edge->request_size_bytes : edge->response_size_bytes) = size_bytes;
      return absl::OkStatus();
    }
    return Error(absl::StrCat(
        "unknown ", Quoted(name),
        NearestNameHint(name, {"calls", "probability", "request_size", "response_size"})));
  }

  absl::Status TakeInteger(const std::string& name, const std::string& text, int64_t least,
                           int64_t greatest, int64_t* value) const {
    if (absl::SimpleAtoi(text, value) && *value >= least && *value <= greatest) {
      return absl::OkStatus();
    }
    return Error(
        absl::StrCat(name, "=", Escaped(text), ": expected an integer, ", least, " to ", greatest));
  }

  absl::StatusOr<size_t> ServiceCalled(const std::string& name) {
    const auto found = absl::c_find_if(
        graph_.services, [&](const CallGraph::Service& service) { return service.name == name; });
    if (found != graph_.services.end()) return static_cast<size_t>(found - graph_.services.begin());
    if (absl::StrContains(name, '/') || absl::StrContains(name, '=')) {
      return Error(absl::StrCat(Quoted(name), " is no name of a service"));
    }
    graph_.services.push_back({.name = name});
    return graph_.services.size() - 1;
  }

  absl::Status FindClient() {
    std::vector<bool> is_called(graph_.services.size());
    for (const CallGraph::Edge& edge : graph_.edges) is_called[edge.callee] = true;
    std::vector<std::string> uncalled;
    for (size_t i = 0; i < graph_.services.size(); ++i) {
      if (is_called[i]) continue;
      graph_.client = i;
      uncalled.push_back(graph_.services[i].name);
    }
    if (uncalled.size() == 1 && !graph_.edges.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "graph: services that nobody calls: ", uncalled.empty() ? "none" : "",
        absl::StrJoin(uncalled, ", "), "; exactly one, the client, begins the calls of others"));
  }

  // That no service reaches itself: one after the other leaves whose callers all have left.
  absl::Status CheckOrder() {
    std::vector<bool> has_left(graph_.services.size());
    bool goes_on = true;
    while (goes_on) {
      goes_on = false;
      for (size_t i = 0; i < graph_.services.size(); ++i) {
        if (has_left[i]) continue;
        if (absl::c_any_of(graph_.edges, [&](const CallGraph::Edge& edge) {
              return edge.callee == i && !has_left[edge.caller];
            })) {
          continue;
        }
        has_left[i] = goes_on = true;
      }
    }
    const auto stuck = std::find(has_left.begin(), has_left.end(), false);
    if (stuck == has_left.end()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("graph: ", graph_.services[static_cast<size_t>(stuck - has_left.begin())].name,
                     " is reached by a cycle of calls; remove one of them"));
  }

  int line_ = 0;
  CallGraph graph_;
};

void GrowTree(size_t parent, int64_t levels, int64_t width, CallGraph* tree) {
  if (levels == 0) return;
  for (int64_t i = 0; i < width; ++i) {
    const std::string name = absl::StrCat(tree->services[parent].name, "_", i);
    tree->services.push_back({.name = name});
    const size_t child = tree->services.size() - 1;
    tree->edges.push_back({.caller = parent, .callee = child});
    GrowTree(child, levels - 1, width, tree);
  }
}

}  // namespace

absl::StatusOr<CallGraph> ParseCallGraph(absl::string_view text) {
  return GraphReader().Read(text);
}

CallGraph CallTree(int64_t depth, int64_t width) {
  CallGraph tree;
  tree.services = {{.name = "client"}, {.name = "front"}};
  tree.edges = {{.caller = 0, .callee = 1}};
  GrowTree(1, depth - 1, width, &tree);
  return tree;
}

}  // namespace distbench
