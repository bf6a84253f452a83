#include "distbench/sequencer/grpc_result_stream.h"

#include <grpc/support/time.h>
#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>
#if defined(DISTBENCH_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "distbench/net/grpc_status.h"
#include "distbench/results/log_samples.h"

namespace distbench {
namespace {

// One call, from the request to the last sample.
//
//   Head --node_result--> Idle --Next--> Reading --samples--> Idle ...
//     '----- the call ends -'--------------'------------------> Ended
//
// The head is read without being asked for, samples one block at a time: what nobody has asked for
// stays at the node. A hold keeps gRPC from ending the call between reads.
//
// Keeps itself alive until gRPC is done with it.
class ResultStreamCall final : public NodeCall, public grpc::ClientReadReactor<ResultRecord> {
 public:
  ResultStreamCall(GetTrafficResultRequest request, NodeDone<NodeResult> done)
      : request_(std::move(request)), done_(std::move(done)), context_(std::in_place) {}

  static void Start(DistBenchNodeManager::StubInterface::async_interface& stub, int64_t timeout_ns,
                    const std::shared_ptr<ResultStreamCall>& call);

  void Cancel() override;
  void Next(SampleStream::Done done);
  // Nobody will ask for more.
  void Abandon();

  void OnReadDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  void OnHeadRecord();
  void DeliverHead();
  void EndReading();

  const GetTrafficResultRequest request_;
  NodeDone<NodeResult> done_;  // null: the head was delivered
  std::shared_ptr<ResultStreamCall> self_;
  ResultRecord record_;
  GetTrafficResultResponse head_;
  grpc::Alarm head_timeout_;

  absl::Mutex mutex_;
  std::optional<grpc::ClientContext> context_ ABSL_GUARDED_BY(mutex_);  // none: has ended
  bool is_reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_held_ ABSL_GUARDED_BY(mutex_) = false;
  bool has_timed_out_ ABSL_GUARDED_BY(mutex_) = false;
  SampleStream::Done next_done_ ABSL_GUARDED_BY(mutex_);       // null: nobody waits
  std::optional<absl::Status> ended_ ABSL_GUARDED_BY(mutex_);  // none: not yet
};

// What is handed out: letting go of it ends the call.
class GrpcSampleStream final : public SampleStream {
 public:
  explicit GrpcSampleStream(std::shared_ptr<ResultStreamCall> call) : call_(std::move(call)) {}
  ~GrpcSampleStream() override { call_->Abandon(); }
  void Next(Done done) override { call_->Next(std::move(done)); }

