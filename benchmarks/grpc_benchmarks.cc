// The grpc driver, with the whole program around it, against loops on bare gRPC.
#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/groups.h"
#include "benchmarks/load_benchmark.h"

namespace distbench {
namespace {

struct Sizes {
  std::string name;
  int64_t request_bytes = 0;
  int64_t response_bytes = 0;
};

const Sizes kSmall = {.name = "small", .request_bytes = 16, .response_bytes = 32};
const Sizes kLarge = {.name = "large", .request_bytes = 196, .response_bytes = 262'144};

int Cores() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

LoadShape Shape(const Sizes& sizes, int in_flight) {
  return {.in_flight = in_flight,
          .request_bytes = sizes.request_bytes,
          .response_bytes = sizes.response_bytes};
}

// Generic stub, ready-made byte buffers and completion queues; one or more channels and threads.
std::vector<FloorVariant> BareVariants() {
  const int n = std::max(2, Cores());
  return {{.kind = "grpc_bare", .connections = 1, .threads = 1},
          {.kind = "grpc_bare", .connections = n, .threads = 1},
          {.kind = "grpc_bare", .connections = 1, .threads = n},
          {.kind = "grpc_bare", .connections = n, .threads = n}};
}

LoadBounds BareBounds(const Sizes& sizes, int in_flight) {
  const bool is_small = sizes.name == kSmall.name;
  if (in_flight == 1 && is_small) return {.latency = AtMost(1.05)};
  if (in_flight == 100 && is_small) {
    return {.rate = AtLeast(0.95, 0.93), .cpu = AtMost(1.05), .smoke_rate = AtLeast(0.5)};
  }
  if (in_flight == 100) return {.rate = AtLeast(0.95)};
  return {};
}

Benchmark AgainstBare(const Programs& programs, const Sizes& sizes, int in_flight) {
  return CompareLoads(
      programs, {.name = absl::StrCat("grpc_", sizes.name, "_p", in_flight),
                 .summary = absl::StrCat("the grpc driver with default settings, ",
                                         sizes.request_bytes, "/", sizes.response_bytes, " bytes, ",
                                         in_flight, " in flight; floor: the best bare loop"),
                 .floors = BareVariants(),
                 .driver = {.protocol = "grpc"},
                 .floor_shape = Shape(sizes, in_flight),
                 .our_shape = Shape(sizes, in_flight),
                 .bounds = BareBounds(sizes, in_flight)});
}

Benchmark AgainstUsual(const Programs& programs, const Sizes& sizes) {
  return CompareLoads(
      programs, {.name = absl::StrCat("grpc_usual_", sizes.name, "_p100"),
                 .summary = absl::StrCat("the same, ", sizes.request_bytes, "/",
                                         sizes.response_bytes, " bytes, 100 in flight; floor: ",
                                         "generated stub and callbacks, as people write it"),
                 .floors = {{.kind = "grpc_usual", .connections = 1, .threads = 1},
                            {.kind = "grpc_usual", .connections = Cores(), .threads = 1}},
                 .driver = {.protocol = "grpc"},
                 .floor_shape = Shape(sizes, 100),
                 .our_shape = Shape(sizes, 100)});
}

std::string ClientSetting(const std::string& name, int value) {
  return absl::StrCat("client_settings { name: \"", name, "\" int64_value: ", value, " } ");
}

std::string ServerSetting(const std::string& name, int value) {
  return absl::StrCat("server_settings { name: \"", name, "\" int64_value: ", value, " } ");
}

Benchmark DefaultSettings(const Programs& programs, const Sizes& sizes) {
  const std::vector<std::string> settings = {
      "",
      ClientSetting("channels", 2),
      ClientSetting("channels", 4),
      ClientSetting("completion_queues", 1),
      ServerSetting("completion_queues", 1),
      ClientSetting("completion_queues", 1) + ServerSetting("completion_queues", 1),
      "client_settings { name: \"client_type\" string_value: \"callback\" }"};
  std::vector<DriverChoice> others;
  for (const std::string& text : settings) others.push_back({.protocol = "grpc", .settings = text});
  return CompareDrivers(
      programs,
      {.name = absl::StrCat("grpc_defaults_", sizes.name),
       .summary = absl::StrCat("the grpc driver's default settings, ", sizes.request_bytes, "/",
                               sizes.response_bytes, " bytes, 100 in flight; floor: its best ones"),
       .others = std::move(others),
       .ours = {.protocol = "grpc"},
       .others_shape = Shape(sizes, 100),
       .our_shape = Shape(sizes, 100),
       .rate = AtLeast(0.95)});
}

}  // namespace

void AddGrpcBenchmarks(const Programs& programs, Benchmarks* benchmarks) {
  for (const Sizes& sizes : {kSmall, kLarge}) {
    for (const int in_flight : {1, 10, 100, 1000}) {
      benchmarks->push_back(AgainstBare(programs, sizes, in_flight));
    }
    benchmarks->push_back(AgainstUsual(programs, sizes));
    benchmarks->push_back(DefaultSettings(programs, sizes));
  }
}

}  // namespace distbench
