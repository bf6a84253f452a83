#include "distbench/sequencer/sequence_runner.h"

#include <glog/logging.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/base/free_memory.h"
#include "distbench/config/diagnostics.h"
#include "distbench/results/log_samples.h"
#include "distbench/results/result_records.h"
#include "distbench/sequencer/alarm.h"
#include "distbench/sequencer/control_calls.h"
#include "distbench/sequencer/node_errors.h"
#include "distbench/sequencer/sample_relay.h"
#include "distbench/sequencer/sequence_receiver.h"
#include "distbench/sequencer/test_run.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"
#include "protos/result_record.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

constexpr int64_t kShutdownTimeoutNs = 5'000'000'000;
// How long a caller may take to make room for the next MiB.
constexpr int64_t kReceiverPatienceNs = 60'000'000'000;

// For callers who do not know how many there were.
void DescribeTestsNotRun(int count, TestResult& result) {
  if (count == 0) return;
  result.add_log_summary("Tests not run:");
  result.add_log_summary(absl::StrCat("  ", count, " after this one"));
}

}  // namespace

struct SequenceRunner::Job {
  // Constant once enqueued.
  TestSequence as_given;
  TestSequence canonical;
  std::vector<CompiledTest> compiled;  // as many as tests
  std::shared_ptr<SequenceReceiver> receiver;
  // Belongs to the runner's thread.
  StopSignal stop;
  bool is_stuck = false;  // the receiver has no room, and was waited for long enough
};

SequenceRunner::SequenceRunner(SequenceRunnerOptions options) : options_(std::move(options)) {}
SequenceRunner::~SequenceRunner() = default;

SequenceRunner::Cancel SequenceRunner::Run(TestSequence sequence,
                                           std::shared_ptr<SequenceReceiver> receiver) {
  auto job = std::make_shared<Job>();
  job->as_given = std::move(sequence);
  job->canonical = job->as_given;
  Diagnostics diagnostics;
  job->compiled = CompileSequence(&job->canonical, options_.drivers, &diagnostics);
  if (diagnostics.has_errors()) {
    receiver->OnEnd(diagnostics.ToStatus());
    return [] {};
  }
  if (job->compiled.empty()) {
    receiver->OnEnd(absl::OkStatus());
    if (!job->canonical.tests_setting().shutdown_after_tests()) return [] {};
  } else {
    job->receiver = receiver;
  }

  absl::MutexLock lock(&mutex_);
  if (refusing_) {
    if (job->receiver != nullptr) {
      receiver->OnEnd(absl::UnavailableError("the test sequencer is shutting down"));
    }
    return [] {};
  }
  Mailbox& mailbox = options_.context.calls.mailbox;
  mailbox.Post([this, job] { Enqueue(job); });
  return [&mailbox, weak = std::weak_ptr<Job>(job)] {
    mailbox.Post([weak] {
      const JobPointer cancelled = weak.lock();
      if (cancelled == nullptr) return;
      cancelled->stop.Request(absl::CancelledError("cancelled by the caller"));
    });
  };
}

void SequenceRunner::StopSequence(std::string sequence_id, std::function<void(absl::Status)> done) {
  if (sequence_id.empty()) {
    return done(absl::InvalidArgumentError(
        "StopTestSequenceRequest.sequence_id is empty; name the TestSequence.sequence_id to stop"));
  }
  absl::MutexLock lock(&mutex_);
  if (refusing_) return done(absl::UnavailableError("the test sequencer is shutting down"));
  options_.context.calls.mailbox.Post([this, id = std::move(sequence_id), done = std::move(done)] {
    bool found = false;
    for (const JobPointer& job : AllJobs()) {
      if (job->as_given.sequence_id() != id) continue;
      job->stop.Request(absl::CancelledError("stopped by the caller"));
      found = true;
    }
    done(found ? absl::OkStatus()
               : absl::NotFoundError(absl::StrCat("no test sequence ", Quoted(id), " is running")));
  });
}

void SequenceRunner::Stop() {
  absl::MutexLock lock(&mutex_);
  refusing_ = true;
  options_.context.calls.mailbox.Post([this] {
    stopping_ = true;
    StopAll(absl::CancelledError("the test sequencer is shutting down"));
  });
}

std::vector<SequenceRunner::JobPointer> SequenceRunner::AllJobs() const {
  std::vector<JobPointer> jobs(waiting_.begin(), waiting_.end());
  if (running_ != nullptr) jobs.push_back(running_);
  return jobs;
}

void SequenceRunner::StopAll(const absl::Status& reason) {
  for (const JobPointer& job : AllJobs()) job->stop.Request(reason);
}

// A sequence without tests is here only for its shutdown, which waits for its turn.
void SequenceRunner::Enqueue(const JobPointer& job) {
  if (!job->compiled.empty()) {
    StopAll(absl::CancelledError("preempted by a new test sequence"));
  }
  waiting_.push_back(job);
}

