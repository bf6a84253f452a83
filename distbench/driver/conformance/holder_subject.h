// HolderSubject: drivers that hold the drivers of another subject, for the conformance suite.
#ifndef DISTBENCH_DRIVER_CONFORMANCE_HOLDER_SUBJECT_H_
#define DISTBENCH_DRIVER_CONFORMANCE_HOLDER_SUBJECT_H_

#include <functional>
#include <memory>
#include <string>

#include "distbench/driver/conformance/conformance_subject.h"
#include "distbench/driver/driver_registry.h"

namespace distbench {

struct HolderSubjectOptions {
  // Makes the factory of the drivers around; it finds the inner ones in the registry.
  std::function<std::unique_ptr<DriverFactory>(const DriverRegistry* registry, size_t shards)>
      make_factory;
  // What a driver around answers whose inner ones answer so.
  std::function<std::string(const std::string& inner_info)> responder_info_of;
};

class HolderSubject final : public ConformanceSubject {
 public:
  HolderSubject(HolderSubjectOptions options, std::unique_ptr<ConformanceSubject> inner);

  DriverFactory& factory() override { return *factory_; }
  ProtocolDriverOptions options() const override;
  DriverEnvironment environment() const override { return inner_->environment(); }
  size_t shard_count() const override { return inner_->shard_count(); }
  std::string dead_responder_info() const override {
    return options_.responder_info_of(inner_->dead_responder_info());
  }
  std::string dead_address() const override { return inner_->dead_address(); }

 private:
  const HolderSubjectOptions options_;
  const std::unique_ptr<ConformanceSubject> inner_;
  DriverRegistry registry_;
  std::unique_ptr<DriverFactory> factory_;
};

// Its name is that of the inner subject.
ConformanceSubjectMaker HolderSubjectMaker(HolderSubjectOptions options,
                                           ConformanceSubjectMaker inner);

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_CONFORMANCE_HOLDER_SUBJECT_H_
