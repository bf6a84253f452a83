// The tcp driver, with the whole program around it, against a bare echo over epoll.
#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/groups.h"
#include "benchmarks/load_benchmark.h"

namespace distbench {
namespace {

constexpr int64_t kBodyBytes = 48;

LoadShape Shape(int in_flight) {
  return {.in_flight = in_flight, .request_bytes = kBodyBytes, .response_bytes = kBodyBytes};
}

DriverChoice Tcp(int connections) {
  return {.protocol = "tcp",
          .settings = absl::StrCat(
              "client_settings { name: \"connections\" int64_value: ", connections, " }")};
}

std::vector<FloorVariant> BareVariants(int connections) {
  std::vector<FloorVariant> variants = {
      {.kind = "tcp_bare", .connections = connections, .threads = 1}};
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int threads = std::min(connections, cores);
  if (threads > 1) {
    variants.push_back({.kind = "tcp_bare", .connections = connections, .threads = threads});
  }
  return variants;
}

Benchmark AgainstBare(const Programs& programs, int in_flight, int connections) {
  LoadBounds bounds;
  if (in_flight == 100) bounds.rate = AtLeast(0.6);
  // With several connections the echo has two gaits, which differ by a factor of three on some
  // machines: with client and server on the same CPU in turn, or each on its own. Which one it
  // falls into says more of the scheduler than of half a second of ours.
  if (in_flight == 100 && connections == 1) bounds.smoke_rate = AtLeast(0.3);
  return CompareLoads(programs,
                      {.name = absl::StrCat("tcp_", kBodyBytes, "_p", in_flight, "_c", connections),
                       .summary = absl::StrCat("the tcp driver, ", kBodyBytes, " bytes each way, ",
                                               in_flight, " in flight, connections: ", connections,
                                               "; floor: a bare epoll echo with the same framing"),
                       .floors = BareVariants(connections),
                       .driver = Tcp(connections),
                       .floor_shape = Shape(in_flight),
                       .our_shape = Shape(in_flight),
                       .bounds = bounds});
}

Benchmark AgainstGrpc(const Programs& programs) {
  return CompareDrivers(programs, {.name = "tcp_vs_grpc",
                                   .summary = "the tcp driver with default settings, 48 bytes each "
                                              "way, 100 in flight; floor: the grpc driver, 16/32",
                                   .others = {{.protocol = "grpc"}},
                                   .ours = {.protocol = "tcp"},
                                   .others_shape = {.in_flight = 100},
                                   .our_shape = Shape(100),
                                   .rate = AtLeast(10)});
}

Benchmark ProgressCost(const Programs& programs) {
  return CompareDrivers(
      programs,
      {.name = "progress_cost",
       .summary = "the tcp driver, 48 bytes each way, 100 in flight, with the progress told "
                  "every 100 ms; floor: not told",
       .others = {{.protocol = "tcp"}},
       .ours = {.protocol = "tcp", .progress = SequenceClient::Progress::kTold},
       .others_shape = Shape(100),
       .our_shape = Shape(100),
       .rate = AtLeast(0.99)});
}

}  // namespace

void AddTcpBenchmarks(const Programs& programs, Benchmarks* benchmarks) {
  for (const int connections : {1, 4}) {
    for (const int in_flight : {1, 10, 100, 1000}) {
      if (in_flight < connections) continue;
      benchmarks->push_back(AgainstBare(programs, in_flight, connections));
    }
  }
  benchmarks->push_back(AgainstGrpc(programs));
  benchmarks->push_back(ProgressCost(programs));
}

}  // namespace distbench