void SequenceRunner::Serve() {
  while (true) {
    options_.context.calls.mailbox.RunUntil([this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    running_ = std::move(waiting_.front());
    waiting_.pop_front();
    Execute(*running_);
    running_ = nullptr;
    ReturnFreeMemory();
  }
}

void SequenceRunner::Execute(Job& job) {
  if (job.receiver != nullptr) {
    Send(job, HeaderRecord(options_.context.provenance));
    Send(job, FileEndRecord(RunTests(job)));
  }
  const bool shut_down =
      job.canonical.tests_setting().shutdown_after_tests() && !job.stop.requested();
  if (shut_down) ShutDownNodes();
  if (job.receiver != nullptr) job.receiver->OnEnd(absl::OkStatus());
  if (shut_down) options_.on_shutdown();
}

OnTestProgress SequenceRunner::ObserverOf(const Job& job, int test) const {
  if (!job.receiver->wants_progress()) return nullptr;
  return [&job, test](const TestProgress& progress) {
    TestProgress named = progress;
    named.set_test_index(test);
    named.set_test_count(job.canonical.tests_size());
    named.set_test_name(job.canonical.tests(test).name());
    job.receiver->OnProgress(named);
  };
}

int SequenceRunner::RunTests(Job& job) {
  const int tests = job.canonical.tests_size();
  for (int i = 0; i < tests; ++i) {
    TestRun run(options_.context,
                {.as_given = job.as_given.tests(i),
                 .canonical = job.canonical.tests(i),
                 .plan = job.compiled[i].plan,
                 .wants_samples = job.canonical.tests_setting().keep_instance_log()},
                job.stop, ObserverOf(job, i));
    TestResult result = run.Run();
    const bool is_last =
        result.report().status_code() != 0 && (job.stop.requested() || run.lacks_silent_nodes());
    if (is_last) DescribeTestsNotRun(tests - i - 1, result);
    Deliver(job, run, std::move(result));
    if (is_last) return i + 1;
  }
  return tests;
}

void SequenceRunner::Deliver(Job& job, TestRun& run, TestResult result) {
  const bool wants_samples = job.canonical.tests_setting().keep_instance_log();
  if (!wants_samples) {
    for (auto& [instance, log] : *result.mutable_service_logs()->mutable_instance_logs()) {
      DropSamples(log);
    }
  }
  const KnownRpcs known(result.service_logs());
  const auto send = [&](ResultRecord record) { return Send(job, std::move(record)); };
  const int64_t samples =
      VisitTest(std::move(result), [&](ResultRecord record) { send(std::move(record)); });
  SampleRelay relay(options_.context.calls, known, send);
  for (NodeSamples& node : run.TakeSamples()) {
    if (!job.receiver->has_gone() && !job.is_stuck) relay.Relay(std::move(node));
  }
  ResultRecord end = TestEndRecord(samples + relay.samples());
  for (const std::string& remark : relay.remarks()) end.mutable_test_end()->add_remarks(remark);
  Send(job, std::move(end));
}

bool SequenceRunner::Send(Job& job, ResultRecord record) {
  const CallContext& calls = options_.context.calls;
  if (!job.is_stuck && !job.receiver->has_room()) {
    Alarm enough(calls.timers, calls.mailbox, calls.clock.MonotonicNs() + kReceiverPatienceNs);
    calls.mailbox.RunUntil([&] { return job.receiver->has_room() || enough.rung(); });
    job.is_stuck = !job.receiver->has_room();
    LOG_IF(WARNING, job.is_stuck) << "the caller takes no results any more";
  }
  if (job.is_stuck || job.receiver->has_gone()) return false;
  job.receiver->OnRecord(std::move(record));
  return true;
}

void SequenceRunner::LookAgain() {
  options_.context.calls.mailbox.Post([] {});
}

void SequenceRunner::ShutDownNodes() {
  const CallContext& calls = options_.context.calls;
  const std::vector<NodePointer> nodes = options_.context.nodes.Nodes();
  ControlCalls control("shutdown");
  NodeCalls<ShutdownNodeResult> shutdowns(
      calls, nodes.size(), {.timeout_ns = kShutdownTimeoutNs},
      [&](NodeIndex node, int64_t timeout_ns, NodeDone<ShutdownNodeResult> done) {
        ShutdownNodeRequest request;
        return nodes[node.value()]->stub->ShutdownNode(std::move(request), timeout_ns,
                                                       std::move(done));
      });
  shutdowns.Await({});
  for (size_t i = 0; i < nodes.size(); ++i) {
    const absl::Status status = (*shutdowns.answer(NodeIndex(i))).status();
    LOG_IF(WARNING, !status.ok()) << nodes[i]->ToString() << " was not shut down: " << status;
  }
}

}  // namespace distbench
