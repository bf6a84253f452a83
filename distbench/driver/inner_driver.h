// InnerDriver: what drivers that hold other drivers share: the options of the driver inside, and
// the factory that makes it.
//
//   options of the driver around
//     server_settings { name: "next_protocol_driver" string_value: "grpc" }    as people write it
//     inner_driver { protocol_name: "grpc" }                                   as it was resolved
//
// Constant after construction, and then thread-safe.
#ifndef DISTBENCH_DRIVER_INNER_DRIVER_H_
#define DISTBENCH_DRIVER_INNER_DRIVER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class DriverRegistry;

class InnerDriver {
 public:
  // `registry` outlives this; `holder` is the name of the driver around, `setting` the only one
  // that it has.
  InnerDriver(const DriverRegistry* registry, std::string holder, std::string setting)
      : registry_(*registry), holder_(std::move(holder)), setting_(std::move(setting)) {}

  const std::string& setting() const { return setting_; }

  // These take the options of the driver around, and do as DriverFactory says.
  absl::Status Check(const ProtocolDriverOptions& options) const;
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const;
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const;
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) const;

 private:
  absl::StatusOr<DriverFactory*> FactoryOf(const ProtocolDriverOptions& options) const;

  const DriverRegistry& registry_;
  const std::string holder_;
  const std::string setting_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_INNER_DRIVER_H_
