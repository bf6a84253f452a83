#include "test_builder/attributes.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace distbench {
namespace {

// To connect, to end, and to bring the results back.
constexpr absl::Duration kTimeAroundTest = absl::Seconds(120);

}  // namespace

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
      absl::StrFormat("%.12g", absl::ToDoubleSeconds(labels.duration + kTimeAroundTest)));
  const int version = labels.driver.ip_version;
  set("ip_version", absl::StrCat(version));
  set("ip_version_string", version == 0 ? "" : absl::StrCat("ipv", version));
  set("swept_parameter", absl::StrJoin(labels.swept, ","));
}

}  // namespace distbench
