// DriverRegistry: the protocols that this program speaks, by name. Made in cli/ (or by a test) and
// passed down; constant after that, and then thread-safe.
#ifndef DISTBENCH_DRIVER_DRIVER_REGISTRY_H_
#define DISTBENCH_DRIVER_DRIVER_REGISTRY_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class DriverRegistry {
 public:
  // Requires: no factory of that name yet.
  void Register(std::string protocol_name, std::unique_ptr<DriverFactory> factory);

  // Null if unknown.
  DriverFactory* Find(absl::string_view protocol_name) const;

  std::vector<std::string> Names() const;  // sorted

 private:
  std::map<std::string, std::unique_ptr<DriverFactory>, std::less<>> factories_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_DRIVER_REGISTRY_H_
