// NodeErrors: what went wrong on several nodes, told in one message.
//
//   node3 (host:10000) was lost during the test: connection reset; ConfigureNode failed on
//   node0 (host:10000): no port is left; and on 5 more nodes: node4, ...
#ifndef DISTBENCH_SEQUENCER_NODE_ERRORS_H_
#define DISTBENCH_SEQUENCER_NODE_ERRORS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace distbench {

class NodeErrors {
 public:
  // `node` as RegisteredNode::ToString gives it; `error` is not OK.
  void Add(std::string node, absl::Status error);

  // The node does not answer any more. `silence`: what the call that showed it ended with.
  void AddLost(std::string node, const absl::Status& silence);

  bool empty() const { return errors_.empty(); }

  // OK if there are none. The first errors are told in full: lost nodes first, from which other
  // errors mostly follow, and mere cancellations last. The code is that of the first one told,
  // UNAVAILABLE for a lost node. `what` is "ConfigureNode failed".
  absl::Status ToStatus(absl::string_view what) const;

 private:
  enum class Kind { kLost, kFailed, kCancelled };  // in the order of telling

  struct NodeError {
    Kind kind = Kind::kFailed;
    std::string node;
    absl::Status error;
  };

  // "; and on 5 more nodes: node4, ...", or nothing.
  static void AppendNames(const std::vector<NodeError>& errors, size_t first, std::string* text);

  std::vector<NodeError> errors_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_NODE_ERRORS_H_
