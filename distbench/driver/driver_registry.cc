#include "distbench/driver/driver_registry.h"

#include <utility>

#include "glog/logging.h"

namespace distbench {

void DriverRegistry::Register(std::string protocol_name, std::unique_ptr<DriverFactory> factory) {
  const bool is_new = factories_.emplace(std::move(protocol_name), std::move(factory)).second;
  CHECK(is_new) << "protocol registered twice";
}

DriverFactory* DriverRegistry::Find(absl::string_view protocol_name) const {
  auto it = factories_.find(std::string(protocol_name));
  return it == factories_.end() ? nullptr : it->second.get();
}

std::vector<std::string> DriverRegistry::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, factory] : factories_) names.push_back(name);
  return names;
}

}  // namespace distbench
