#include "distbench/results/traffic_counts.h"

#include <algorithm>

#include "distbench/results/made_up_traffic.h"
#include "distbench/results/recorder.h"
#include "gtest/gtest.h"
#include "protos/progress.pb.h"

namespace distbench {
namespace {

class TrafficCountsTest : public testing::Test {
 protected:
  // What `count` made-up RPCs of that seed add up to, if one recorder saw them.
  void Record(size_t count, uint64_t seed, TrafficCounts* counts) {
    Recorder recorder({.plan = plan_, .self = InstanceIndex(0)});
    for (const MadeUpRpc& rpc : MadeUpTraffic(*plan_, count, seed)) {
      distbench::Record(rpc, recorder);
    }
    recorder.AddTo(counts);
  }

  const std::shared_ptr<const Plan> plan_ = MadeUpPlan({.servers = 3, .rpcs = {"get", "put"}});
};

TEST_F(TrafficCountsTest, CountEveryRecordedRpcOnce) {
  std::map<int32_t, RpcCounts> expected;
  for (const MadeUpRpc& rpc : MadeUpTraffic(*plan_, 1000, 7)) {
    RpcCounts& kind = expected[static_cast<int32_t>(rpc.record.rpc.value())];
    if (!rpc.error.empty()) {
      kind.set_failures(kind.failures() + 1);
    } else if (rpc.record.warmup) {
      kind.set_warmup_successes(kind.warmup_successes() + 1);
    } else {
      kind.set_measured_successes(kind.measured_successes() + 1);
      kind.set_request_bytes(kind.request_bytes() + rpc.record.request_bytes);
      kind.set_response_bytes(kind.response_bytes() + rpc.record.response_bytes);
    }
  }
  TrafficCounts counts;
  Record(1000, 7, &counts);
  counts.AddOutstanding(12);
  const TrafficProgress progress = counts.ToProgress();
  EXPECT_EQ(progress.outstanding_rpcs(), 12);
  ASSERT_EQ(progress.rpcs_size(), 2);
  for (const RpcCounts& rpc : progress.rpcs()) {
    const RpcCounts& kind = expected.at(rpc.rpc_index());
    EXPECT_GT(kind.measured_successes(), 0);
    EXPECT_EQ(rpc.measured_successes(), kind.measured_successes());
    EXPECT_EQ(rpc.failures(), kind.failures());
    EXPECT_EQ(rpc.warmup_successes(), kind.warmup_successes());
    EXPECT_EQ(rpc.request_bytes(), kind.request_bytes());
    EXPECT_EQ(rpc.response_bytes(), kind.response_bytes());
    EXPECT_EQ(rpc.service_time_ns().count(), kind.measured_successes());
  }
}

TEST_F(TrafficCountsTest, OfSeveralNodesAreThoseOfOneThatSawItAll) {
  TrafficCounts first, second, whole;
  Record(500, 1, &first);
  Record(700, 2, &second);
  first.AddOutstanding(3);
  second.AddOutstanding(4);
  Record(500, 1, &whole);
  Record(700, 2, &whole);
  whole.AddOutstanding(7);
  TrafficCounts sum;
  ASSERT_TRUE(sum.Add(second.ToProgress()).ok());
  ASSERT_TRUE(sum.Add(first.ToProgress()).ok());
  EXPECT_EQ(sum.ToProgress().SerializeAsString(), whole.ToProgress().SerializeAsString());
}

TEST_F(TrafficCountsTest, NonsenseOfANodeAddsNothing) {
  TrafficCounts sane;
  Record(100, 1, &sane);
  const TrafficProgress valid = sane.ToProgress();
  const auto expect_refused = [&](auto spoil, const char* field) {
    TrafficProgress spoilt = valid;
    spoil(*spoilt.mutable_rpcs(1));
    TrafficCounts counts;
    const absl::Status status = counts.Add(spoilt);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << field;
    EXPECT_NE(status.message().find(field), absl::string_view::npos) << status;
    EXPECT_EQ(counts.ToProgress().rpcs_size(), 0) << field;
  };
  expect_refused([](RpcCounts& rpc) { rpc.set_rpc_index(-1); }, "rpc_index");
  expect_refused([](RpcCounts& rpc) { rpc.set_failures(-1); }, "failures");
  expect_refused([](RpcCounts& rpc) { rpc.set_response_bytes(-1); }, "response_bytes");
  expect_refused([](RpcCounts& rpc) { rpc.mutable_service_time_ns()->set_sub_bucket_bits(60); },
                 "sub_bucket_bits");
}

}  // namespace
}  // namespace distbench
