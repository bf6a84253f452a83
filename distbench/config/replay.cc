// Replay traces: who sends to whom, and for each record when, to which instance, and how large.
//
// What a record leaves out its trace's defaults say. The two ways to name a target exclude each
// other, so a record that has one of them takes neither from the defaults; likewise, the prior RPCs
// that a record names are all that it waits for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/time_limits.h"

namespace distbench {
namespace {

using Origin = ReplayRecordPlan::Origin;

RpcReplayTraceRecord WithDefaults(const RpcReplayTraceRecord& record,
                                  const RpcReplayTraceRecord& defaults) {
  RpcReplayTraceRecord merged = defaults;
  if (record.has_server_instance() || record.has_multi_server_channel_name_index()) {
    merged.clear_server_instance();
    merged.clear_multi_server_channel_name_index();
  }
  if (record.prior_rpc_distances_size() > 0) merged.clear_prior_rpc_distances();
  merged.MergeFrom(record);
  return merged;
}

bool CountsFromPriors(const RpcReplayTraceRecord& record) {
  return record.timing_mode() == RpcReplayTraceRecord::RELATIVE_TO_PRIOR_RPC_START ||
         record.timing_mode() == RpcReplayTraceRecord::RELATIVE_TO_PRIOR_RPC_END;
}

// A record, with what its trace's ends allow.
class RecordCompiler {
 public:
  struct Place {
    const std::string& path;    // of the record
    size_t position;            // in the trace
    const ServicePlan* client;  // null: unknown
    const ServicePlan* server;
    const std::vector<std::optional<ChannelIndex>>& channels;  // that the trace names
  };

  // `record` has the defaults applied.
  RecordCompiler(const RpcReplayTraceRecord& record, const Place& place, Reporter& report)
      : record_(record), place_(place), report_(report) {}

  ReplayRecordPlan Compile() {
    ReplayRecordPlan plan;
    plan.origin = CompileOrigin();
    plan.delay_ns = TimeNs("timing_ns", record_.timing_ns());
    plan.priors = CompilePriors();
    plan.client = Rank("client_instance", record_.has_client_instance(), record_.client_instance(),
                       place_.client);
    CompileTarget(plan);
    if (record_.has_request_size())
      plan.request_bytes = Size("request_size", record_.request_size());
    if (record_.has_response_size()) {
      plan.response_bytes = Size("response_size", record_.response_size());
    }
    plan.server_processing_time_ns =
        TimeNs("server_processing_time_ns", record_.server_processing_time_ns());
    return plan;
  }

  bool has_errors() const { return has_errors_; }

 private:
  Origin CompileOrigin() const {
    switch (record_.timing_mode()) {
      case RpcReplayTraceRecord::RELATIVE_TO_TRAFFIC_START:
        return Origin::kTrafficStart;
      case RpcReplayTraceRecord::RELATIVE_TO_PRIOR_RPC_START:
        return Origin::kPriorStart;
      case RpcReplayTraceRecord::RELATIVE_TO_PRIOR_RPC_END:
        return Origin::kPriorEnd;
      case RpcReplayTraceRecord::UNKNOWN:
      case RpcReplayTraceRecord::RELATIVE_TO_TRACE_START:
        break;
    }
    return Origin::kTraceStart;
  }

  std::vector<uint32_t> CompilePriors() {
    std::vector<uint32_t> priors;
    if (!CountsFromPriors(record_)) return priors;
    if (place_.position == 0) {
      Report("timing_mode",
             absl::StrCat(RpcReplayTraceRecord::TimingMode_Name(record_.timing_mode()),
                          " has no meaning for the first record, which has none before it; set "
                          "RELATIVE_TO_TRACE_START"));
      return priors;
    }
    if (record_.prior_rpc_distances().empty()) {
      priors.push_back(static_cast<uint32_t>(place_.position - 1));
    }
    for (const int32_t distance : record_.prior_rpc_distances()) {
      if (distance < 0 || static_cast<size_t>(distance) >= place_.position) {
        Report("prior_rpc_distances",
               absl::StrCat(distance,
                            " leads to no record before this one; set 0 (the one just "
                            "before) to ",
                            place_.position - 1, " (the first)"));
        continue;
      }
      priors.push_back(static_cast<uint32_t>(place_.position - 1) -
                       static_cast<uint32_t>(distance));
    }
    std::sort(priors.begin(), priors.end());
    priors.erase(std::unique(priors.begin(), priors.end()), priors.end());
    return priors;
  }

  void CompileTarget(ReplayRecordPlan& plan) {
    const bool has_channel = record_.has_multi_server_channel_name_index();
    if (record_.has_server_instance() == has_channel) {
      Report("server_instance",
             has_channel ? "and multi_server_channel_name_index are both given; leave one of them "
                           "out"
                         : "is not given, so the RPC goes nowhere; set it, here or in the trace's "
                           "defaults");
    }
    if (has_channel) {
      plan.channel = Channel(record_.multi_server_channel_name_index());
      return;
    }
    plan.server = Rank("server_instance", record_.has_server_instance(), record_.server_instance(),
                       place_.server)
                      .value_or(0);
    RefuseItself(plan);
  }

  std::optional<ChannelIndex> Channel(int32_t index) {
    const size_t count = place_.channels.size();
    if (index >= 0 && static_cast<size_t>(index) < count) return place_.channels[index];
    Report("multi_server_channel_name_index",
           absl::StrCat(index, " is no position in multiserver_channel_names, which has ", count,
                        count == 0 ? "; name the channel there" : ", numbered from 0"));
    return std::nullopt;
  }

