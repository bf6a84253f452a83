// Cluster: the program under test as a user runs it: a test sequencer and two node managers, three
// processes, which stay up for any number of tests. Clients of a test live on the first node,
// servers on the second.
//
// Not thread-safe.
#ifndef BENCHMARKS_CLUSTER_H_
#define BENCHMARKS_CLUSTER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/child_process.h"
#include "benchmarks/load.h"
#include "benchmarks/sequence_client.h"

namespace distbench {

// The driver of a test and its settings, as a config has them, and how the test is watched.
struct DriverChoice {
  std::string protocol;  // "grpc"
  // Fields of ProtocolDriverOptions: `client_settings { name: "channels" int64_value: 2 }`.
  std::string settings;
  SequenceClient::Progress progress = SequenceClient::Progress::kNotTold;
};

class Cluster {
 public:
  // `program` is the path of the distbench binary. Returns when all three are ready.
  static absl::StatusOr<std::unique_ptr<Cluster>> Start(const std::string& program);

  // Runs a closed loop from one client to one server.
  absl::StatusOr<LoadFigures> Run(const DriverChoice& driver, const LoadShape& shape,
                                  double seconds);

 private:
  Cluster() = default;
  absl::Status StartDaemons(const std::string& program);

  std::unique_ptr<ChildProcess> sequencer_;
  std::vector<std::unique_ptr<ChildProcess>> nodes_;
  std::unique_ptr<SequenceClient> client_;
};

}  // namespace distbench

#endif  // BENCHMARKS_CLUSTER_H_
