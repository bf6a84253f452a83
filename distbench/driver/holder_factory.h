// HolderFactory: the base of factories whose drivers hold other drivers: finds the driver inside
// and passes on to its factory what is asked of both.
//
//   options of the driver around
//     server_settings { name: "next_protocol_driver" string_value: "grpc" }    as people write it
//     inner_driver { protocol_name: "grpc" }                                   as it was resolved
//
// Constant after construction, and then thread-safe.
#ifndef DISTBENCH_DRIVER_HOLDER_FACTORY_H_
#define DISTBENCH_DRIVER_HOLDER_FACTORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class DriverRegistry;

struct HolderFactoryOptions {
  const DriverRegistry* registry = nullptr;  // of the drivers inside; outlives the factory
  size_t shards = 1;                         // of the process
};

class HolderFactory : public DriverFactory {
 public:
  std::string InnerDriverSetting() const override { return setting_; }
  absl::Status Check(const ProtocolDriverOptions& options) const override;
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const override;
  // Those of one driver inside.
  int64_t ListenersPerEngine(const ProtocolDriverOptions& options) const override;
  int64_t PortsPerEngine(const ProtocolDriverOptions& options) const override;
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const override;

 protected:
  // `holder` is the name of the driver around, `setting` the only one that it has.
  HolderFactory(const HolderFactoryOptions& options, std::string holder, std::string setting)
      : options_(options), holder_(std::move(holder)), setting_(std::move(setting)) {}

  // A driver inside. `options` are those of the driver around. Requires: Check accepts them.
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> CreateInner(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) const;

  size_t shards() const { return options_.shards; }

 private:
  absl::StatusOr<DriverFactory*> InnerFactory(const ProtocolDriverOptions& options) const;

  const HolderFactoryOptions options_;
  const std::string holder_;
  const std::string setting_;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_HOLDER_FACTORY_H_
