// The config compiler: canonical config in, immutable plan out, or every problem that there is.
//
//   text or binary --parser--> TestSequence --canonical--> TestSequence --compiler--> Plans
//
// Pure: no I/O, no clock, no randomness. `check_test`, the sequencer and the node managers all use
// this one compiler, so what one accepts the others accept.
#ifndef DISTBENCH_CONFIG_COMPILER_H_
#define DISTBENCH_CONFIG_COMPILER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/plan.h"

namespace distbench {

class DistributedSystemDescription;
class MultiServerChannel;
class ProtocolDriverOptions;
class TestSequence;

// What the compiler needs to know of the drivers; cli/ makes it from the driver registry.
struct KnownDrivers {
  std::vector<std::string> names;
  // What the named driver says of its options; see DriverFactory::Check. Null: accepts all.
  std::function<absl::Status(const std::string& protocol, const ProtocolDriverOptions&)> check =
      nullptr;
  // The setting by which the named driver is told what driver it holds; empty if it holds none.
  // Null: no driver holds another.
  std::function<std::string(const std::string& protocol)> inner_setting = nullptr;
  // What a driver with these options says of a channel; see DriverFactory::CheckChannel. Null:
  // accepts all.
  std::function<absl::Status(const ProtocolDriverOptions&, const MultiServerChannel&)>
      check_channel = nullptr;
};

// Brings the config into canonical form in place: sizes and counts of services, order of the
// actions of a list; see canonical.cc. Errors go to `diagnostics`; what has errors is left as it
// is.
void Canonicalize(DistributedSystemDescription* config, Diagnostics* diagnostics);

// Compiles one test. The config need not be canonical; the plan is that of the canonical form. Null
// if there were errors.
std::shared_ptr<const Plan> CompileTest(const DistributedSystemDescription& config,
                                        const KnownDrivers& drivers, Diagnostics* diagnostics);

struct CompiledTest {
  std::shared_ptr<const Plan> plan;  // null if this test has errors
};

// Canonicalizes and compiles every test of the sequence; `sequence` holds the canonical form
// afterwards. Problems of all tests are reported, not of the first one only.
std::vector<CompiledTest> CompileSequence(TestSequence* sequence, const KnownDrivers& drivers,
                                          Diagnostics* diagnostics);

// Seconds that the test may run, from its attribute `test_timeout` (default 3600); an error if the
// attribute is no positive number.
absl::StatusOr<double> TestTimeoutSeconds(const DistributedSystemDescription& config);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_COMPILER_H_
