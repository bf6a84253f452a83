#include "test_builder/attributes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "distbench/cli/expected_duration.h"

namespace distbench {
namespace {

// To warm up, to connect, to end, and to bring the results back. A long warmup leaves less than
// half of that for the rest; it is counted then.
constexpr absl::Duration kTimeAroundTest = absl::Seconds(120);
constexpr absl::Duration kTimeAroundTraffic = absl::Seconds(60);

absl::Duration Timeout(absl::Duration measured, const DistributedSystemDescription& test) {
  return std::max(measured + kTimeAroundTest, ExpectedDuration(test) + kTimeAroundTraffic);
}

}  // namespace

std::vector<std::string> LabelNames() {
  return {"test_name",      "traffic_pattern",   "traffic_alias",  "protocol_driver",
          "protocol_alias", "config_label",      "test_duration",  "test_timeout",
          "ip_version",     "ip_version_string", "swept_parameter"};
}

void SetAttributes(const TestLabels& labels, const ParameterValues& values,
                   DistributedSystemDescription* test) {
  auto& attributes = *test->mutable_attributes();
  const auto set = [&attributes](const std::string& name, const std::string& value) {
    if (!value.empty()) attributes[name] = value;
  };
  for (const NamedValue& named : values.all()) set(named.name, named.value);
  set("test_name", labels.test_name);
  set("traffic_pattern", labels.pattern);
  set("traffic_alias", labels.alias);
  set("protocol_driver", labels.driver.driver);
  set("protocol_alias", labels.protocol_alias);
  set("config_label", labels.config_label);
  set("test_duration", labels.duration_text);
  set("test_timeout",
      absl::StrFormat("%.12g", absl::ToDoubleSeconds(Timeout(labels.duration, *test))));
  const int version = labels.driver.ip_version;
  set("ip_version", absl::StrCat(version));
  set("ip_version_string", version == 0 ? "" : absl::StrCat("ipv", version));
  set("swept_parameter", absl::StrJoin(labels.swept, ","));
}

}  // namespace distbench
