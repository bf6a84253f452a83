// Which known name did somebody mean? One that is a slip of the fingers away, or that has what was
// written in it. Slips are counted as by F. J. Damerau, A technique for computer detection and
// correction of spelling errors, Communications of the ACM 7(3), 1964: a character too many, too
// few or another one, or two neighbours exchanged. Bounded so that a config full of wrong names
// costs little.
#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

constexpr size_t kLongestComparedName = 100;
constexpr size_t kMostNamesTakenApart = 1000;
constexpr size_t kShortestPart = 3;
constexpr size_t kMostNamesOffered = 5;
constexpr size_t kMostNamesListed = 20;

using Names = std::vector<std::string>;

// Edits that still count as a slip of the fingers in a name of this length.
size_t ToleratedEdits(size_t name_length) {
  return std::clamp<size_t>((name_length + 2) / 3, 1, 3);
}

// How many edits make `b` of `a`, or nothing if they are more than `limit`.
std::optional<size_t> EditDistance(absl::string_view a, absl::string_view b, size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return std::nullopt;
  // Distances of a's first i bytes, and one and two less, to each prefix of b.
  std::vector<size_t> row(b.size() + 1);
  std::vector<size_t> above(b.size() + 1);
  std::vector<size_t> second_above(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  size_t least_above = 0;
  for (size_t i = 1; i <= a.size(); ++i) {
    second_above.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({substituted, above[j] + 1, row[j - 1] + 1});
      const bool is_exchange = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchange) row[j] = std::min(row[j], second_above[j - 2] + 1);
    }
    const size_t least = *absl::c_min_element(row);
    if (std::min(least, least_above) > limit) return std::nullopt;
    least_above = least;
  }
  if (row.back() > limit) return std::nullopt;
  return row.back();
}

// Where the nearest name is, if one is near; both are in lower case.
std::optional<size_t> NearestOf(absl::string_view name, const Names& known) {
  std::optional<size_t> nearest;
  size_t limit = ToleratedEdits(name.size());
  for (size_t i = 0; i < known.size(); ++i) {
    const std::optional<size_t> distance = EditDistance(name, known[i], limit);
    if (!distance.has_value()) continue;
    nearest = i;
    if (*distance == 0) break;
    limit = *distance - 1;  // only a nearer one replaces it
  }
  return nearest;
}

// The words of a name: all_to_all, all2all.
Names PartsOf(absl::string_view name) {
  return absl::StrSplit(name, absl::ByAnyChar("_-./ 0123456789"), absl::SkipEmpty());
}

bool HasPart(const Names& parts, const std::string& part) {
  const size_t limit = part.size() > kShortestPart ? 1 : 0;
  return absl::c_any_of(parts, [&](const std::string& other) {
    return EditDistance(part, other, limit).has_value();
  });
}

// Those that have all words of the name among theirs.
std::vector<size_t> WithPartsOf(absl::string_view name, const Names& known) {
  const Names parts = PartsOf(name);
  std::vector<size_t> found;
  if (parts.empty() || known.size() > kMostNamesTakenApart) return found;
  for (const std::string& part : parts) {
    if (part.size() < kShortestPart) return found;
  }
  for (size_t i = 0; i < known.size(); ++i) {
    const Names others = PartsOf(known[i]);
    if (absl::c_all_of(parts, [&](const std::string& part) { return HasPart(others, part); })) {
      found.push_back(i);
    }
  }
  return found;
}

// Those in which the name is, first at the beginning, and the shortest first.
std::vector<size_t> Containing(absl::string_view name, const Names& known) {
  std::vector<size_t> found;
  if (name.size() < kShortestPart) return found;
  for (size_t i = 0; i < known.size(); ++i) {
    if (absl::StrContains(known[i], name)) found.push_back(i);
  }
  absl::c_stable_sort(found, [&](size_t left, size_t right) {
    const auto rank = [&](size_t i) {
      return std::pair(!absl::StartsWith(known[i], name), known[i].size());
    };
    return rank(left) < rank(right);
  });
  return found;
}

// Those that may be meant, the likeliest first.
std::vector<size_t> Meant(const std::string& name, const Names& known) {
  std::vector<size_t> meant;
  if (const std::optional<size_t> nearest = NearestOf(name, known)) {
    meant.push_back(*nearest);
    if (known[*nearest] == name) return meant;
  }
  const auto is_further_on = [&](size_t i) { return known[i].find(name, 1) != std::string::npos; };
  const bool takes_all = meant.empty() || is_further_on(meant.front());
  for (const size_t i : Containing(name, known)) {
    if (absl::c_linear_search(meant, i)) continue;
    if (takes_all || absl::StartsWith(known[i], name)) meant.push_back(i);
  }
  if (meant.empty()) meant = WithPartsOf(name, known);
  meant.resize(std::min(meant.size(), kMostNamesOffered));
  return meant;
}

// 'a', 'b' or 'c'
std::string Alternatives(const std::vector<size_t>& positions, const Names& known) {
  std::string text;
  for (size_t i = 0; i < positions.size(); ++i) {
    const char* const separator = i == 0 ? "" : i + 1 == positions.size() ? " or " : ", ";
    absl::StrAppend(&text, separator, Quoted(known[positions[i]]));
  }
  return text;
}

}  // namespace

std::string NearestNameHint(absl::string_view name, const std::vector<std::string>& known) {
  if (known.empty()) return "";
  if (name.size() <= kLongestComparedName) {
    Names lower_case;
    lower_case.reserve(known.size());
    for (const std::string& candidate : known) {
      lower_case.push_back(absl::AsciiStrToLower(candidate));
    }
    const std::vector<size_t> meant = Meant(absl::AsciiStrToLower(name), lower_case);
    if (!meant.empty()) return absl::StrCat(" (did you mean ", Alternatives(meant, known), "?)");
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
