#include "distbench/sequencer/node_errors.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

constexpr size_t kToldInFull = 3;
constexpr size_t kNamed = 20;

}  // namespace

void NodeErrors::Add(std::string node, absl::Status error) {
  const Kind kind = absl::IsCancelled(error) ? Kind::kCancelled : Kind::kFailed;
  errors_.push_back({.kind = kind, .node = std::move(node), .error = std::move(error)});
}

void NodeErrors::AddLost(std::string node, const absl::Status& silence) {
  errors_.push_back({.kind = Kind::kLost,
                     .node = std::move(node),
                     .error = absl::UnavailableError(silence.message())});
}

absl::Status NodeErrors::ToStatus(absl::string_view what) const {
  if (errors_.empty()) return absl::OkStatus();
  std::vector<NodeError> errors = errors_;
  std::stable_sort(errors.begin(), errors.end(),
                   [](const NodeError& a, const NodeError& b) { return a.kind < b.kind; });
  std::string text;
  bool has_said_what = false;
  size_t next = 0;
  for (; next < std::min(errors.size(), kToldInFull); ++next) {
    const NodeError& error = errors[next];
    if (next > 0) absl::StrAppend(&text, "; ");
    if (error.kind == Kind::kLost) {
      absl::StrAppend(&text, error.node, " was lost during the test");
    } else {
      absl::StrAppend(&text, std::exchange(has_said_what, true) ? "" : absl::StrCat(what, " "),
                      "on ", error.node);
    }
    absl::StrAppend(&text, ": ", error.error.message());
  }
  AppendNames(errors, next, &text);
  return absl::Status(errors.front().error.code(), text);
}

void NodeErrors::AppendNames(const std::vector<NodeError>& errors, size_t first,
                             std::string* text) {
  if (first == errors.size()) return;
  absl::StrAppend(text, "; and ", errors[first].kind == Kind::kLost ? "" : "on ",
                  errors.size() - first, " more nodes: ");
  const size_t end = std::min(errors.size(), first + kNamed);
  for (size_t i = first; i < end; ++i) {
    absl::StrAppend(text, i == first ? "" : ", ", errors[i].node);
  }
  if (end < errors.size()) absl::StrAppend(text, ", ...");
}

}  // namespace distbench
