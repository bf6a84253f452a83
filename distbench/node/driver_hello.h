// The introduction that two drivers exchange before they connect, and what must agree in it.
// Pure functions.
#ifndef DISTBENCH_NODE_DRIVER_HELLO_H_
#define DISTBENCH_NODE_DRIVER_HELLO_H_

#include <string>

#include "absl/status/status.h"
#include "distbench/driver/protocol_driver.h"

namespace distbench {

class DriverHello;
class ProtocolDriverOptions;

// Version of what a driver of a given name says on the wire.
inline constexpr int kDriverProtocol = 1;

// "grpc"; with the drivers that it holds: "double_barrel(grpc)".
std::string DriverNameOf(const ProtocolDriverOptions& options);

DriverHello MakeDriverHello(const std::string& driver_name, const std::string& instance,
                            const DriverCapabilities& capabilities);

// Whether whoever introduces itself so takes GenericRequestResponse.causal_key.
bool KnowsCausalKeys(const DriverHello& hello);

// OK if drivers that introduce themselves so can talk; else FAILED_PRECONDITION naming both.
// A peer that sends no hello at all knows the public format only and is not asked.
absl::Status CheckDriverHello(const DriverHello& ours, const DriverHello& theirs);

}  // namespace distbench

#endif  // DISTBENCH_NODE_DRIVER_HELLO_H_
