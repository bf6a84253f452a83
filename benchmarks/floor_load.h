// FloorLoad: a floor as two processes, a client and a server, which stay up for any number of
// measurements. The same topology as the program under test has.
//
// Not thread-safe.
#ifndef BENCHMARKS_FLOOR_LOAD_H_
#define BENCHMARKS_FLOOR_LOAD_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/child_process.h"
#include "benchmarks/load.h"

namespace distbench {

// One way to write a floor.
struct FloorVariant {
  std::string kind;     // "grpc_bare", "grpc_usual", "tcp_bare": see floors/main.cc
  int connections = 1;  // TCP connections or gRPC channels
  int threads = 1;      // of the client, and of the server

  std::string ToString() const;
};

class FloorLoad {
 public:
  // `program` is the path of the floors binary.
  static absl::StatusOr<std::unique_ptr<FloorLoad>> Start(const std::string& program,
                                                          const FloorVariant& variant,
                                                          const LoadShape& shape);

  absl::StatusOr<LoadFigures> Run(double seconds);

 private:
  FloorLoad(std::unique_ptr<ChildProcess> server, std::unique_ptr<ChildProcess> client)
      : server_(std::move(server)), client_(std::move(client)) {}

  const std::unique_ptr<ChildProcess> server_;
  const std::unique_ptr<ChildProcess> client_;
};

// A floor in its best form.
struct BestFloor {
  std::unique_ptr<FloorLoad> load;
  std::vector<std::string> notes;  // what each form gave, and which was taken
};

// Runs each variant a few times for `seconds` and keeps the fastest.
absl::StatusOr<BestFloor> FindBestFloor(const std::string& program,
                                        const std::vector<FloorVariant>& variants,
                                        const LoadShape& shape, double seconds);

}  // namespace distbench

#endif  // BENCHMARKS_FLOOR_LOAD_H_
