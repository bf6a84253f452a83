#include "distbench/testing/model/time_audit.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "distbench/testing/model/stall_model.h"

namespace distbench::model {
namespace {

// Of measured RPCs.
struct Waited {
  int64_t count = 0;
  int64_t sum_ns = 0;
};

// What clients tell of RPCs to a server.
struct Seen {
  // Of samples: when the server can have had the request, and when the RPC ended.
  std::vector<int64_t> arrivals, ends;
  // Of all: the first request, the last end.
  int64_t first_ns = std::numeric_limits<int64_t>::max();
  int64_t last_ns = std::numeric_limits<int64_t>::min();

  Seen& operator+=(const Seen& other) {
    arrivals.insert(arrivals.end(), other.arrivals.begin(), other.arrivals.end());
    ends.insert(ends.end(), other.ends.begin(), other.ends.end());
    first_ns = std::min(first_ns, other.first_ns);
    last_ns = std::max(last_ns, other.last_ns);
    return *this;
  }
};

// None of a small test is longer than 64 bits tell.
int64_t Sum(const Histogram& times) { return static_cast<int64_t>(times.sum_low()); }

class TimeAudit {
 public:
  TimeAudit(const DistributedSystemDescription& config, const InstanceLogs& logs,
            const TimeConditions& conditions)
      : config_(config), logs_(logs), conditions_(conditions) {}

  std::vector<std::string> Run() {
    for (const auto& [instance, log] : logs_) {
      TakeClient(log);
      if (conditions_.is_simulated) CheckOneWay(instance, log);
      for (const auto& [rpc, served] : log.served_rpcs()) TakeServed(instance, rpc, served);
    }
    for (int rpc = 0; rpc < config_.rpc_descriptions_size(); ++rpc) CompareEnds(rpc);
    for (const auto& [instance, log] : logs_) CheckTurns(instance, log);
    return lines_;
  }

 private:
  const RpcSpec& Spec(int rpc) const { return config_.rpc_descriptions(rpc); }
  static const std::string& ModeOf(const RpcSpec& rpc) { return rpc.server_dispatch().mode(); }

  void TakeClient(const ServicePerformanceLog& log) {
    for (const auto& [rpc, statistics] : log.rpc_statistics()) {
      const Histogram& times = statistics.measured_success().service_time_ns();
      waited_[rpc].count += times.count();
      waited_[rpc].sum_ns += Sum(times);
    }
    for (const auto& [server, peer_log] : log.peer_logs()) {
      for (const auto& [rpc, rpc_log] : peer_log.rpc_logs()) {
        Seen& seen = seen_[server][rpc];
        for (const RpcSample& sample : rpc_log.successful_rpc_samples()) {
          seen.arrivals.push_back(sample.start_timestamp_ns() + conditions_.transit_ns);
          seen.ends.push_back(sample.start_timestamp_ns() + sample.latency_ns());
        }
        const OutcomeStatistics& outcome = rpc_log.statistics().measured_success();
        if (outcome.count() == 0) continue;
        seen.first_ns =
            std::min(seen.first_ns, outcome.first_start_timestamp_ns() + conditions_.transit_ns);
        seen.last_ns = std::max(seen.last_ns, outcome.last_end_timestamp_ns());
      }
    }
  }

  void CheckOneWay(const std::string& instance, const ServicePerformanceLog& log) {
    int64_t sent = 0;
    int64_t longest_ns = 0;
    for (const auto& [rpc, statistics] : log.rpc_statistics()) {
      if (!Spec(rpc).one_way()) continue;
      for (const auto* outcome : {&statistics.measured_success(), &statistics.warmup_success()}) {
        sent += outcome->count();
        longest_ns = std::max(longest_ns, outcome->service_time_ns().max());
      }
    }
    if (sent > kOneWayWindow || longest_ns == 0) return;
    Report(instance, " sent ", sent, " one-way RPCs, and one of them took ", longest_ns, " ns");
  }

  void TakeServed(const std::string& instance, int rpc, const ServedRpcStatistics& served) {
    spent_ns_[rpc] += Sum(served.queue_time_ns()) + Sum(served.handler_time_ns());
    const std::string& mode = ModeOf(Spec(rpc));
    const bool has_turns = mode == "thread_pool" || mode == "serial_queue";
    if (!conditions_.is_simulated || has_turns || served.queue_time_ns().max() == 0) return;
    Report(instance, " let a request of ", Spec(rpc).name(), " wait for ",
           served.queue_time_ns().max(), " ns");
  }

