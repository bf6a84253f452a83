#include "test_builder/patterns/call_graph_text.h"

#include <map>
#include <set>
#include <utility>

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
// Of what is less likely nothing would be seen; and it must not become 0 as a float.
constexpr double kMinProbability = 1e-9;

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
  absl::Status Error(absl::string_view message) const { return ErrorIn(line_, message); }

  static absl::Status ErrorIn(int line, absl::string_view message) {
    return absl::InvalidArgumentError(absl::StrCat("graph, line ", line, ": ", message));
  }

  absl::Status TakeLine(const std::vector<std::string>& words) {
    if (words.size() < 2) {
      return Error(absl::StrCat(Quoted(words[0]), " alone; write CALLER CALLEE [NAME=VALUE...]"));
    }
    if (absl::StrContains(words[1], '=')) return TakeCount(words);
    CallGraph::Edge edge;
    ASSIGN_OR_RETURN(edge.caller, ServiceCalled(words[0]));
    ASSIGN_OR_RETURN(edge.callee, ServiceCalled(words[1]));
    RETURN_IF_ERROR(TakeName(edge));
    std::set<std::string> settings;
    for (size_t i = 2; i < words.size(); ++i) {
      const std::string name = words[i].substr(0, words[i].find('='));
      if (!settings.insert(name).second) {
        return Error(absl::StrCat(name, " is given twice; leave one out"));
      }
      RETURN_IF_ERROR(TakeSetting(words[i], &edge));
    }
    graph_.edges.push_back(edge);
    return absl::OkStatus();
  }

  // Notes what the calls of the edge are called, so that nothing else is.
  absl::Status TakeName(const CallGraph::Edge& edge) {
    const std::string& caller = graph_.services[edge.caller].name;
    const std::string& callee = graph_.services[edge.callee].name;
    const std::string name = CallName(graph_, edge);
    if (services_.contains(name)) return NameIsTaken(name, absl::StrCat(caller, " to ", callee));
    const auto [other, is_new] = names_.try_emplace(name, graph_.edges.size());
    if (is_new) return absl::OkStatus();
    const CallGraph::Edge& twin = graph_.edges[other->second];
    if (twin.caller == edge.caller && twin.callee == edge.callee) {
      return Error(absl::StrCat(caller, " calls ", callee, " twice; write one line, with calls=2"));
    }
    return Error(absl::StrCat("calls of ", caller, " to ", callee, " would be called ",
                              Quoted(name), " like those of ", graph_.services[twin.caller].name,
                              " to ", graph_.services[twin.callee].name, "; rename a service"));
  }

  absl::Status NameIsTaken(const std::string& service, absl::string_view owner) const {
    return Error(absl::StrCat("a service cannot be called ", Quoted(service),
                              ", which is what calls of ", owner, " are called; rename it"));
  }

  absl::Status TakeCount(const std::vector<std::string>& words) {
    ASSIGN_OR_RETURN(const size_t service, ServiceCalled(words[0]));
    const std::pair<std::string, std::string> setting =
        absl::StrSplit(words[1], absl::MaxSplits('=', 1));
    if (setting.first != "count" || words.size() > 2) {
      return Error("a service alone has count=INSTANCES, nothing else");
    }
    if (!count_lines_.try_emplace(service, line_).second) {
      return Error(absl::StrCat("count of ", words[0], " is given twice; leave one out"));
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
      if (absl::SimpleAtod(value, &edge->probability) && edge->probability >= kMinProbability &&
          edge->probability <= 1) {
        return absl::OkStatus();
      }
      return Error(absl::StrCat(Quoted(word), ": expected a number, ", kMinProbability, " to 1"));
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
    const auto found = services_.find(name);
    if (found != services_.end()) return found->second;
    if (absl::StrContains(name, '/') || absl::StrContains(name, '=')) {
      return Error(absl::StrCat(Quoted(name), " is no name of a service"));
    }
    if (name == kQueryName) return NameIsTaken(name, "nobody to the client");
    if (const auto call = names_.find(name); call != names_.end()) {
      const CallGraph::Edge& edge = graph_.edges[call->second];
      return NameIsTaken(name, absl::StrCat(graph_.services[edge.caller].name, " to ",
                                            graph_.services[edge.callee].name));
    }
    graph_.services.push_back({.name = name});
    return services_[name] = graph_.services.size() - 1;
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
    if (uncalled.size() == 1 && !graph_.edges.empty()) return CheckClient();
    return absl::InvalidArgumentError(absl::StrCat(
        "graph: services that nobody calls: ", uncalled.empty() ? "none" : "",
        absl::StrJoin(uncalled, ", "), "; exactly one, the client, begins the calls of others"));
  }

  absl::Status CheckClient() const {
    const CallGraph::Service& client = graph_.services[graph_.client];
    if (client.count == 1) return absl::OkStatus();
    return ErrorIn(count_lines_.at(graph_.client),
                   absl::StrCat("count=", client.count, " of ", client.name,
                                ", the client, which is one, so that qps are all queries; raise "
                                "qps instead"));
  }

  // That no service reaches itself: one after the other leaves whose callers all have left.
  absl::Status CheckOrder() {
    const std::vector<std::vector<size_t>> edges = EdgesByCaller(graph_);
    std::vector<size_t> callers(graph_.services.size());  // that have not left
    for (const CallGraph::Edge& edge : graph_.edges) ++callers[edge.callee];
    std::vector<size_t> leaving = {graph_.client};
    while (!leaving.empty()) {
      const size_t service = leaving.back();
      leaving.pop_back();
      for (const size_t edge : edges[service]) {
        const size_t callee = graph_.edges[edge].callee;
        if (--callers[callee] == 0) leaving.push_back(callee);
      }
    }
    const auto stuck = absl::c_find_if(callers, [](size_t count) { return count > 0; });
    if (stuck == callers.end()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("graph: ", graph_.services[static_cast<size_t>(stuck - callers.begin())].name,
                     " is reached by a cycle of calls; remove one of them"));
  }

  int line_ = 0;
  CallGraph graph_;
  std::map<std::string, size_t> services_;  // positions, by name
  std::map<std::string, size_t> names_;     // of calls; positions of their edges
  std::map<size_t, int> count_lines_;       // where the counts of services are
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

std::string CallName(const CallGraph& graph, const CallGraph::Edge& edge) {
  return absl::StrCat(graph.services[edge.caller].name, "_to_", graph.services[edge.callee].name);
}

std::vector<std::vector<size_t>> EdgesByCaller(const CallGraph& graph) {
  std::vector<std::vector<size_t>> edges(graph.services.size());
  for (size_t i = 0; i < graph.edges.size(); ++i) edges[graph.edges[i].caller].push_back(i);
  return edges;
}

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
