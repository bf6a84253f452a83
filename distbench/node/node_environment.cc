#include "distbench/node/node_environment.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/results/provenance.h"
#include "protos/provenance.pb.h"

namespace distbench {
namespace {

constexpr int kWorkThreads = 2;

size_t ShardCount(size_t asked_for) {
  if (asked_for > 0) return asked_for;
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

NodeEnvironment::NodeEnvironment(NodeEnvironmentOptions options)
    : drivers_(*options.drivers),
      data_plane_(std::move(options.data_plane)),
      provenance_(std::make_unique<Provenance>(ProgramProvenance(options.command_line))),
      known_drivers_(KnownDriversOf(drivers_)),
      budget_(ReadResourceLimits(data_plane_.ports)),
      timers_(clock_),
      shards_(ShardCount(options.shard_count)),
      work_pool_(kWorkThreads) {}

NodeEnvironment::~NodeEnvironment() = default;

KnownDrivers KnownDriversOf(const DriverRegistry& drivers) {
  return {.names = drivers.Names(),
          .check = [&drivers](const std::string& protocol, const ProtocolDriverOptions& options) {
            const DriverFactory* factory = drivers.Find(protocol);
            if (factory != nullptr) return factory->Check(options);
            return absl::NotFoundError(absl::StrCat("no driver '", protocol, "'"));
          }};
}

}  // namespace distbench
