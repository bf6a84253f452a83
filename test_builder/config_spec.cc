#include "test_builder/config_spec.h"

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "test_builder/driver_choice.h"

namespace distbench {
namespace {

// Whether a part of the text is NAME=VALUE, and not the rest of a value with colons.
bool BeginsValue(absl::string_view part) {
  const size_t equals = part.find('=');
  return equals != absl::string_view::npos && IsParameterName(part.substr(0, equals));
}

// Whether a part is a driver or an IP version, which no value goes on with.
bool ChoosesDriver(absl::string_view part) {
  return part == "ipv4" || part == "ipv6" || absl::c_linear_search(DriverNames(), part);
}

absl::Status Misplaced(absl::string_view part, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(
      Quoted(part), " in ", Quoted(text),
      " is out of place; write PATTERN[:DRIVER][:ipv4|:ipv6][:NAME=VALUE...], the driver "
      "before all values"));
}

}  // namespace

absl::StatusOr<ConfigSpec> ParseConfigSpec(
    absl::string_view text,
    absl::FunctionRef<absl::StatusOr<std::string>(const std::string& path)> read_file) {
  const std::vector<std::string> parts = absl::StrSplit(text, ':');
  ConfigSpec spec;
  spec.text = std::string(text);
  spec.pattern = parts.front();
  bool has_driver = false;
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    if (BeginsValue(part)) {
      const size_t equals = part.find('=');
      spec.values.push_back({part.substr(0, equals), part.substr(equals + 1)});
    } else if (!spec.values.empty()) {
      if (ChoosesDriver(part)) return Misplaced(part, text);
      absl::StrAppend(&spec.values.back().value, ":", part);
    } else if (part == "ipv4" || part == "ipv6") {
      if (spec.ip_version != 0) return Misplaced(part, text);
      spec.ip_version = part == "ipv4" ? 4 : 6;
    } else {
      if (has_driver || spec.ip_version != 0 || part.empty()) return Misplaced(part, text);
      has_driver = true;
      spec.driver = part;
    }
  }
  for (NamedValue& named : spec.values) {
    if (!absl::StartsWith(named.value, "<")) continue;
    ASSIGN_OR_RETURN(named.value, read_file(named.value.substr(1)));
  }
  return spec;
}

}  // namespace distbench
