// Against a sequencer on loopback that keeps its callers waiting.
#include "distbench/cli/sequencer_client.h"

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "distbench/net/grpc_listener.h"
#include "distbench/results/result_assembler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/progress.pb.h"
#include "protos/result_record.pb.h"
#include "protos/services.grpc.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Answers a sequence when it is stopped, with one result, or when its caller has gone. Older ones
// know no stop.
class SlowSequencer final : public DistBenchTestSequencer::Service {
 public:
  explicit SlowSequencer(bool is_older) : is_older_(is_older) {}

  grpc::Status RunTestSequence(grpc::ServerContext* context, const TestSequence* request,
                               TestSequenceResults* response) override {
    absl::MutexLock lock(&mutex_);
    running_ = request->sequence_id();
    while (!stopped_ && !context->IsCancelled()) {
      mutex_.AwaitWithTimeout(absl::Condition(&stopped_), absl::Milliseconds(1));
    }
    response->add_test_results()->add_log_summary("measured until then");
    return grpc::Status::OK;
  }

  grpc::Status StopTestSequence(grpc::ServerContext* /*context*/,
                                const StopTestSequenceRequest* request,
                                StopTestSequenceResult* /*response*/) override {
    if (is_older_) return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "");
    absl::MutexLock lock(&mutex_);
    // The first request comes before the sequence.
    if (std::exchange(is_first_stop_, false) || request->sequence_id() != running_) {
      return grpc::Status(grpc::StatusCode::NOT_FOUND, "");
    }
    stopped_ = true;
    return grpc::Status::OK;
  }

  void AwaitSequence() {
    absl::MutexLock lock(&mutex_);
    const auto running = [&] { return !running_.empty(); };
    mutex_.Await(absl::Condition(&running));
  }

 private:
  const bool is_older_;
  absl::Mutex mutex_;
  std::string running_ ABSL_GUARDED_BY(mutex_);
  bool is_first_stop_ ABSL_GUARDED_BY(mutex_) = true;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

// Runs a sequence, does `act` to the client once it is under way, and returns what Run did.
absl::StatusOr<TestSequenceResults> RunAnd(SlowSequencer* sequencer,
                                           const std::function<void(SequencerClient*)>& act) {
  auto listener = GrpcListener::Start({.bind_ip = "127.0.0.1", .service = sequencer});
  if (!listener.ok()) return listener.status();
  SequencerClient client({.host = "127.0.0.1", .port = (*listener)->port()});
  TestSequence sequence;
  sequence.set_sequence_id("mine");
  std::thread actor([&] {
    sequencer->AwaitSequence();
    act(&client);
  });
  ResultAssembler assembler;
  const absl::Status status = client.Run(
      sequence, absl::Seconds(60),
      {.on_progress = [](const TestProgress&) {},
       .on_record = [&](const ResultRecord& record) { EXPECT_TRUE(assembler.Add(record).ok()); }});
  actor.join();
  if (!status.ok()) return status;
  EXPECT_TRUE(assembler.is_whole());
  return assembler.Take();
}

TEST(SequencerClientTest, AStoppedRunReturnsWhatThereIs) {
  SlowSequencer sequencer(/*is_older=*/false);
  const auto results = RunAnd(&sequencer, [](SequencerClient* client) { client->Stop(); });
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->test_results_size(), 1);
}

TEST(SequencerClientTest, AnOlderSequencerIsCancelledAndTheLossIsTold) {
  SlowSequencer sequencer(/*is_older=*/true);
  const auto results = RunAnd(&sequencer, [](SequencerClient* client) { client->Stop(); });
  EXPECT_TRUE(absl::IsCancelled(results.status())) << results.status();
  EXPECT_THAT(std::string(results.status().message()),
              AllOf(HasSubstr("results of complete tests are lost"), HasSubstr("127.0.0.1:"),
                    HasSubstr("older")));
}

TEST(SequencerClientTest, ACancelledRunReturnsAtOnce) {
  SlowSequencer sequencer(/*is_older=*/false);
  const auto results = RunAnd(&sequencer, [](SequencerClient* client) { client->Cancel(); });
  EXPECT_EQ(results.status(), absl::CancelledError("cancelled"));
}

TEST(SequencerClientTest, NothingBeginsAfterAStop) {
  SequencerClient client({.host = "127.0.0.1", .port = 1});
  client.Stop();
  EXPECT_TRUE(absl::IsCancelled(client.Connect(absl::Seconds(60))));
  TestSequence sequence;
  sequence.set_sequence_id("mine");
  EXPECT_TRUE(absl::IsCancelled(client.Run(sequence, absl::Seconds(60), {})));
}

}  // namespace
}  // namespace distbench
