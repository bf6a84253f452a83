#include "distbench/sequencer/node_errors.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

constexpr size_t kToldInFull = 3;
constexpr size_t kNamed = 20;

// A cancellation mostly follows from another node's failure and explains nothing.
bool Explains(const absl::Status& error) { return error.code() != absl::StatusCode::kCancelled; }

}  // namespace

void NodeErrors::Add(std::string node, absl::Status error) {
  errors_.push_back({.node = std::move(node), .error = std::move(error)});
}

absl::Status NodeErrors::ToStatus(absl::string_view what) const {
  if (errors_.empty()) return absl::OkStatus();
  std::vector<NodeError> errors = errors_;
  std::stable_partition(errors.begin(), errors.end(),
                        [](const NodeError& e) { return Explains(e.error); });
  std::string text = std::string(what);
  size_t next = 0;
  for (; next < std::min(errors.size(), kToldInFull); ++next) {
    absl::StrAppend(&text, next == 0 ? " on " : "; on ", errors[next].node, ": ",
                    errors[next].error.message());
  }
  if (next < errors.size()) {
    absl::StrAppend(&text, "; and on ", errors.size() - next, " more nodes: ");
    const size_t end = std::min(errors.size(), next + kNamed);
    for (size_t i = next; i < end; ++i) {
      absl::StrAppend(&text, i == next ? "" : ", ", errors[i].node);
    }
    if (end < errors.size()) absl::StrAppend(&text, ", ...");
  }
  return absl::Status(errors.front().error.code(), text);
}

}  // namespace distbench