 private:
  const std::shared_ptr<ResultStreamCall> call_;
};

void ResultStreamCall::Start(DistBenchNodeManager::StubInterface::async_interface& stub,
                             int64_t timeout_ns, const std::shared_ptr<ResultStreamCall>& call) {
  ResultStreamCall& started = *call;
  started.self_ = call;
  {
    absl::MutexLock lock(&started.mutex_);
    stub.StreamTrafficResult(&*started.context_, &started.request_, &started);
    started.is_reading_ = true;
    started.is_held_ = true;
  }
  started.AddHold();
  started.StartRead(&started.record_);
  // The alarm's callback runs in any case: at the latest when the alarm goes away with the call.
  started.head_timeout_.Set(
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(timeout_ns, GPR_TIMESPAN)),
      [weak = std::weak_ptr<ResultStreamCall>(call)](bool has_expired) {
        const std::shared_ptr<ResultStreamCall> late = has_expired ? weak.lock() : nullptr;
        if (late == nullptr) return;
        {
          absl::MutexLock lock(&late->mutex_);
          late->has_timed_out_ = true;
        }
        late->Cancel();
      });
#if defined(DISTBENCH_TSAN)
  __tsan_release(&started);
#endif
  started.StartCall();
}

void ResultStreamCall::Cancel() {
  absl::MutexLock lock(&mutex_);
  if (context_.has_value()) context_->TryCancel();
}

void ResultStreamCall::Abandon() {
  bool release = false;
  {
    absl::MutexLock lock(&mutex_);
    if (context_.has_value()) context_->TryCancel();
    release = !is_reading_ && std::exchange(is_held_, false);
  }
  if (release) RemoveHold();
}

void ResultStreamCall::Next(SampleStream::Done done) {
  std::optional<absl::Status> ended;
  {
    absl::MutexLock lock(&mutex_);
    ended = ended_;
    if (!ended.has_value()) {
      next_done_ = std::move(done);
      // A read that failed: the end is on its way.
      if (!is_held_) return;
      is_reading_ = true;
    }
  }
  if (!ended.has_value()) return StartRead(&record_);
  if (ended->ok()) return done(std::optional<SampleBlock>());
  done(*ended);
}

void ResultStreamCall::OnReadDone(bool ok) {
#if defined(DISTBENCH_TSAN)
  __tsan_acquire(this);
#endif
  if (!ok) return EndReading();
  if (done_ != nullptr) return OnHeadRecord();
  SampleStream::Done next_done;
  {
    absl::MutexLock lock(&mutex_);
    is_reading_ = false;
    next_done = std::exchange(next_done_, nullptr);
  }
  if (next_done == nullptr) return;
  if (record_.has_samples()) return next_done(std::optional(std::move(*record_.mutable_samples())));
  next_done(absl::InvalidArgumentError("a record among the samples is of another kind"));
}

// The call's end tells the rest.
void ResultStreamCall::EndReading() {
  bool release = false;
  {
    absl::MutexLock lock(&mutex_);
    is_reading_ = false;
    release = std::exchange(is_held_, false);
  }
  if (release) RemoveHold();
}

void ResultStreamCall::OnHeadRecord() {
  if (record_.has_node_result()) return DeliverHead();
  if (record_.has_instance_log()) {
    const std::string instance = record_.instance_log().instance();
    AddPart(std::move(*record_.mutable_instance_log()),
            (*head_.mutable_service_logs()->mutable_instance_logs())[instance]);
  }
  StartRead(&record_);
}

void ResultStreamCall::DeliverHead() {
  head_timeout_.Cancel();
  ServiceLogs logs;
  logs.Swap(head_.mutable_service_logs());
  head_.Swap(record_.mutable_node_result());
  head_.mutable_service_logs()->Swap(&logs);
  {
    absl::MutexLock lock(&mutex_);
    is_reading_ = false;
  }
  const NodeDone<NodeResult> done = std::exchange(done_, nullptr);
  done(
      NodeResult{.result = std::move(head_), .samples = std::make_shared<GrpcSampleStream>(self_)});
}

void ResultStreamCall::OnDone(const grpc::Status& status) {
#if defined(DISTBENCH_TSAN)
  __tsan_acquire(this);
#endif
  const std::shared_ptr<ResultStreamCall> until_return = std::move(self_);
  head_timeout_.Cancel();
  absl::Status end = FromGrpcStatus(status);
  SampleStream::Done next_done;
  {
    absl::MutexLock lock(&mutex_);
    if (has_timed_out_) end = absl::DeadlineExceededError("no result in time");
    context_.reset();
    ended_ = end;
    next_done = std::exchange(next_done_, nullptr);
  }
  if (done_ != nullptr) {
    if (end.ok()) end = absl::DataLossError("the result ended before the node's own figures came");
    std::exchange(done_, nullptr)(end);
  } else if (next_done != nullptr) {
    if (end.ok()) return next_done(std::optional<SampleBlock>());
    next_done(end);
  }
}

}  // namespace

NodeCallHandle StartGrpcResultStream(DistBenchNodeManager::StubInterface::async_interface& stub,
                                     GetTrafficResultRequest request, int64_t timeout_ns,
                                     NodeDone<NodeResult> done) {
  auto call = std::make_shared<ResultStreamCall>(std::move(request), std::move(done));
  ResultStreamCall::Start(stub, timeout_ns, call);
  return call;
}

}  // namespace distbench
