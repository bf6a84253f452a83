#include "distbench/driver/conformance/holder_subject.h"

#include <utility>

namespace distbench {
namespace {

constexpr char kInnerName[] = "inner";

// A factory that somebody else owns.
class BorrowedFactory final : public DriverFactory {
 public:
  explicit BorrowedFactory(DriverFactory& factory) : factory_(factory) {}

  absl::Status Check(const ProtocolDriverOptions& options) const override {
    return factory_.Check(options);
  }
  absl::Status CheckChannel(const ProtocolDriverOptions& options,
                            const MultiServerChannel& channel) const override {
    return factory_.CheckChannel(options, channel);
  }
  int64_t ListenersPerEngine(const ProtocolDriverOptions& options) const override {
    return factory_.ListenersPerEngine(options);
  }
  int64_t PortsPerEngine(const ProtocolDriverOptions& options) const override {
    return factory_.PortsPerEngine(options);
  }
  int64_t DescriptorsPerPeer(const ProtocolDriverOptions& options) const override {
    return factory_.DescriptorsPerPeer(options);
  }
  absl::StatusOr<std::unique_ptr<ProtocolDriver>> Create(
      const ProtocolDriverOptions& options, const DriverEnvironment& environment) override {
    return factory_.Create(options, environment);
  }

 private:
  DriverFactory& factory_;
};

}  // namespace

HolderSubject::HolderSubject(HolderSubjectOptions options,
                             std::unique_ptr<ConformanceSubject> inner)
    : options_(std::move(options)), inner_(std::move(inner)) {
  registry_.Register(kInnerName, std::make_unique<BorrowedFactory>(inner_->factory()));
  factory_ = options_.make_factory(&registry_, inner_->shard_count());
}

ProtocolDriverOptions HolderSubject::options() const {
  ProtocolDriverOptions options;
  NamedSetting* setting = options.add_server_settings();
  setting->set_name(factory_->InnerDriverSetting());
  setting->set_string_value(kInnerName);
  *options.mutable_inner_driver() = inner_->options();
  options.mutable_inner_driver()->set_protocol_name(kInnerName);
  return options;
}

ConformanceSubjectMaker HolderSubjectMaker(HolderSubjectOptions options,
                                           ConformanceSubjectMaker inner) {
  return {.name = inner.name, .make = [options = std::move(options), make = std::move(inner.make)] {
            return std::make_unique<HolderSubject>(options, make());
          }};
}

}  // namespace distbench
