// What the attributes of a test say: its parameters, and what it and its parts are called. Pure.
#ifndef TEST_BUILDER_ATTRIBUTES_H_
#define TEST_BUILDER_ATTRIBUTES_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "protos/traffic_config.pb.h"
#include "test_builder/driver_choice.h"
#include "test_builder/parameter_values.h"

namespace distbench {

struct TestLabels {
  std::string pattern;
  std::string alias;
  DriverChoice driver;
  std::string protocol_alias;
  std::string test_name;
  std::string config_label;
  std::string duration_text;  // seconds
  absl::Duration duration;
  std::vector<std::string> swept;  // names of parameters
};

// The names of all attributes that are no parameters.
std::vector<std::string> LabelNames();

// Sets them; what is empty is left out. The test's traffic is there already.
void SetAttributes(const TestLabels& labels, const ParameterValues& values,
                   DistributedSystemDescription* test);

}  // namespace distbench

#endif  // TEST_BUILDER_ATTRIBUTES_H_
