#include "distbench/testing/model/traffic_audit.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/strings/str_cat.h"
#include "distbench/testing/model/order_model.h"
#include "distbench/testing/model/size_model.h"
#include "distbench/testing/model/traffic_model.h"

namespace distbench::model {
namespace {

constexpr size_t kMostLines = 12;

std::string PhaseName(Phase phase) {
  if (phase == Phase::kAny) return "";
  return phase == Phase::kWarmup ? " in warmup" : " measured";
}

class Audit {
 public:
  Audit(const DistributedSystemDescription& config, const InstanceLogs& logs, bool is_whole)
      : config_(config), logs_(logs), is_whole_(is_whole), model_(config) {}

  std::vector<std::string> Run() {
    for (const auto& [instance, log] : logs_) TakeLog(instance, log);
    CompareWithModel();
    CompareWithServers();
    for (const auto& [instance, log] : logs_) CheckOneWayEnds(instance, log);
    if (is_whole_) {
      CheckTurns();
      for (const auto& [instance, log] : logs_) CheckOrders(instance, log);
    }
    return lines_;
  }

 private:
  // --- What was recorded

  void TakeLog(const std::string& instance, const ServicePerformanceLog& log) {
    const int client = population().Find(instance);
    if (client < 0) return Report("there is a log of ", instance, ", which is no instance");
    if (!log.engine_error_message().empty()) Report(instance, ": ", log.engine_error_message());
    std::map<int, int64_t> counted, kept;  // by RPC: in warmup or not
    for (const auto& [server, peer_log] : log.peer_logs()) {
      for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
        TakeRpc({.kind = Kind::kRpc,
                 .what = rpc,
                 .client = client,
                 .server = population().Find(server)},
                rpc_log);
        counted[rpc] += Finished(rpc_log.statistics());
        kept[rpc] += rpc_log.successful_rpc_samples_size() + rpc_log.failed_rpc_samples_size();
      }
    }
    for (const auto& [rpc, statistics] : log.rpc_statistics()) {
      if (Finished(statistics) != counted[rpc]) {
        Report(instance, " finished ", Finished(statistics), " of ", NameOf(rpc), ", ",
               counted[rpc], " by peer");
      }
      if (kept[rpc] + statistics.samples_left_out() != counted[rpc]) {
        Report(instance, " has ", kept[rpc], " samples of ", counted[rpc], " ", NameOf(rpc),
               " and left out ", statistics.samples_left_out());
      }
    }
    TakeActivities(client, log);
  }

  static int64_t Finished(const RpcStatistics& statistics) {
    return statistics.measured_success().count() + statistics.warmup_success().count() +
           statistics.measured_failure().count() + statistics.warmup_failure().count();
  }

  void TakeRpc(Event event, const RpcPerformanceLog& log) {
    const RpcStatistics& statistics = log.statistics();
    const int64_t measured = statistics.measured_success().count();
    const int64_t sent = Finished(statistics) + statistics.cancelled() + statistics.abandoned();
    const int64_t in_warmup =
        statistics.warmup_success().count() + statistics.warmup_failure().count();
    if (is_whole_ && sent != measured + statistics.warmup_success().count()) {
      Report(Describe(event), ": not all succeeded: ", statistics.ShortDebugString());
    }
    event.phase = Phase::kWarmup;
    Count(event, in_warmup);
    event.phase = Phase::kMeasured;
    Count(event, Finished(statistics) - in_warmup);
    event.phase = Phase::kAny;  // nobody tells of which phase these were
    Count(event, sent - Finished(statistics));
    succeeded_[{event.what, event.server}] += measured;
    sent_[{event.what, event.server}] += sent - in_warmup;
    for (const RpcSample& sample : log.successful_rpc_samples()) CheckSample(event, sample);
    for (const auto* outcome : {&statistics.measured_success(), &statistics.warmup_success()}) {
      CheckSums(event, *outcome);
    }
  }

  // Of samples that were left out too.
  void CheckSums(const Event& event, const OutcomeStatistics& outcome) {
    const MessageSizes& sizes = sizes_.of(event.what);
    const auto is_within = [&outcome](const Bounds& each, int64_t bytes) {
      return Bounds{each.least * outcome.count(), each.most * outcome.count()}.contain(bytes);
    };
    if (is_within(sizes.request, outcome.request_bytes()) &&
        is_within(sizes.response, outcome.response_bytes())) {
      return;
    }
    Report(Describe(event), ": ", outcome.count(), " requests of ", outcome.request_bytes(),
           " bytes together, responses of ", outcome.response_bytes());
  }