  void CompareEnds(int rpc) {
    if (Spec(rpc).one_way()) return;
    const Waited& waited = waited_[rpc];
    const int64_t expected_ns = waited.count * conditions_.transit_ns + spent_ns_[rpc];
    if (waited.sum_ns == expected_ns) return;
    if (!conditions_.is_simulated && waited.sum_ns > expected_ns) return;
    Report("clients waited ", waited.sum_ns, " ns for ", waited.count, " of ", Spec(rpc).name(),
           ", which travelled and were served for ", expected_ns, " ns");
  }

  void CheckTurns(const std::string& instance, const ServicePerformanceLog& log) {
    std::vector<int> serial;
    for (const auto& [rpc, served] : log.served_rpcs()) {
      const RpcSpec& spec = Spec(rpc);
      if (ModeOf(spec) == "serial_queue") serial.push_back(rpc);
      if (ModeOf(spec) == "thread_pool") {
        CheckTurns(instance, {rpc}, static_cast<size_t>(spec.server_dispatch().threads()));
      }
    }
    CheckTurns(instance, serial, 1);
  }

  // Of RPCs that share their turns at a server.
  void CheckTurns(const std::string& instance, const std::vector<int>& rpcs, size_t at_a_time) {
    const ServicePerformanceLog& log = logs_.at(instance);
    Seen seen;
    int64_t count = 0;
    int64_t queued_ns = 0;
    int64_t handled_ns = 0;
    bool shows_ends = true;  // of lists
    for (const int rpc : rpcs) {
      if (Spec(rpc).one_way()) return;  // nobody is told when they are served
      seen += seen_[instance][rpc];
      const ServedRpcStatistics& served = log.served_rpcs().at(rpc);
      count += served.queue_time_ns().count();
      queued_ns += Sum(served.queue_time_ns());
      handled_ns += Sum(served.handler_time_ns());
      shows_ends &= !AnswersEarly(rpc);
    }
    if (count == 0) return;
    const int64_t room_ns = seen.last_ns - seen.first_ns;
    if (handled_ns > static_cast<int64_t>(at_a_time) * room_ns) {
      Report(instance, " handled requests for ", handled_ns, " ns, ", at_a_time,
             " at a time, within ", room_ns, " ns");
    }
    // What was left out has no sample, and warmup is not counted among what was served.
    const bool shows_all = static_cast<int64_t>(seen.arrivals.size()) == count;
    if (!conditions_.is_simulated || !shows_all || !shows_ends) return;
    const int64_t expected_ns =
        QueuedInTurn(std::move(seen.arrivals), std::move(seen.ends), at_a_time);
    if (queued_ns == expected_ns) return;
    Report(instance, " let ", count, " requests wait for ", queued_ns, " ns together; with ",
           at_a_time, " at a time that had been ", expected_ns, " ns");
  }

  // The n-th request begins when it has come, those before it have begun, and all but so many of
  // these have ended: whichever these are.
  static int64_t QueuedInTurn(std::vector<int64_t> arrivals, std::vector<int64_t> ends,
                              size_t at_a_time) {
    std::sort(arrivals.begin(), arrivals.end());
    std::sort(ends.begin(), ends.end());
    int64_t queued_ns = 0;
    int64_t begin_ns = 0;
    for (size_t i = 0; i < arrivals.size(); ++i) {
      begin_ns = std::max(begin_ns, arrivals[i]);
      if (i >= at_a_time) begin_ns = std::max(begin_ns, ends[i - at_a_time]);
      queued_ns += begin_ns - arrivals[i];
    }
    return queued_ns;
  }

  // Before the end of its list.
  bool AnswersEarly(int rpc) const {
    for (const ActionList& list : config_.action_lists()) {
      if (list.name() != Spec(rpc).name()) continue;
      for (const Action& action : config_.actions()) {
        const auto& names = list.action_names();
        if (!action.send_response_when_done()) continue;
        if (std::find(names.begin(), names.end(), action.name()) != names.end()) return true;
      }
    }
    return false;
  }

  template <typename... Parts>
  void Report(const Parts&... parts) {
    lines_.push_back(absl::StrCat(parts...));
  }

  const DistributedSystemDescription& config_;
  const InstanceLogs& logs_;
  const TimeConditions conditions_;
  std::map<int, Waited> waited_;                     // by RPC
  std::map<int, int64_t> spent_ns_;                  // by servers, by RPC
  std::map<std::string, std::map<int, Seen>> seen_;  // by server, RPC
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> AuditTimes(const DistributedSystemDescription& config,
                                    const InstanceLogs& logs, const TimeConditions& conditions) {
  return TimeAudit(config, logs, conditions).Run();
}

}  // namespace distbench::model
