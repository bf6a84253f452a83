// What a server's list costs that waits for an answer: bytes, not a thread.
#include <filesystem>
#include <iterator>
#include <memory>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/allocation_counter.h"
#include "benchmarks/engine_alone.h"
#include "benchmarks/groups.h"
#include "benchmarks/held_driver.h"
#include "benchmarks/paired_run.h"
#include "benchmarks/suspended_over_grpc.h"
#include "distbench/base/status_macros.h"

namespace distbench {
namespace {

constexpr size_t kLists = 100'000;
constexpr size_t kShards = 2;
constexpr absl::Duration kWaitLimit = absl::Seconds(60);

double ThreadCount() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<double>(std::distance(begin(tasks), end(tasks)));
}

double ThreadLimit() { return 3.0 * std::max(1u, std::thread::hardware_concurrency()) + 32; }

// Each query makes the server ask a leaf, which never answers.
constexpr char kQueryAsksLeaf[] = R"(
    name: "suspended" default_protocol: "none"
    attributes { key: "test_timeout" value: "600" }
    services { name: "client" count: 1 }
    services { name: "root" count: 1 }
    services { name: "leaf" count: 1 }
    rpc_descriptions { name: "query" client: "client" server: "root" }
    rpc_descriptions { name: "leaf_query" client: "root" server: "leaf" }
    action_lists { name: "client" action_names: "ask_root" }
    action_lists { name: "query" action_names: "ask_leaf" }
    action_lists { name: "leaf_query" }
    actions { name: "ask_root" rpc_name: "query" }
    actions { name: "ask_leaf" rpc_name: "leaf_query" })";

// Bytes of ours for each suspended list, threads of the process meanwhile.
absl::StatusOr<SideValues> SuspendLists() {
  auto owned_driver = std::make_unique<HeldDriver>(kLists);
  HeldDriver* driver = owned_driver.get();
  ASSIGN_OR_RETURN(auto engine, EngineAlone::Make({.config_text = kQueryAsksLeaf,
                                                   .instance = "root/0",
                                                   .driver = std::move(owned_driver),
                                                   .shards = kShards}));
  engine->Start();  // a root has no traffic of its own: this ends at once
  const int64_t bytes_before = BytesInUse();
  driver->InjectRequests(kLists, kShards);
  const absl::Time limit = absl::Now() + kWaitLimit;
  while (driver->held_calls() < kLists && absl::Now() < limit)
    absl::SleepFor(absl::Milliseconds(1));
  if (driver->held_calls() < kLists || driver->answered_requests() > 0) {
    return absl::InternalError(absl::StrCat(driver->held_calls(), " of ", kLists, " lists wait, ",
                                            driver->answered_requests(), " were answered"));
  }
  const double bytes = static_cast<double>(BytesInUse() - bytes_before) / kLists;
  const double threads = ThreadCount();
  engine.reset();
  return SideValues{bytes, threads};
}

Benchmark SuspendedLists() {
  return {.name = "suspended_lists",
          .summary = "100 000 server lists that wait for a leaf, on a driver that holds calls",
          .figures = {{.name = "of ours, per list",
                       .unit = "bytes",
                       .comparison = Comparison::kValue,
                       .required = AtMost(1023)},
                      {.name = "threads of the process",
                       .unit = "",
                       .comparison = Comparison::kValue,
                       .required = AtMost(ThreadLimit() - 1)}},
          .run = [](const RunOptions&) { return RunAlone(1, SuspendLists); }};
}

Benchmark SuspendedListsOverGrpc() {
  return {.name = "suspended_lists_grpc",
          .summary = "the same over the grpc driver: caller, server and leaf in this process",
          .figures = {{.name = "per list, of everybody",
                       .unit = "bytes",
                       .comparison = Comparison::kValue},
                      {.name = "threads of the process",
                       .unit = "",
                       .comparison = Comparison::kValue,
                       .required = AtMost(ThreadLimit() - 1)}},
          .run = [](const RunOptions&) {
            return RunAlone(1, []() -> absl::StatusOr<SideValues> {
              double threads = 0;
              ASSIGN_OR_RETURN(const double bytes,
                               BytesPerListOverGrpc({.config_text = kQueryAsksLeaf,
                                                     .lists = kLists,
                                                     .look = [&] { threads = ThreadCount(); }}));
              return SideValues{bytes, threads};
            });
          }};
}

}  // namespace

void AddSuspendedListBenchmarks(Benchmarks* benchmarks) {
  benchmarks->push_back(SuspendedLists());
  benchmarks->push_back(SuspendedListsOverGrpc());
}

}  // namespace distbench
