// For tests: a config as text, compiled.
#ifndef DISTBENCH_CONFIG_COMPILE_TEXT_H_
#define DISTBENCH_CONFIG_COMPILE_TEXT_H_

#include <memory>
#include <string>
#include <vector>

#include "distbench/config/compiler.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/plan.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

struct CompiledText {
  std::shared_ptr<const Plan> plan;
  std::vector<Diagnostic> diagnostics;

  // A line each: "error PATH: MESSAGE", "unsupported PATH: MESSAGE", "warning PATH: MESSAGE".
  std::vector<std::string> Lines() const;
};

// Drivers `grpc` and `fake`. A setting named `bad` is refused, one named `future` not supported.
KnownDrivers DriversForTest();

// Fails the test if `text` is no DistributedSystemDescription.
DistributedSystemDescription ParseTest(const std::string& text);

CompiledText CompileText(const std::string& text);

// A service `client` that sends RPC `query` to service `server` ten times, with what `more` adds;
// no errors or warnings of its own.
std::string ClientServerWith(const std::string& more);

// That config with `part` replaced, or, if `part` is empty, with `text` added.
struct ChangedConfig {
  std::string part;
  std::string text;
  std::vector<std::string> lines;  // what the compiler says of it
};

// Each config gives exactly its lines, and a plan unless the first is an error.
void ExpectLines(const std::vector<ChangedConfig>& cases);

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_COMPILE_TEXT_H_
