// Many calls at once, from all event loops.
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "distbench/driver/conformance/driver_conformance.h"

namespace distbench {
namespace {

// Calls from one thread, a window of them at a time.
void CallInWindows(ProtocolDriver& client, InstanceIndex peer, ShardIndex shard) {
  constexpr int kWindow = 30;
  constexpr int kRounds = 20;
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int i = 0; i < kWindow; ++i) {
    calls.push_back(std::make_unique<TestCall>(client));
    calls.back()->peer = peer;
    calls.back()->shard = shard;
  }
  for (int round = 0; round < kRounds; ++round) {
    const std::string head = "round " + std::to_string(round);
    for (const auto& call : calls) {
      call->request = {.head = head, .payload_size = 50 * round};
      call->Start();
    }
    client.Flush(shard);
    for (const auto& call : calls) {
      ASSERT_TRUE(call->Wait().ok()) << call->status();
      ASSERT_EQ(call->response(), Flatten(call->request));
    }
  }
}

TEST_P(DriverConformanceTest, CallsOfAllShardsRunAtTheSameTime) {
  TestServer handler(Echo);
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  std::vector<std::thread> threads;
  for (size_t shard = 0; shard < subject_->shard_count(); ++shard) {
    threads.emplace_back(CallInWindows, std::ref(*pair.client), kServer, ShardIndex(shard));
  }
  for (std::thread& thread : threads) thread.join();
}

// Notes the shards on which requests arrive.
class ShardRecorder final : public RequestHandler {
 public:
  void OnRequest(ShardIndex shard, const ReceivedMessage&, Responder responder) override {
    {
      absl::MutexLock lock(&mutex_);
      shards_.insert(shard.value());
    }
    responder.Respond({});
  }
  std::set<uint32_t> shards() const {
    absl::MutexLock lock(&mutex_);
    return shards_;
  }

 private:
  mutable absl::Mutex mutex_;
  std::set<uint32_t> shards_ ABSL_GUARDED_BY(mutex_);
};

TEST_P(DriverConformanceTest, RequestsArriveOnShardsThatExist) {
  ShardRecorder handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  TestCall call(*pair.client);
  call.peer = kServer;
  for (size_t i = 0; i < 4 * subject_->shard_count(); ++i) {
    call.shard = ShardIndex(i % subject_->shard_count());
    call.Start();
    ASSERT_TRUE(call.Wait().ok()) << call.status();
  }
  ASSERT_FALSE(handler.shards().empty());
  EXPECT_LT(*handler.shards().rbegin(), subject_->shard_count());
}

TEST_P(DriverConformanceTest, ManyRequestsMayWaitForTheirAnswersAtOnce) {
  constexpr int kCalls = 1000;
  TestServer handler;
  ConnectedPair pair(NewDriver(), NewServer(&handler));
  ConnectTo(*pair.client, *pair.server);
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int i = 0; i < kCalls; ++i) {
    calls.push_back(std::make_unique<TestCall>(*pair.client));
    calls.back()->peer = kServer;
    calls.back()->Start();
  }
  std::vector<Responder> responders;
  for (int i = 0; i < kCalls; ++i) responders.push_back(handler.Take());
  for (const auto& call : calls) ASSERT_FALSE(call->done());
  for (Responder& responder : responders) responder.Respond({.head = "answer"});
  for (const auto& call : calls) {
    ASSERT_TRUE(call->Wait().ok()) << call->status();
    ASSERT_EQ(call->response(), "answer");
  }
}

}  // namespace
}  // namespace distbench
