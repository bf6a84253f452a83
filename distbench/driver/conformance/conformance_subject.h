// ConformanceSubject: what the suite must know of a driver in order to try it.
#ifndef DISTBENCH_DRIVER_CONFORMANCE_CONFORMANCE_SUBJECT_H_
#define DISTBENCH_DRIVER_CONFORMANCE_CONFORMANCE_SUBJECT_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "distbench/driver/protocol_driver.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

// Made anew for each test. Time is real: the environment's timers fire by themselves.
class ConformanceSubject {
 public:
  virtual ~ConformanceSubject() = default;

  virtual DriverFactory& factory() = 0;
  virtual ProtocolDriverOptions options() const { return {}; }
  virtual DriverEnvironment environment() const = 0;

  // Event loops that calls may be spread over.
  virtual size_t shard_count() const = 0;

  // Well-formed, but nobody listens there; and the part of it that an error must name.
  virtual std::string dead_responder_info() const = 0;
  virtual std::string dead_address() const = 0;
};

struct ConformanceSubjectMaker {
  std::string name;
  std::function<std::unique_ptr<ConformanceSubject>()> make;
};

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_CONFORMANCE_CONFORMANCE_SUBJECT_H_
