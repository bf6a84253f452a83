#include "distbench/truth/printed_value.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace distbench {

std::optional<int64_t> PrintedValue(const std::vector<std::string>& summary,
                                    const std::string& section, const std::string& subject,
                                    const std::string& name) {
  auto line = std::find(summary.begin(), summary.end(), section);
  if (line == summary.end()) return std::nullopt;
  for (++line; line != summary.end() && absl::StartsWith(*line, "  "); ++line) {
    if (!absl::StartsWith(*line, absl::StrCat("  ", subject, ": "))) continue;
    const std::string label = absl::StrCat(" ", name, ": ");
    const size_t position = line->find(label);
    if (position == std::string::npos) return std::nullopt;
    return std::strtoll(line->c_str() + position + label.size(), nullptr, 10);
  }
  return std::nullopt;
}

}  // namespace distbench
