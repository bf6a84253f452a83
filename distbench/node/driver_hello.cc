#include "distbench/node/driver_hello.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "distbench/results/provenance.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr char kCausalKey[] = "causal_key";

std::string Describe(const DriverHello& hello) {
  return absl::StrCat(absl::CHexEscape(hello.instance()), " has driver '",
                      absl::CHexEscape(hello.driver()), "' of protocol ", hello.driver_protocol(),
                      " (distbench ", absl::CHexEscape(hello.program_version()), ")");
}

}  // namespace

std::string DriverNameOf(const ProtocolDriverOptions& options) {
  if (!options.has_inner_driver()) return options.protocol_name();
  return absl::StrCat(options.protocol_name(), "(", DriverNameOf(options.inner_driver()), ")");
}

DriverHello MakeDriverHello(const std::string& driver_name, const std::string& instance,
                            const DriverCapabilities& capabilities) {
  DriverHello hello;
  hello.set_program_version(kProgramVersion);
  hello.set_driver(driver_name);
  hello.set_driver_protocol(kDriverProtocol);
  hello.set_instance(instance);
  if (capabilities.deadlines) hello.add_capabilities("deadlines");
  if (capabilities.cancel) hello.add_capabilities("cancel");
  if (capabilities.one_way) hello.add_capabilities("one_way");
  hello.add_capabilities(kCausalKey);  // engines do, whatever the driver is
  return hello;
}

bool KnowsCausalKeys(const DriverHello& hello) {
  return std::find(hello.capabilities().begin(), hello.capabilities().end(), kCausalKey) !=
         hello.capabilities().end();
}

absl::Status CheckDriverHello(const DriverHello& ours, const DriverHello& theirs) {
  if (ours.driver() == theirs.driver() && ours.driver_protocol() == theirs.driver_protocol()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("drivers do not match: ", Describe(ours), ", ", Describe(theirs),
                   "; give both services the same protocol, and nodes the same program"));
}

}  // namespace distbench
