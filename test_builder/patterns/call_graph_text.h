// CallGraph: which service calls which, and how it is written down. One line an edge:
//
//   # caller   callee   how
//   client     front
//   front      cart     calls=2
//   front      ads      probability=0.3 request_size=100 response_size=4000
//   cart       store
//   store      count=3
//
// A line with one name and `count=` says how many instances a service has. What calls is called
// before it: the graph has no cycle, and exactly one service that nobody calls, the client, which
// has one instance. Pure.
#ifndef TEST_BUILDER_PATTERNS_CALL_GRAPH_TEXT_H_
#define TEST_BUILDER_PATTERNS_CALL_GRAPH_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace distbench {

struct CallGraph {
  struct Service {
    std::string name;
    int64_t count = 1;
  };
  struct Edge {
    size_t caller = 0;  // positions in `services`
    size_t callee = 0;
    double probability = 1;  // that a request of the caller makes the calls
    int64_t calls = 1;       // how many it makes then, one after the other
    std::optional<int64_t> request_size_bytes;
    std::optional<int64_t> response_size_bytes;
  };

  std::vector<Service> services;  // in the order in which they are mentioned
  std::vector<Edge> edges;
  size_t client = 0;  // whom nobody calls
};

// What the calls of an edge are called, `front_to_cart`, and the client's queries. No two edges are
// called alike, and no service like an edge or like the queries.
std::string CallName(const CallGraph& graph, const CallGraph::Edge& edge);
inline constexpr char kQueryName[] = "query";

// The edges of each service, by their positions.
std::vector<std::vector<size_t>> EdgesByCaller(const CallGraph& graph);

// The error names the line.
absl::StatusOr<CallGraph> ParseCallGraph(absl::string_view text);

// A client, and services in `depth` levels: one in the first, and each one calls `width` of the
// next.
CallGraph CallTree(int64_t depth, int64_t width);

}  // namespace distbench

#endif  // TEST_BUILDER_PATTERNS_CALL_GRAPH_TEXT_H_
