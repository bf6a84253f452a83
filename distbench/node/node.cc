#include "distbench/node/node.h"

#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "distbench/base/free_memory.h"
#include "distbench/base/status_macros.h"
#include "distbench/node/node_environment.h"
#include "distbench/node/node_request.h"
#include "distbench/node/opened_result.h"
#include "distbench/results/resource_usage.h"
#include "distbench/results/traffic_counts.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

// Below the 60 s that callers wait, so that they get our error, which names the peer.
constexpr absl::Duration kIntroductionTimeout = absl::Seconds(50);
// How long cancelled traffic may take to end before its results are taken as they are.
constexpr absl::Duration kDrainTimeout = absl::Seconds(5);
// How long engines may take to stop. A peer that hangs costs no more than this.
constexpr absl::Duration kStopTimeout = absl::Seconds(2);
// At 40 bytes each less than 2 GiB.
constexpr int64_t kMostSamplesOfAMessage = 50'000'000;

}  // namespace

Node::Node(NodeOptions options)
    : options_(std::move(options)),
      usage_at_start_(CurrentResourceUsage()),
      queue_(options_.environment->work_pool()) {}

Node::~Node() { Close(); }

void Node::Close() {
  absl::Notification closed;
  queue_.Submit([this, &closed] {
    RemoveTest("the node is shutting down");
    is_closed_ = true;
    // Behind the answers to those who waited for what has just been stopped.
    queue_.Submit([&closed] { closed.Notify(); });
  });
  closed.WaitForNotification();
}

template <typename Response>
void Node::Enqueue(Done<Response> done, std::function<void(Done<Response>)> work) {
  queue_.Submit([this, done = std::move(done), work = std::move(work)] {
    if (is_closed_) return done(absl::UnavailableError("the node is shutting down"));
    work(done);
  });
}

void Node::SetAlias(const std::string& alias) {
  queue_.Submit([this, alias] { alias_ = alias; });
}

// --- ConfigureNode

void Node::ConfigureNode(const NodeServiceConfig& request, Done<ServiceEndpointMap> done) {
  Enqueue<ServiceEndpointMap>(std::move(done), [this, request](Done<ServiceEndpointMap> answer) {
    auto ticket = configure_calls_.Begin(request.control().request_id(), std::move(answer));
    if (ticket != nullptr) ticket->Finish(Configure(request));
  });
}

absl::StatusOr<ServiceEndpointMap> Node::Configure(const NodeServiceConfig& request) {
  RemoveTest("a new configuration replaces the test");
  run_id_ = request.control().run_id();
  is_cleared_ = false;
  usage_at_start_ = CurrentResourceUsage();
  ASSIGN_OR_RETURN(HostedTestOptions options, PlanOf(request, options_.environment));
  if (options.instances.empty()) return ServiceEndpointMap();
  ASSIGN_OR_RETURN(test_, HostedTest::Start(options));
  ServiceEndpointMap endpoints = test_->Endpoints();
  for (auto& [name, endpoint] : *endpoints.mutable_service_endpoints()) {
    endpoint.set_hostname(options_.host_name);
  }
  return endpoints;
}

void Node::RemoveTest(const std::string& reason) {
  result_ = nullptr;
  if (test_ != nullptr) {
    test_->Stop(reason, absl::Now() + kStopTimeout);
    test_ = nullptr;
    // Once for all nodes of the process: a thousand of them would spend half a minute on it.
    if (options_.environment->budget()->is_unused()) ReturnFreeMemory();
  }
  ++test_number_;
  run_number_ = 0;
  agreed_start_ = std::nullopt;
}

absl::Status Node::CheckRun(const ControlContext& control) const {
  if (control.run_id().empty() || run_id_.empty() || control.run_id() == run_id_) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("control.run_id is '", absl::CHexEscape(control.run_id()),
                   "', but this node is configured for run '", absl::CHexEscape(run_id_),
                   "'; another test sequencer or a later test has taken it over"));
}

// --- IntroducePeers

void Node::IntroducePeers(const ServiceEndpointMap& request, Done<IntroducePeersResult> done) {
  Enqueue<IntroducePeersResult>(
      std::move(done), [this, request](Done<IntroducePeersResult> answer) {
        auto ticket = introduce_calls_.Begin(request.control().request_id(), std::move(answer));
        if (ticket == nullptr) return;
        Introduce(request, [ticket](absl::StatusOr<IntroducePeersResult> result) {
          ticket->Finish(std::move(result));
        });
      });
}

void Node::Introduce(const ServiceEndpointMap& request, Done<IntroducePeersResult> done) {
  const absl::Status current = CheckRun(request.control());
  if (!current.ok()) return done(current);
  if (test_ == nullptr) return done(IntroducePeersResult());
  test_->IntroducePeers(request, absl::Now() + kIntroductionTimeout,
                        [this, done = std::move(done)](const absl::Status& status) {
                          queue_.Submit([done, status] {
                            if (!status.ok()) return done(status);
                            done(IntroducePeersResult());
                          });
                        });
}

