#include "test_builder/version_order.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"

namespace distbench {
namespace {

bool IsDigit(absl::string_view text, size_t at) {
  return at < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[at]));
}

// Takes the number that `text` begins with, without its leading zeros.
absl::string_view TakeNumber(absl::string_view* text) {
  size_t end = 0;
  while (IsDigit(*text, end)) ++end;
  absl::string_view number = text->substr(0, end);
  text->remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool ComesBefore(absl::string_view left, absl::string_view right) {
  absl::string_view rest_left = left;
  absl::string_view rest_right = right;
  while (!rest_left.empty() && !rest_right.empty()) {
    if (IsDigit(rest_left, 0) && IsDigit(rest_right, 0)) {
      const absl::string_view a = TakeNumber(&rest_left);
      const absl::string_view b = TakeNumber(&rest_right);
      if (a.size() != b.size()) return a.size() < b.size();
      if (a != b) return a < b;
    } else {
      const auto a = static_cast<unsigned char>(rest_left.front());
      const auto b = static_cast<unsigned char>(rest_right.front());
      if (a != b) return a < b;
      rest_left.remove_prefix(1);
      rest_right.remove_prefix(1);
    }
  }
  if (rest_left.empty() != rest_right.empty()) return rest_left.empty();
  return left < right;
}

}  // namespace distbench
