#include "distbench/net/port_range.h"

#include <cstdint>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace distbench {
namespace {

bool ParsePort(absl::string_view text, uint16_t* port) {
  int value = 0;
  if (text.empty() || text.find_first_not_of("0123456789") != absl::string_view::npos) return false;
  if (!absl::SimpleAtoi(text, &value) || value < 1 || value > 65535) return false;
  *port = static_cast<uint16_t>(value);
  return true;
}

}  // namespace

absl::StatusOr<PortRange> ParsePortRange(absl::string_view text) {
  if (text.empty()) return PortRange{};
  const std::pair<absl::string_view, absl::string_view> ends =
      absl::StrSplit(text, absl::MaxSplits('-', 1));
  const bool single = text.find('-') == absl::string_view::npos;
  PortRange ports;
  const bool valid = ParsePort(ends.first, &ports.first) &&
                     ParsePort(single ? ends.first : ends.second, &ports.last) &&
                     ports.first <= ports.last;
  if (valid) return ports;
  return absl::InvalidArgumentError(
      absl::StrCat("port range '", absl::CHexEscape(text),
                   "' is not FIRST-LAST with ports from 1 to 65535, FIRST not above LAST"));
}

std::string FormatPortRange(const PortRange& ports) {
  if (ports.first == 0) return "any";
  if (ports.first == ports.last) return absl::StrCat(ports.first);
  return absl::StrCat(ports.first, "-", ports.last);
}

int PortCount(const PortRange& ports) {
  return ports.first == 0 ? 0 : ports.last - ports.first + 1;
}

}  // namespace distbench