// --- RunTraffic

uint64_t Node::RunTraffic(const RunTrafficRequest& request, Done<RunTrafficResponse> done) {
  const uint64_t run_number = next_run_number_.fetch_add(1);
  Enqueue<RunTrafficResponse>(
      std::move(done), [this, request, run_number](Done<RunTrafficResponse> answer) {
        auto ticket = run_calls_.Begin(request.control().request_id(), std::move(answer));
        if (ticket == nullptr) {
          run_number_ = run_number;  // the caller of before has given up, this one waits now
          return;
        }
        Run(request, run_number, [ticket](absl::StatusOr<RunTrafficResponse> result) {
          ticket->Finish(std::move(result));
        });
      });
  return run_number;
}

void Node::Run(const RunTrafficRequest& request, uint64_t run_number,
               Done<RunTrafficResponse> done) {
  const absl::Status current = CheckRun(request.control());
  if (!current.ok()) return done(current);
  if (test_ == nullptr) return done(RunTrafficResponse());
  const absl::StatusOr<TrafficStart> start = StartOf(request, options_.environment->clock());
  if (!start.ok()) return done(start.status());
  const uint64_t test = test_number_;
  const absl::Status started = test_->RunTraffic(
      *start,
      [this, test](const absl::Status& overload) {
        queue_.Submit([this, test, overload] {
          if (test == test_number_) Cancel(overload);
        });
      },
      [this, test, done](const absl::Status& status) {
        queue_.Submit([this, test, done, status] { done(RunOutcome(test, status)); });
      });
  if (!started.ok()) return done(started);
  run_number_ = run_number;
  if (request.has_agreed_start()) agreed_start_ = request.agreed_start();
}

RunTrafficResponse Node::RunOutcome(uint64_t test_number, const absl::Status& status) const {
  RunTrafficResponse response;
  absl::Status ended = status;
  // A test whose samples were to be kept and could not be has not ended as planned.
  ended.Update(options_.environment->sample_store()->status());
  if (!ended.ok()) {
    response.set_status_code(ended.raw_code());
    response.set_status_message(std::string(ended.message()));
  }
  const bool is_current = test_number == test_number_ && test_ != nullptr;
  if (is_current && agreed_start_) response.set_start_skew_ns(test_->start_skew_ns().value_or(0));
  return response;
}

void Node::AbandonTraffic(uint64_t run_number) {
  queue_.Submit([this, run_number] {
    if (run_number != run_number_) return;
    Cancel(absl::CancelledError("the test sequencer no longer waits for the traffic"));
  });
}

// --- GetTrafficProgress

void Node::GetTrafficProgress(const GetTrafficProgressRequest& request,
                              Done<TrafficProgress> done) {
  Enqueue<TrafficProgress>(std::move(done), [this, request](Done<TrafficProgress> answer) {
    CountTraffic(request, std::move(answer));
  });
}

void Node::CountTraffic(const GetTrafficProgressRequest& request, Done<TrafficProgress> done) {
  const absl::Status current = CheckRun(request.control());
  if (!current.ok()) return done(current);
  if (test_ == nullptr) return done(TrafficProgress());
  // The shard that tells last must not be kept from its RPCs by what follows.
  test_->CountTraffic([this, done = std::move(done)](std::shared_ptr<const TrafficCounts> counts) {
    queue_.Submit([done, counts = std::move(counts)] { done(counts->ToProgress()); });
  });
}

// --- CancelTraffic

void Node::CancelTraffic(const CancelTrafficRequest& request, Done<CancelTrafficResult> done) {
  Enqueue<CancelTrafficResult>(std::move(done), [this, request](Done<CancelTrafficResult> answer) {
    const absl::Status current = CheckRun(request.control());
    if (!current.ok()) return answer(current);
    Cancel(CancelReasonOf(request));
    answer(CancelTrafficResult());
  });
}

void Node::Cancel(const absl::Status& reason) {
  if (test_ != nullptr) test_->CancelTraffic(reason);
}

// --- GetTrafficResult

void Node::GetTrafficResult(const GetTrafficResultRequest& request,
                            Done<GetTrafficResultResponse> done) {
  Enqueue<GetTrafficResultResponse>(
      std::move(done), [this, request](Done<GetTrafficResultResponse> answer) {
        absl::StatusOr<GetTrafficResultResponse> result = TakeStatistics(request);
        if (!result.ok()) return answer(std::move(result));
        if (!request.without_samples()) AddAllSamples(result->mutable_service_logs());
        if (!request.has_control()) DropUnreadableLogs(result->mutable_service_logs());
        answer(std::move(result));
        EndResult(request.clear_services());
      });
}

// A sequencer of another program expects no log of an instance that has none in the public format.
void Node::DropUnreadableLogs(ServiceLogs* logs) {
  auto& all = *logs->mutable_instance_logs();
  for (auto log = all.begin(); log != all.end();) {
    const bool is_readable = !log->second.peer_logs().empty() ||
                             !log->second.activity_logs().empty() ||
                             !log->second.replay_trace_logs().empty();
    log = is_readable ? std::next(log) : all.erase(log);
  }
}