  void CheckSample(const Event& event, const RpcSample& sample) {
    const MessageSizes& sizes = sizes_.of(event.what);
    if (!sizes.request.contain(sample.request_size())) {
      Report(Describe(event), ": a request of ", sample.request_size(), " bytes");
    }
    if (!sizes.response.contain(sample.response_size())) {
      Report(Describe(event), ": a response of ", sample.response_size(), " bytes");
    }
    const bool is_echo = config_.rpc_descriptions(event.what).echo_request();
    if (is_echo && sample.response_size() != sizes_.EchoOf(sample)) {
      Report(Describe(event), ": a response of ", sample.response_size(), " bytes, not ",
             sizes_.EchoOf(sample), ", echoes a request of ", sample.request_size());
    }
    if (sample.latency_ns() < 0) Report(Describe(event), ": took ", sample.latency_ns(), " ns");
    if (!sample.has_trace_context()) return;
    const TraceContext& trace = sample.trace_context();
    if (trace.engine_ids().empty() || *trace.engine_ids().rbegin() != event.client) {
      Report(Describe(event), ": a trace that ends elsewhere: ", trace.ShortDebugString());
    }
  }

  void TakeActivities(int client, const ServicePerformanceLog& log) {
    for (int i = 0; i < config_.activity_configs_size(); ++i) {
      const auto found = log.activity_logs().find(config_.activity_configs(i).name());
      if (found == log.activity_logs().end()) continue;
      const Event event = {.kind = Kind::kActivity, .what = i, .client = client, .server = client};
      for (const ActivityMetric& metric : found->second.activity_metrics()) {
        observed_[event] += metric.value_int();
      }
    }
  }

  void Count(const Event& event, int64_t count) {
    if (count == 0) return;
    for (const Event& sum : SumsOf(event)) observed_[sum] += count;
  }

  // --- What is held against it

  void CompareWithModel() {
    std::map<Event, int64_t> all = observed_;
    for (const auto& [event, bounds] : model_.tally().all()) all.try_emplace(event, 0);
    for (const auto& [event, count] : all) {
      // Activities do not tell warmup apart, nor instances together.
      const bool is_sum = event.client == kAnyInstance || event.server == kAnyInstance;
      if (event.kind == Kind::kActivity && (is_sum || event.phase != Phase::kAny)) continue;
      Bounds bounds = model_.tally().of(event);
      if (!is_whole_) bounds.least = 0;
      if (bounds.contain(count)) continue;
      Report(Describe(event), ": ", count, ", expected ", bounds.least,
             bounds.most == bounds.least ? "" : absl::StrCat(" to ", bounds.most));
    }
  }

  void CompareWithServers() {
    for (const auto& [instance, log] : logs_) {
      const int server = population().Find(instance);
      for (int rpc = 0; rpc < config_.rpc_descriptions_size(); ++rpc) {
        const auto found = log.served_rpcs().find(rpc);
        const int64_t served =
            found == log.served_rpcs().end() ? 0 : found->second.handler_time_ns().count();
        // A one-way RPC may be on its way when the traffic is ended.
        const bool may_be_lost = !is_whole_ && config_.rpc_descriptions(rpc).one_way();
        const Bounds due = {may_be_lost ? 0 : succeeded_[{rpc, server}], sent_[{rpc, server}]};
        if (due.contain(served)) continue;
        Report(instance, " served ", served, " of ", NameOf(rpc), "; ", due.most,
               " were sent to it, ", due.least, " successfully");
      }
    }
  }

  // The driver "fake" needs no answers to them.
  void CheckOneWayEnds(const std::string& instance, const ServicePerformanceLog& log) {
    for (const auto& [rpc, statistics] : log.rpc_statistics()) {
      const auto found = log.one_way_rpcs().find(rpc);
      const OneWayEnd end = found == log.one_way_rpcs().end() ? ONE_WAY_END_UNKNOWN : found->second;
      const bool is_one_way = config_.rpc_descriptions(rpc).one_way();
      if (end == (is_one_way ? HANDED_OVER : ONE_WAY_END_UNKNOWN)) continue;
      Report(instance, " says that ", NameOf(rpc), " ended with ", OneWayEnd_Name(end));
    }
  }

