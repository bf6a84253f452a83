// CompileContext: what the parts of the compiler share while they compile one test. Each part reads
// the config and its tables, reports what is wrong, and fills its share of the plan.
//
// After an error the plan is thrown away, but the parts go on, to find the other errors: what could
// not be resolved is left out or missing (std::nullopt), never a made-up index.
#ifndef DISTBENCH_CONFIG_COMPILE_CONTEXT_H_
#define DISTBENCH_CONFIG_COMPILE_CONTEXT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distbench/base/indices.h"
#include "distbench/config/compiler.h"
#include "distbench/config/name_table.h"
#include "distbench/config/plan.h"
#include "distbench/config/reporter.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

// An RPC's ends, as far as its names could be resolved.
struct RpcEnds {
  std::optional<ServiceIndex> server;
  std::optional<ListIndex> server_list;
};

// The channels of a service, in order; RPCs to it may name them.
struct ServiceChannels {
  NameTable names;
  ChannelIndex first;
};

// Likewise of a replay trace.
struct TraceEnds {
  std::optional<ServiceIndex> client;
  std::optional<ServiceIndex> server;
};

struct CompileContext {
  // `canonical_config` has passed CanonicalizeTest; all arguments outlive the context.
  CompileContext(const DistributedSystemDescription& canonical_config,
                 const KnownDrivers& known_drivers, Reporter& reporter, Plan& unfinished_plan)
      : config(canonical_config),
        drivers(known_drivers),
        report(reporter),
        plan(unfinished_plan),
        services("service", "services", config.services(), report),
        driver_options("entry of protocol_driver_options", "protocol_driver_options",
                       config.protocol_driver_options(), report),
        joint_distributions("distribution", "distribution_config", config.distribution_config(),
                            report),
        delay_distributions("distribution of delays", "delay_distribution_configs",
                            config.delay_distribution_configs(), report),
        size_distributions("distribution of sizes", "size_distribution_configs",
                           config.size_distribution_configs(), report),
        payloads("payload", "payload_descriptions", config.payload_descriptions(), report),
        activities("activity", "activity_configs", config.activity_configs(), report),
        traces("replay trace", "rpc_replay_traces", config.rpc_replay_traces(), report),
        rpcs("RPC", "rpc_descriptions", config.rpc_descriptions(), report),
        actions("action", "actions", config.actions(), report),
        lists("action list", "action_lists", config.action_lists(), report) {}

  const DistributedSystemDescription& config;
  const KnownDrivers& drivers;
  Reporter& report;
  Plan& plan;

  NameTable services;
  NameTable driver_options;
  NameTable joint_distributions;
  NameTable delay_distributions;
  NameTable size_distributions;
  NameTable payloads;
  NameTable activities;
  NameTable traces;
  NameTable rpcs;
  NameTable actions;
  NameTable lists;

  // Filled by CompileDistributions, by position in the config; null where there were errors.
  std::vector<std::shared_ptr<const Distribution>> compiled_joint_sizes;
  std::vector<std::shared_ptr<const Distribution>> compiled_delays;
  std::vector<std::shared_ptr<const Distribution>> compiled_sizes;
  std::vector<MessageSizePlan> payload_sizes;

  IndexedVector<ServiceIndex, ServiceChannels> channels;  // filled by CompileChannels
  IndexedVector<RpcIndex, RpcEnds> rpc_ends;              // filled by CompileRpcs
  IndexedVector<TraceIndex, TraceEnds> trace_ends;        // filled by CompileReplayTraces
};

// The channel of `server` that the field `path` names, which is used so; an unknown name is
// reported. Requires: CompileChannels has run.
std::optional<ChannelIndex> ResolveChannel(CompileContext& context, ServiceIndex server,
                                           const std::string& name, const std::string& path);

// The parts, in the order in which they run. Each is defined in the file that its comment names.

void CompileSettings(CompileContext& context);           // settings: limits, seed, timeout
void CompileVerdictLimits(CompileContext& context);      // verdict_limits: what counts as fair
void CompileServices(CompileContext& context);           // services: instances and their names
void CheckServiceBundles(CompileContext& context);       // service_bundles: fixed placement
void CompileConstraints(CompileContext& context);        // service_constraints: required nodes
void CompileChannels(CompileContext& context);           // channels: instances behind one channel
void CompileDriverOptions(CompileContext& context);      // driver_options: aliases and settings
void CompileDistributions(CompileContext& context);      // distributions: delays, sizes
void CompileActivities(CompileContext& context);         // activities: work that is no RPC
void CompileRpcs(CompileContext& context);               // rpcs: ends, sizes, fanout
void CompileReplayTraces(CompileContext& context);       // replay: RPCs that are sent again
void CompileActionLists(CompileContext& context);        // action_lists: actions, dependencies
void CompileRpcForms(CompileContext& context);           // rpc_forms: one-way, echo, dispatch
void CheckListRecursion(const CompileContext& context);  // list_recursion: no list reaches itself
void CompileSenders(CompileContext& context);            // senders: which service sends what
void CheckChannelDrivers(CompileContext& context);       // channels: drivers of those who send
void WarnOfUnused(const CompileContext& context);        // unused: definitions that nothing uses

}  // namespace distbench

#endif  // DISTBENCH_CONFIG_COMPILE_CONTEXT_H_
