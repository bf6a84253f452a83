#include "distbench/sequencer/fake_node.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "distbench/results/log_samples.h"
#include "distbench/results/merge.h"
#include "glog/logging.h"

namespace distbench {
namespace {

// A call ends once, by whatever comes first.
template <typename Response>
class FakeCall final : public NodeCall {
 public:
  explicit FakeCall(NodeDone<Response> done) : done_(std::move(done)) {}
  void Cancel() override { Finish(absl::CancelledError("cancelled")); }
  void Finish(absl::StatusOr<Response> answer) {
    if (done_ == nullptr) return;
    std::exchange(done_, nullptr)(std::move(answer));
  }

 private:
  NodeDone<Response> done_;
};

// Blocks that wait to be asked for.
struct FakeSampleStream final : public SampleStream {
  void Next(Done done) override {
    if (is_broken) return done(absl::UnavailableError("connection reset"));
    if (blocks.empty()) return done(std::optional<SampleBlock>());
    std::optional<SampleBlock> block = std::move(blocks.front());
    blocks.pop_front();
    done(std::move(block));
  }
  void Break() { is_broken = true; }

  std::deque<SampleBlock> blocks;
  bool is_broken = false;
};

}  // namespace

FakeNode::FakeNode(std::string name, const FakeNodeOptions& options, SimulatedTime& time,
                   SimulatedEvents& events, std::vector<std::string>& journal)
    : name_(std::move(name)), options_(options), time_(time), events_(events), journal_(journal) {}

void FakeNode::Heal() {
  failures_.clear();
  frozen_.clear();
  dead_ = false;
}

void FakeNode::Die() {
  dead_ = true;
  config_.reset();
  traffic_ = nullptr;
  for (const auto& break_connection : std::exchange(break_connections_, {})) break_connection();
}

template <typename Response>
NodeCallHandle FakeNode::Carry(const std::string& method, int64_t timeout_ns,
                               NodeDone<Response> done,
                               std::function<void(Reply<Response>)> handle) {
  auto call = std::make_shared<FakeCall<Response>>(std::move(done));
  break_connections_.push_back(
      [call] { call->Finish(absl::UnavailableError("connection reset")); });
  events_.After(timeout_ns,
                [call] { call->Finish(absl::DeadlineExceededError("no answer in time")); });
  Reply<Response> reply = [this, call](absl::StatusOr<Response> answer) {
    events_.After(options_.one_way_ns, [call, answer] { call->Finish(answer); });
  };
  events_.After(options_.one_way_ns, [this, call, method, reply, handle = std::move(handle)] {
    if (dead_) return call->Finish(absl::UnavailableError("connection refused"));
    journal_.push_back(absl::StrCat(name_, " ", method));
    if (const auto hook = hooks_.extract(method)) hook.mapped()();
    if (frozen_.contains(method)) return;
    const auto failure = failures_.find(method);
    if (failure != failures_.end()) return reply(failure->second);
    handle(reply);
  });
  return call;
}

NodeCallHandle FakeNode::ConfigureNode(NodeServiceConfig request, int64_t timeout_ns,
                                       NodeDone<ServiceEndpointMap> done) {
  return Carry<ServiceEndpointMap>(
      "ConfigureNode", timeout_ns, std::move(done),
      [this, request](Reply<ServiceEndpointMap> reply) {
        config_ = request;
        last_config_ = request;
        ServiceEndpointMap endpoints;
        for (const std::string& instance : request.services()) {
          (*endpoints.mutable_service_endpoints())[instance].set_endpoint_address(
              absl::StrCat("10.0.0.1:", 20000 + endpoints.service_endpoints_size()));
        }
        reply(endpoints);
      });
}

NodeCallHandle FakeNode::IntroducePeers(ServiceEndpointMap request, int64_t timeout_ns,
                                        NodeDone<IntroducePeersResult> done) {
  return Carry<IntroducePeersResult>("IntroducePeers", timeout_ns, std::move(done),
                                     [this, request](Reply<IntroducePeersResult> reply) {
                                       last_peers_ = request;
                                       if (!config_.has_value()) {
                                         return reply(absl::FailedPreconditionError("no engines"));
                                       }
                                       reply(IntroducePeersResult());
                                     });
}

NodeCallHandle FakeNode::RunTraffic(RunTrafficRequest request, int64_t timeout_ns,
                                    NodeDone<RunTrafficResponse> done) {
  return Carry<RunTrafficResponse>("RunTraffic", timeout_ns, std::move(done),
                                   [this, request](Reply<RunTrafficResponse> reply) {
                                     last_run_ = request;
                                     if (!config_.has_value())
                                       return reply(absl::FailedPreconditionError("no engines"));
                                     BeginTraffic(std::move(reply));
                                   });
}

void FakeNode::BeginTraffic(Reply<RunTrafficResponse> reply) {
  int64_t delay_ns = options_.start_lateness_ns;
  if (last_run_.has_agreed_start()) {
    delay_ns += last_run_.agreed_start().start_timestamp_ns() - WallNs();
  }
  traffic_start_ns_ = time_.MonotonicNs() + delay_ns;
  traffic_ = std::move(reply);
  events_.After(delay_ns + options_.traffic_ns, [this, mine = ++traffics_] {
    if (mine == traffics_) EndTraffic(absl::OkStatus());
  });
}

void FakeNode::EndTraffic(const absl::Status& reason) {
  if (traffic_ == nullptr) return;
  traffic_end_ns_ = time_.MonotonicNs();
  RunTrafficResponse response;
  if (last_run_.has_agreed_start()) response.set_start_skew_ns(options_.start_lateness_ns);
  if (!reason.ok() && !options_.other_program) {
    response.set_status_code(reason.raw_code());
    response.set_status_message(std::string(reason.message()));
  }
  std::exchange(traffic_, nullptr)(response);
}

NodeCallHandle FakeNode::GetTrafficProgress(GetTrafficProgressRequest /*request*/,
                                            int64_t timeout_ns, NodeDone<TrafficProgress> done) {
  return Carry<TrafficProgress>(
      "GetTrafficProgress", timeout_ns, std::move(done), [this](Reply<TrafficProgress> reply) {
        if (options_.other_program) return reply(absl::UnimplementedError("no such method"));
        TrafficProgress progress;
        const int64_t elapsed_ms = (time_.MonotonicNs() - traffic_start_ns_) / 1'000'000;
        if (traffic_ != nullptr && elapsed_ms > 0) {
          RpcCounts& rpc = *progress.add_rpcs();
          rpc.set_rpc_index(0);
          rpc.set_measured_successes(elapsed_ms);
          progress.set_outstanding_rpcs(1);
        }
        reply(progress);
      });
}

NodeCallHandle FakeNode::CancelTraffic(CancelTrafficRequest request, int64_t timeout_ns,
                                       NodeDone<CancelTrafficResult> done) {
  return Carry<CancelTrafficResult>("CancelTraffic", timeout_ns, std::move(done),
                                    [this, request](Reply<CancelTrafficResult> reply) {
                                      last_cancel_ = request;
                                      reply(CancelTrafficResult());
                                      EndTraffic(absl::CancelledError(request.reason()));
                                    });
}

GetTrafficResultResponse FakeNode::MakeResult() const {
  GetTrafficResultResponse result;
  for (const std::string& instance : config_->services()) {
    if (!absl::StartsWith(instance, "client/")) continue;
    RpcSample& sample = *(*(*(*result.mutable_service_logs()->mutable_instance_logs())[instance]
                                 .mutable_peer_logs())["server/0"]
                               .mutable_rpc_logs())[0]
                             .add_successful_rpc_samples();
    sample.set_request_size(16);
    sample.set_response_size(32);
    sample.set_start_timestamp_ns(time_.WallNs());
    sample.set_latency_ns(100'000);
  }
  (*result.mutable_node_usages())[name_].mutable_rusage_diff()->set_user_cpu_time_seconds(1);
  if (!options_.overload.empty()) result.mutable_report()->set_overload(options_.overload);
  return result;
}

NodeCallHandle FakeNode::GetTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                          NodeDone<GetTrafficResultResponse> done) {
  return Carry<GetTrafficResultResponse>(
      "GetTrafficResult", timeout_ns, std::move(done),
      [this, request](Reply<GetTrafficResultResponse> reply) {
        if (!config_.has_value()) return reply(absl::FailedPreconditionError("no engines"));
        const GetTrafficResultResponse result = MakeResult();
        if (request.clear_services()) config_.reset();
        reply(result);
      });
}

NodeResult FakeNode::MakeStreamedResult(bool without_samples) {
  NodeResult streamed = {.result = MakeResult(), .samples = nullptr};
  auto samples = std::make_shared<FakeSampleStream>();
  for (auto& [instance, log] : *streamed.result.mutable_service_logs()->mutable_instance_logs()) {
    CHECK(CompleteStatistics(log).ok());
    TakeSamples(instance, log, [&](SampleBlock block) {
      if (!claimed_instance_.empty()) block.set_instance(claimed_instance_);
      if (!without_samples) samples->blocks.push_back(std::move(block));
    });
  }
  break_connections_.push_back([samples] { samples->Break(); });
  streamed.samples = std::move(samples);
  return streamed;
}

NodeCallHandle FakeNode::StreamTrafficResult(GetTrafficResultRequest request, int64_t timeout_ns,
                                             NodeDone<NodeResult> done) {
  return Carry<NodeResult>("StreamTrafficResult", timeout_ns, std::move(done),
                           [this, request](Reply<NodeResult> reply) {
                             if (options_.other_program || !options_.streams) {
                               return reply(absl::UnimplementedError("no such method"));
                             }
                             if (!config_.has_value())
                               return reply(absl::FailedPreconditionError("no engines"));
                             NodeResult result = MakeStreamedResult(request.without_samples());
                             if (request.clear_services()) config_.reset();
                             reply(std::move(result));
                           });
}

NodeCallHandle FakeNode::ShutdownNode(ShutdownNodeRequest /*request*/, int64_t timeout_ns,
                                      NodeDone<ShutdownNodeResult> done) {
  return Carry<ShutdownNodeResult>("ShutdownNode", timeout_ns, std::move(done),
                                   [this](Reply<ShutdownNodeResult> reply) {
                                     is_shut_down_ = true;
                                     reply(ShutdownNodeResult());
                                   });
}

NodeCallHandle FakeNode::ProbeClock(ClockProbe /*request*/, int64_t timeout_ns,
                                    NodeDone<ClockReading> done) {
  return Carry<ClockReading>("ProbeClock", timeout_ns, std::move(done),
                             [this](Reply<ClockReading> reply) {
                               if (options_.other_program) {
                                 return reply(absl::UnimplementedError("no such method"));
                               }
                               ClockReading reading;
                               reading.set_receive_timestamp_ns(WallNs());
                               reading.set_transmit_timestamp_ns(WallNs());
                               reply(reading);
                             });
}

}  // namespace distbench