absl::Status Node::CheckResultRequest(const GetTrafficResultRequest& request) const {
  RETURN_IF_ERROR(CheckRun(request.control()));
  // Without a request id's memory of results, which are large, a repeat must not look like a test
  // in which nothing happened.
  if (is_cleared_ && !request.control().run_id().empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the results of run '", run_id_, "' were handed out and cleared before"));
  }
  if (test_ != nullptr && test_->is_running() && !test_->is_cancelled()) {
    return absl::FailedPreconditionError("traffic is still running; wait for it or cancel it");
  }
  return absl::OkStatus();
}

absl::StatusOr<GetTrafficResultResponse> Node::TakeStatistics(
    const GetTrafficResultRequest& request) {
  RETURN_IF_ERROR(CheckResultRequest(request));
  GetTrafficResultResponse response;
  if (test_ != nullptr) {
    if (!test_->WaitUntilEnded(absl::Now() + kDrainTimeout)) {
      test_->Stop("cancelled traffic did not end", absl::Now() + kStopTimeout);
    }
    *response.mutable_service_logs() = test_->BuildStatistics();
    TimeSeries time_series = test_->BuildTimeSeries();
    if (time_series.rows_size() > 0) *response.mutable_time_series() = std::move(time_series);
  }
  const std::string& key = alias_.empty() ? options_.host_name : alias_;
  (*response.mutable_node_usages())[key] = ResourceUsageSince(usage_at_start_);
  *response.mutable_report() = Report();
  return response;
}

// For a message, which has less than 2 GiB.
void Node::AddAllSamples(ServiceLogs* logs) {
  if (test_ != nullptr) AddSamplesUpTo(kMostSamplesOfAMessage, *test_->Samples(), logs);
}

void Node::EndResult(bool clear) {
  result_ = nullptr;
  if (!clear) return;
  RemoveTest("the test's services were cleared");
  is_cleared_ = true;
}

// --- The same in pieces

void Node::OpenResult(const GetTrafficResultRequest& request, Done<uint64_t> done) {
  Enqueue<uint64_t>(std::move(done), [this, request](Done<uint64_t> answer) {
    absl::StatusOr<GetTrafficResultResponse> statistics = TakeStatistics(request);
    if (!statistics.ok()) return answer(statistics.status());
    const bool has_samples = test_ != nullptr && !request.without_samples();
    result_ = std::make_unique<OpenedResult>(
        *std::move(statistics), has_samples ? test_->Samples() : nullptr, request.clear_services());
    answer(++result_number_);
  });
}

void Node::NextRecord(uint64_t result_number, Done<std::optional<ResultRecord>> done) {
  Enqueue<std::optional<ResultRecord>>(
      std::move(done), [this, result_number](Done<std::optional<ResultRecord>> answer) {
        answer(TakeRecord(result_number));
      });
}

absl::StatusOr<std::optional<ResultRecord>> Node::TakeRecord(uint64_t result_number) {
  if (result_ == nullptr || result_number != result_number_) {
    return absl::AbortedError("another call has taken the result, or the test was replaced");
  }
  return result_->Next();
}

void Node::CloseResult(uint64_t result_number) {
  queue_.Submit([this, result_number] {
    if (result_ != nullptr && result_number == result_number_) EndResult(result_->clears_test());
  });
}

NodeReport Node::Report() const {
  NodeReport report;
  report.set_node_alias(alias_);
  *report.mutable_provenance() = options_.environment->provenance();
  const absl::Status overload = test_ == nullptr ? absl::OkStatus() : test_->overload();
  if (!overload.ok()) report.set_overload(std::string(overload.message()));
  report.set_agreed_start(agreed_start_.has_value());
  if (!agreed_start_) return report;
  if (test_ != nullptr) report.set_start_skew_ns(test_->start_skew_ns().value_or(0));
  if (agreed_start_->has_clock_offset_ns()) {
    report.set_clock_offset_ns(agreed_start_->clock_offset_ns());
    report.set_clock_offset_bound_ns(agreed_start_->clock_offset_bound_ns());
  }
  return report;
}

// --- The rest

void Node::ShutdownNode(const ShutdownNodeRequest& /*request*/, Done<ShutdownNodeResult> done) {
  Enqueue<ShutdownNodeResult>(std::move(done), [this](Done<ShutdownNodeResult> answer) {
    answer(ShutdownNodeResult());
    if (!std::exchange(is_shutdown_asked_, true)) options_.on_shutdown();
  });
}

ClockReading Node::ProbeClock() {
  const Clock& clock = options_.environment->clock();
  ClockReading reading;
  reading.set_receive_timestamp_ns(clock.WallNs());
  reading.set_transmit_timestamp_ns(clock.WallNs());
  return reading;
}

}  // namespace distbench
