#include "distbench/results/served_recorder.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

ServicePerformanceLog LogOf(const std::vector<const ServedRecorder*>& shards) {
  ServicePerformanceLog log;
  WriteServedRpcs(shards, log);
  return log;
}

TEST(ServedRecorderTest, TimesAreSplitWhereTheHandlingBegins) {
  ServedRecorder recorder(2);
  recorder.Record({.rpc = RpcIndex(1), .arrival_ns = 1000, .begin_ns = 1010, .end_ns = 1310});
  const ServicePerformanceLog log = LogOf({&recorder});
  ASSERT_EQ(log.served_rpcs_size(), 1);
  EXPECT_EQ(log.served_rpcs().at(1).queue_time_ns().max(), 10);
  EXPECT_EQ(log.served_rpcs().at(1).handler_time_ns().max(), 300);
}

TEST(ServedRecorderTest, ShardsMakeNoDifference) {
  ServedRecorder one(2);
  ServedRecorder shards[3] = {ServedRecorder(2), ServedRecorder(2), ServedRecorder(2)};
  for (int64_t i = 0; i < 1000; ++i) {
    const ServedRpc served = {
        .rpc = RpcIndex(static_cast<size_t>(i % 2)), .begin_ns = i * i, .end_ns = i * i * i};
    one.Record(served);
    shards[i % 3].Record(served);
  }
  const ServicePerformanceLog merged = LogOf({&shards[2], &shards[0], &shards[1]});
  for (const int rpc : {0, 1}) {
    EXPECT_EQ(merged.served_rpcs().at(rpc).DebugString(),
              LogOf({&one}).served_rpcs().at(rpc).DebugString());
  }
}

TEST(ServedRecorderTest, ThreadsThatRecordTogetherLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kEach = 10'000;
  ServedRecorder recorder(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&recorder] {
      for (int64_t n = 0; n < kEach; ++n) recorder.Record({.begin_ns = n, .end_ns = n});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(LogOf({&recorder}).served_rpcs().at(0).queue_time_ns().count(), kThreads * kEach);
}

TEST(ServedRecorderTest, NothingIsRecordedOnceItIsClosed) {
  ServedRecorder recorder(1);
  recorder.Record({.begin_ns = 1, .end_ns = 2});
  recorder.Close();
  recorder.Record({.begin_ns = 1, .end_ns = 2});
  EXPECT_EQ(LogOf({&recorder}).served_rpcs().at(0).handler_time_ns().count(), 1);
}

}  // namespace
}  // namespace distbench
