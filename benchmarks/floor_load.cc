#include "benchmarks/floor_load.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "benchmarks/calibrate_loads.h"
#include "benchmarks/cpu_meter.h"
#include "benchmarks/load_result.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

constexpr absl::Duration kStartLimit = absl::Seconds(60);
// Beyond the time that the load itself takes.
constexpr absl::Duration kRunLimit = absl::Seconds(60);

std::vector<std::string> CommandLine(const std::string& program, const FloorVariant& variant,
                                     const std::string& side, const LoadShape& shape) {
  return {program,
          absl::StrCat(variant.kind, "_", side),
          absl::StrCat("--connections=", variant.connections),
          absl::StrCat("--threads=", variant.threads),
          absl::StrCat("--in_flight=", shape.in_flight),
          absl::StrCat("--request_bytes=", shape.request_bytes),
          absl::StrCat("--response_bytes=", shape.response_bytes)};
}

}  // namespace

std::string FloorVariant::ToString() const {
  return absl::StrCat(kind, ", ", connections,
                      connections == 1 ? " connection, " : " connections, ", threads,
                      threads == 1 ? " thread" : " threads", " a side");
}

absl::StatusOr<std::unique_ptr<FloorLoad>> FloorLoad::Start(const std::string& program,
                                                            const FloorVariant& variant,
                                                            const LoadShape& shape) {
  ASSIGN_OR_RETURN(std::unique_ptr<ChildProcess> server,
                   ChildProcess::Start(CommandLine(program, variant, "server", shape)));
  ASSIGN_OR_RETURN(const std::string ready, server->ReadLine(kStartLimit));
  std::vector<std::string> client_line = CommandLine(program, variant, "client", shape);
  client_line.push_back(absl::StrCat("--address=", absl::StripPrefix(ready, "ready ")));
  // A clock reading more per RPC: only where the latency is looked at.
  if (shape.in_flight == 1) client_line.push_back("--latency");
  ASSIGN_OR_RETURN(std::unique_ptr<ChildProcess> client, ChildProcess::Start(client_line));
  RETURN_IF_ERROR(client->ReadLine(kStartLimit).status());
  return std::unique_ptr<FloorLoad>(new FloorLoad(std::move(server), std::move(client)));
}

absl::StatusOr<LoadFigures> FloorLoad::Run(double seconds) {
  CpuMeter meter({server_->pid(), client_->pid()});
  const double warmup_s = seconds * kLoadWarmupShare;
  RETURN_IF_ERROR(client_->WriteLine(absl::StrFormat("run %.6f %.6f", warmup_s, seconds)));
  ASSIGN_OR_RETURN(const std::string line,
                   client_->ReadLine(absl::Seconds(warmup_s + seconds) + kRunLimit));
  ASSIGN_OR_RETURN(const LoadResult result, ParseLoadResult(line));
  ASSIGN_OR_RETURN(const double cpu_ns,
                   meter.CpuNsBetween(result.start_wall_ns, result.end_wall_ns));
  return LoadFigures{.per_second = result.per_second(),
                     .cpu_ns_per_rpc = cpu_ns / static_cast<double>(result.rpcs),
                     .median_ns = static_cast<double>(result.median_ns)};
}

absl::StatusOr<BestFloor> FindBestFloor(const std::string& program,
                                        const std::vector<FloorVariant>& variants,
                                        const LoadShape& shape, double seconds) {
  std::vector<std::unique_ptr<FloorLoad>> loads;
  std::vector<LoadCandidate> candidates;
  for (const FloorVariant& variant : variants) {
    ASSIGN_OR_RETURN(loads.emplace_back(), FloorLoad::Start(program, variant, shape));
    candidates.push_back({.name = variant.ToString(),
                          .run = [load = loads.back().get()](double s) { return load->Run(s); }});
  }
  ASSIGN_OR_RETURN(Calibration calibration, CalibrateLoads(candidates, seconds));
  return BestFloor{.load = std::move(loads[calibration.best]),
                   .notes = std::move(calibration.notes)};
}

}  // namespace distbench
