#include "distbench/config/glob.h"

#include <cstddef>
#include <optional>

#include "absl/strings/match.h"

namespace distbench {
namespace {

// Of texts without '/'. When the text goes on otherwise than the glob, the last star takes in one
// character more; earlier ones need never change, as the last can take whatever they could.
bool MatchesSegment(absl::string_view glob, absl::string_view text) {
  size_t g = 0;
  size_t t = 0;
  std::optional<size_t> after_star;  // in the glob
  size_t star_end = 0;               // in the text: what the star stands for ends here
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      after_star = ++g;
      star_end = t;
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g;
      ++t;
    } else if (after_star.has_value()) {
      g = *after_star;
      t = ++star_end;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

// Cuts off and returns what stands before the first '/', and the '/' itself.
absl::string_view TakeSegment(absl::string_view& rest) {
  const size_t end = rest.find('/');
  const absl::string_view segment = rest.substr(0, end);
  rest.remove_prefix(end == absl::string_view::npos ? rest.size() : end + 1);
  return segment;
}

bool HasMore(absl::string_view rest) { return absl::StrContains(rest, '/'); }

}  // namespace

bool IsGlob(absl::string_view name) { return absl::StrContains(name, '*'); }

bool MatchesGlob(absl::string_view glob, absl::string_view name) {
  while (HasMore(glob) && HasMore(name)) {
    if (!MatchesSegment(TakeSegment(glob), TakeSegment(name))) return false;
  }
  return !HasMore(glob) && !HasMore(name) && MatchesSegment(glob, name);
}

}  // namespace distbench
