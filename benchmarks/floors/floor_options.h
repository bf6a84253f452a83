// What a floor's process is told by its command line.
#ifndef BENCHMARKS_FLOORS_FLOOR_OPTIONS_H_
#define BENCHMARKS_FLOORS_FLOOR_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace distbench {

struct FloorOptions {
  int connections = 1;  // or channels
  int threads = 1;
  int in_flight = 1;  // over all connections
  int64_t request_bytes = 16;
  int64_t response_bytes = 32;
  std::string address;   // HOST:PORT of the server; clients only
  bool latency = false;  // record the latency of each RPC
};

// `arguments` without the program's name and the role.
absl::StatusOr<FloorOptions> ParseFloorOptions(const std::vector<std::string>& arguments);

}  // namespace distbench

#endif  // BENCHMARKS_FLOORS_FLOOR_OPTIONS_H_
