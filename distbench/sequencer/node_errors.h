// NodeErrors: what went wrong on several nodes, told in one message.
//
//   ConfigureNode failed on node3 (host:10000): no port is left; and on 5 more nodes: node4, ...
#ifndef DISTBENCH_SEQUENCER_NODE_ERRORS_H_
#define DISTBENCH_SEQUENCER_NODE_ERRORS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace distbench {

class NodeErrors {
 public:
  // `node` as RegisteredNode::ToString gives it; `error` is not OK.
  void Add(std::string node, absl::Status error);

  bool empty() const { return errors_.empty(); }

  // OK if there are none. The first errors are told in full, errors proper before mere
  // cancellations; the code is that of the first one told. `what` is "ConfigureNode failed".
  absl::Status ToStatus(absl::string_view what) const;

 private:
  struct NodeError {
    std::string node;
    absl::Status error;
  };
  std::vector<NodeError> errors_;
};

}  // namespace distbench

#endif  // DISTBENCH_SEQUENCER_NODE_ERRORS_H_
