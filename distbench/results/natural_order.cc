#include "distbench/results/natural_order.h"

#include <cstddef>

#include "absl/strings/ascii.h"

namespace distbench {
namespace {

// Takes the run of digits that `text` begins with, without its leading zeros.
absl::string_view TakeNumber(absl::string_view& text) {
  size_t length = 0;
  while (length < text.size() && absl::ascii_isdigit(text[length])) ++length;
  absl::string_view number = text.substr(0, length);
  text.remove_prefix(length);
  while (!number.empty() && number.front() == '0') number.remove_prefix(1);
  return number;
}

bool StartsWithDigit(absl::string_view text) {
  return !text.empty() && absl::ascii_isdigit(text.front());
}

// Negative, zero or positive, like strcmp.
int Compare(absl::string_view a, absl::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (StartsWithDigit(a) && StartsWithDigit(b)) {
      const absl::string_view a_number = TakeNumber(a);
      const absl::string_view b_number = TakeNumber(b);
      if (a_number.size() != b_number.size()) return a_number.size() < b_number.size() ? -1 : 1;
      if (const int order = a_number.compare(b_number); order != 0) return order;
    } else {
      if (a.front() != b.front()) return a.front() < b.front() ? -1 : 1;
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.compare(b);
}

}  // namespace

bool NaturalLess(absl::string_view a, absl::string_view b) {
  const int order = Compare(a, b);
  return order != 0 ? order < 0 : a < b;
}

}  // namespace distbench
