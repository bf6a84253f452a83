#include "distbench/driver/holder_factory.h"

#include "absl/strings/str_cat.h"
#include "distbench/base/status_macros.h"
#include "distbench/config/diagnostics.h"
#include "distbench/driver/driver_registry.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

absl::StatusOr<DriverFactory*> HolderFactory::InnerFactory(
    const ProtocolDriverOptions& options) const {
  const std::string& name = options.inner_driver().protocol_name();
  if (!options.has_inner_driver()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the driver ", holder_, " holds another one; name it in the setting ", setting_));
  }
  DriverFactory* factory = options_.registry->Find(name);
  if (factory != nullptr) return factory;
  return absl::InvalidArgumentError(
      absl::StrCat(setting_, " is ", Quoted(name), ", which is no driver",
                   NearestNameHint(name, options_.registry->Names())));
}

absl::Status HolderFactory::Check(const ProtocolDriverOptions& options) const {
  for (const auto* settings : {&options.server_settings(), &options.client_settings()}) {
    for (const NamedSetting& setting : *settings) {
      if (setting.name() == setting_) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          Quoted(setting.name()), " is no setting of the driver ", holder_, ", whose only one is ",
          setting_, "; give settings of the driver inside to an entry of ",
          "protocol_driver_options, and name that"));
    }
  }
  ASSIGN_OR_RETURN(const DriverFactory* factory, InnerFactory(options));
  const absl::Status inner = factory->Check(options.inner_driver());
  if (inner.ok()) return inner;
  return absl::Status(inner.code(),
                      absl::StrCat("the driver inside ", holder_, ": ", inner.message()));
}

absl::Status HolderFactory::CheckChannel(const ProtocolDriverOptions& options,
                                         const MultiServerChannel& channel) const {
  ASSIGN_OR_RETURN(const DriverFactory* factory, InnerFactory(options));
  return factory->CheckChannel(options.inner_driver(), channel);
}

int64_t HolderFactory::ListenersPerEngine(const ProtocolDriverOptions& options) const {
  const absl::StatusOr<DriverFactory*> factory = InnerFactory(options);
  return factory.ok() ? (*factory)->ListenersPerEngine(options.inner_driver()) : 1;
}

int64_t HolderFactory::PortsPerEngine(const ProtocolDriverOptions& options) const {
  const absl::StatusOr<DriverFactory*> factory = InnerFactory(options);
  return factory.ok() ? (*factory)->PortsPerEngine(options.inner_driver()) : 1;
}

int64_t HolderFactory::DescriptorsPerPeer(const ProtocolDriverOptions& options) const {
  const absl::StatusOr<DriverFactory*> factory = InnerFactory(options);
  return factory.ok() ? (*factory)->DescriptorsPerPeer(options.inner_driver()) : 1;
}

absl::StatusOr<std::unique_ptr<ProtocolDriver>> HolderFactory::CreateInner(
    const ProtocolDriverOptions& options, const DriverEnvironment& environment) const {
  ASSIGN_OR_RETURN(DriverFactory * factory, InnerFactory(options));
  return factory->Create(options.inner_driver(), environment);
}

}  // namespace distbench
