#include "distbench/node/node_environment.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/results/provenance.h"
#include "protos/provenance.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr int kWorkThreads = 2;

// Fills in what is left open.
NodeEnvironmentOptions Completed(NodeEnvironmentOptions options) {
  if (options.shard_count == 0) options.shard_count = DefaultLoopCount(CpuList::OfThisThread());
  return options;
}

Provenance ProvenanceOf(const NodeEnvironmentOptions& options) {
  Provenance provenance = ProgramProvenance(options.command_line);
  provenance.set_shard_count(static_cast<int32_t>(options.shard_count));
  provenance.set_loops_pinned(options.placement.pinned());
  return provenance;
}

}  // namespace

NodeEnvironment::NodeEnvironment(NodeEnvironmentOptions options)
    : options_(Completed(std::move(options))),
      provenance_(std::make_unique<Provenance>(ProvenanceOf(options_))),
      known_drivers_(KnownDriversOf(drivers())),
      budget_(ReadResourceLimits(data_plane().ports)),
      sample_store_(options_.samples),
      timers_(clock_, {.placement = options_.placement}),
      thread_watch_(
          {.clock = &clock_, .timers = &timers_, .count_threads = options_.count_threads}),
      pacers_(
          {.clock = &clock_, .shard_count = options_.shard_count, .placement = options_.placement}),
      shards_(options_.shard_count, options_.placement),
      workers_(CpuList::OfThisThread().size(), options_.placement),
      work_pool_(kWorkThreads) {}

NodeEnvironment::~NodeEnvironment() = default;

KnownDrivers KnownDriversOf(const DriverRegistry& drivers) {
  return {.names = drivers.Names(),
          .check =
              [&drivers](const std::string& protocol, const ProtocolDriverOptions& options) {
                const DriverFactory* factory = drivers.Find(protocol);
                if (factory != nullptr) return factory->Check(options);
                return absl::NotFoundError(absl::StrCat("no driver '", protocol, "'"));
              },
          .inner_setting =
              [&drivers](const std::string& protocol) {
                const DriverFactory* factory = drivers.Find(protocol);
                return factory == nullptr ? std::string() : factory->InnerDriverSetting();
              },
          .check_channel =
              [&drivers](const ProtocolDriverOptions& options, const MultiServerChannel& channel) {
                const std::string& protocol = options.protocol_name();
                const DriverFactory* factory = drivers.Find(protocol);
                if (factory != nullptr) return factory->CheckChannel(options, channel);
                return absl::NotFoundError(absl::StrCat("no driver '", protocol, "'"));
              }};
}

}  // namespace distbench