  // Round robin: from one caller, every target has its turn.
  void CheckTurns() {
    for (int rpc = 0; rpc < config_.rpc_descriptions_size(); ++rpc) {
      const RpcSpec& spec = config_.rpc_descriptions(rpc);
      for (int client = 0; client < static_cast<int>(population().instances().size()); ++client) {
        const Targets targets = population().TargetsOf(spec.fanout_filter(), client, spec.server());
        const auto sent = observed_.find({.what = rpc, .client = client, .server = kAnyInstance});
        if (!targets.in_turn || sent == observed_.end()) continue;
        CheckTurns({.what = rpc, .client = client}, targets, sent->second);
      }
    }
  }

  void CheckTurns(Event event, const Targets& targets, int64_t sent) {
    const int64_t count = static_cast<int64_t>(targets.instances.size());
    // Within its own service a caller begins after itself; the turn is only even then.
    const bool is_own =
        InstanceAt(event.client).service == InstanceAt(targets.instances[0]).service;
    for (int64_t i = 0; i < count; ++i) {
      event.server = targets.instances[static_cast<size_t>(i)];
      const auto found = observed_.find(event);
      const int64_t turns = found == observed_.end() ? 0 : found->second;
      const int64_t exact = sent / count + (i < sent % count ? 1 : 0);
      const bool is_right =
          is_own ? turns == sent / count || turns == (sent + count - 1) / count : turns == exact;
      if (!is_right) Report(Describe(event), ": ", turns, " turns of ", sent);
    }
  }

  void CheckOrders(const std::string& instance, const ServicePerformanceLog& log) {
    const int self = population().Find(instance);
    const std::string& service = config_.services(InstanceAt(self).service).name();
    const std::map<std::string, Times> times = TimesOf(log);
    for (const Order& order : orders_.orders()) {
      if (order.service != service) continue;
      const auto earlier = times.find(order.earlier);
      const auto later = times.find(order.later);
      if (earlier == times.end() || later == times.end()) continue;
      const int64_t gap_ns = later->second.first_start_ns - earlier->second.last_end_ns;
      if (gap_ns >= order.gap_ns) continue;
      Report(instance, " began ", order.later, " ", gap_ns, " ns after the end of ", order.earlier,
             ", at least ", order.gap_ns, " expected");
    }
  }

  struct Times {
    int64_t first_start_ns = std::numeric_limits<int64_t>::max();
    int64_t last_end_ns = 0;
  };

  std::map<std::string, Times> TimesOf(const ServicePerformanceLog& log) const {
    std::map<std::string, Times> times;
    for (const auto& [peer, peer_log] : log.peer_logs()) {
      for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
        for (const RpcSample& sample : rpc_log.successful_rpc_samples()) {
          Times& of_rpc = times[NameOf(rpc)];
          const int64_t start_ns = sample.start_timestamp_ns();
          of_rpc.first_start_ns = std::min(of_rpc.first_start_ns, start_ns);
          of_rpc.last_end_ns = std::max(of_rpc.last_end_ns, start_ns + sample.latency_ns());
        }
      }
    }
    return times;
  }

  // --- Words

  const Population& population() const { return model_.population(); }
  const Instance& InstanceAt(int position) const {
    return population().instances()[static_cast<size_t>(position)];
  }
  std::string InstanceName(int position) const {
    return position < 0 ? "any instance" : InstanceAt(position).name;
  }
  std::string NameOf(int rpc) const { return config_.rpc_descriptions(rpc).name(); }

  std::string Describe(const Event& event) const {
    if (event.kind == Kind::kActivity) {
      return absl::StrCat("iterations of ", config_.activity_configs(event.what).name(), " on ",
                          InstanceName(event.client));
    }
    return absl::StrCat(NameOf(event.what), " from ", InstanceName(event.client), " to ",
                        InstanceName(event.server), PhaseName(event.phase));
  }

  template <typename... Parts>
  void Report(const Parts&... parts) {
    if (lines_.size() < kMostLines) lines_.push_back(absl::StrCat(parts...));
  }

  const DistributedSystemDescription& config_;
  const InstanceLogs& logs_;
  const bool is_whole_;
  const TrafficModel model_;
  const SizeModel sizes_{config_};
  const OrderModel orders_{config_};
  std::map<Event, int64_t> observed_;
  // Measured RPCs, by kind and server.
  std::map<std::pair<int, int>, int64_t> succeeded_, sent_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> AuditTraffic(const DistributedSystemDescription& config,
                                      const InstanceLogs& logs) {
  return Audit(config, logs, /*is_whole=*/true).Run();
}

std::vector<std::string> AuditEndedTraffic(const DistributedSystemDescription& config,
                                           const InstanceLogs& logs) {
  return Audit(config, logs, /*is_whole=*/false).Run();
}

}  // namespace distbench::model
