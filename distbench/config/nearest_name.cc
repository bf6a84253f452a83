// Which known name did somebody mean? Edit distance, bounded so that a config full of wrong names
// costs little.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

constexpr size_t kLongestComparedName = 100;
constexpr size_t kMostNamesListed = 8;

// Edits that still count as a slip of the fingers in a name of this length.
size_t ToleratedEdits(size_t name_length) {
  return std::clamp<size_t>((name_length + 2) / 3, 1, 3);
}

// Levenshtein distance, or nothing if it is above `limit`.
std::optional<size_t> EditDistance(absl::string_view a, absl::string_view b, size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return std::nullopt;
  std::vector<size_t> row(b.size() + 1);  // distances of a's first i bytes to each prefix of b
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
    if (*std::min_element(row.begin(), row.end()) > limit) return std::nullopt;
  }
  if (row.back() > limit) return std::nullopt;
  return row.back();
}

const std::string* NearestName(absl::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kLongestComparedName) return nullptr;
  const std::string* nearest = nullptr;
  size_t limit = ToleratedEdits(name.size());
  for (const std::string& candidate : known) {
    const std::optional<size_t> distance = EditDistance(name, candidate, limit);
    if (!distance.has_value()) continue;
    nearest = &candidate;
    if (*distance == 0) break;
    limit = *distance - 1;  // only a nearer one replaces it
  }
  return nearest;
}

}  // namespace

std::string NearestNameHint(absl::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  if (const std::string* nearest = NearestName(name, known)) {
    return absl::StrCat(" (did you mean ", Quoted(*nearest), "?)");
  }
  std::string listed;
  for (size_t i = 0; i < std::min(known.size(), kMostNamesListed); ++i) {
    absl::StrAppend(&listed, i == 0 ? "" : ", ", Escaped(known[i]));
  }
  if (known.size() > kMostNamesListed) {
    absl::StrAppend(&listed, " and ", known.size() - kMostNamesListed, " more");
  }
  return absl::StrCat(" (known: ", listed, ")");
}

}  // namespace distbench