  std::optional<size_t> Rank(const char* field, bool is_given, int32_t rank,
                             const ServicePlan* service) {
    if (!is_given) return std::nullopt;
    if (rank < 0 || (service != nullptr && static_cast<size_t>(rank) >= service->count)) {
      const std::string name =
          service == nullptr ? "" : absl::StrCat(" of ", Quoted(service->name));
      const std::string range =
          service == nullptr ? "" : absl::StrCat(" to ", static_cast<int64_t>(service->count) - 1);
      Report(field, absl::StrCat(rank, " is no rank", name, "; set 0", range));
      return std::nullopt;
    }
    return static_cast<size_t>(rank);
  }

  void RefuseItself(const ReplayRecordPlan& plan) {
    if (place_.client == nullptr || place_.client != place_.server) return;
    const bool is_only_one = place_.client->count == 1;
    if (!is_only_one && plan.client != plan.server) return;
    Report("server_instance",
           absl::StrCat(plan.server, " of ", Quoted(place_.server->name),
                        " would send to itself, which no instance does; name another one as "
                        "server_instance or as client_instance"));
  }

  int64_t TimeNs(const char* field, int64_t time_ns) {
    if (time_ns < 0 || time_ns > kMaxDurationNs) {
      Report(field, absl::StrCat(time_ns, " is out of range; set 0 to ", kMaxDurationNs));
    }
    return std::clamp<int64_t>(time_ns, 0, kMaxDurationNs);
  }

  int64_t Size(const char* field, int32_t bytes) {
    if (bytes < 0) Report(field, absl::StrCat(bytes, " is negative; set the bytes of the message"));
    return std::max(bytes, 0);
  }

  void Report(const char* field, const std::string& message) {
    has_errors_ = true;
    report_.Error(absl::StrCat(place_.path, ".", field), message);
  }

  const RpcReplayTraceRecord& record_;
  const Place place_;
  Reporter& report_;
  bool has_errors_ = false;
};

class TraceCompiler {
 public:
  TraceCompiler(CompileContext& context, size_t position)
      : context_(context),
        trace_(context.config.rpc_replay_traces(position)),
        path_(ElementPath("rpc_replay_traces", position)) {}

  void Compile() {
    const TraceEnds ends = {.client = Service("client", trace_.client()),
                            .server = Service("server", trace_.server())};
    context_.plan.traces.push_back({.name = trace_.name(),
                                    .client = ends.client.value_or(ServiceIndex()),
                                    .server = ends.server.value_or(ServiceIndex()),
                                    .records = Records(ends, Channels(ends.server))});
    context_.trace_ends.push_back(ends);
    if (trace_.records().empty()) {
      context_.report.Warning(Path("records"), absl::StrCat("trace ", Quoted(trace_.name()),
                                                            " has none, so replaying it sends "
                                                            "nothing"));
    }
  }

 private:
  // What is wrong with a default is wrong with every record.
  static constexpr int kMaxWrongRecords = 10;

  std::optional<ServiceIndex> Service(const char* field, const std::string& name) {
    if (name.empty()) {
      context_.report.Error(Path(field), absl::StrCat("trace ", Quoted(trace_.name()), " has no ",
                                                      field, "; name a service"));
      return std::nullopt;
    }
    const auto service = context_.services.Resolve(name, Path(field), context_.report);
    if (!service.has_value()) return std::nullopt;
    return ServiceIndex(*service);
  }

  // A name that could not be resolved is reported, and leaves a gap.
  std::vector<std::optional<ChannelIndex>> Channels(std::optional<ServiceIndex> server) {
    std::vector<std::optional<ChannelIndex>> channels;
    for (int i = 0; i < trace_.multiserver_channel_names_size(); ++i) {
      const std::string path = ElementPath(Path("multiserver_channel_names"), i);
      channels.push_back(
          server ? ResolveChannel(context_, *server, trace_.multiserver_channel_names(i), path)
                 : std::nullopt);
    }
    return channels;
  }

  std::vector<ReplayRecordPlan> Records(const TraceEnds& ends,
                                        const std::vector<std::optional<ChannelIndex>>& channels) {
    const auto& services = context_.plan.services;
    std::vector<ReplayRecordPlan> records;
    int wrong_records = 0;
    for (int i = 0; i < trace_.records_size() && wrong_records < kMaxWrongRecords; ++i) {
      const std::string path = ElementPath(Path("records"), i);
      const RpcReplayTraceRecord record = WithDefaults(trace_.records(i), trace_.defaults());
      RecordCompiler compiler(record,
                              {.path = path,
                               .position = static_cast<size_t>(i),
                               .client = ends.client ? &services[*ends.client] : nullptr,
                               .server = ends.server ? &services[*ends.server] : nullptr,
                               .channels = channels},
                              context_.report);
      records.push_back(compiler.Compile());
      wrong_records += compiler.has_errors() ? 1 : 0;
      WarnOfIdlePriors(trace_.records(i), record, path);
    }
    return records;
  }

  void WarnOfIdlePriors(const RpcReplayTraceRecord& as_given, const RpcReplayTraceRecord& record,
                        const std::string& path) {
    if (as_given.prior_rpc_distances().empty() || CountsFromPriors(record) || has_warned_) return;
    has_warned_ = true;
    context_.report.Warning(
        absl::StrCat(path, ".prior_rpc_distances"),
        "has no effect, as timing_mode is not relative to prior RPCs; so perhaps in later records");
  }

  std::string Path(const char* field) const { return absl::StrCat(path_, ".", field); }

  CompileContext& context_;
  const RpcReplayTrace& trace_;
  const std::string path_;
  bool has_warned_ = false;
};

}  // namespace

void CompileReplayTraces(CompileContext& context) {
  for (int i = 0; i < context.config.rpc_replay_traces_size(); ++i) {
    TraceCompiler(context, i).Compile();
  }
}

}  // namespace distbench
