// floors ROLE [FLAG ...]: one process of a floor. Started by the benchmarks program.
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "benchmarks/floors/floor_options.h"
#include "benchmarks/floors/roles.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

using Role = absl::Status (*)(const FloorOptions& options);

absl::Status Run(const std::vector<std::string>& words) {
  const std::map<std::string, Role> roles = {
      {"grpc_bare_client", RunGrpcBareClient},   {"grpc_bare_server", RunGrpcBareServer},
      {"grpc_usual_client", RunGrpcUsualClient}, {"grpc_usual_server", RunGrpcUsualServer},
      {"tcp_bare_client", RunTcpBareClient},     {"tcp_bare_server", RunTcpBareServer}};
  const auto role = words.empty() ? roles.end() : roles.find(words.front());
  if (role == roles.end()) {
    std::string known;
    for (const auto& [name, run] : roles) known += " " + name;
    return absl::InvalidArgumentError("the first word is a role:" + known);
  }
  ASSIGN_OR_RETURN(const FloorOptions options, ParseFloorOptions({words.begin() + 1, words.end()}));
  return role->second(options);
}

}  // namespace
}  // namespace distbench

int main(int argc, char** argv) {
  // As the program under test does.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  const absl::Status status = distbench::Run({argv + 1, argv + argc});
  if (status.ok()) return 0;
  std::cerr << "floors: " << status << "\n";
  return 1;
}
