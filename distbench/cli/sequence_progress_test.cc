#include "distbench/cli/sequence_progress.h"

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::google::protobuf::TextFormat;

TestSequence Sequence(const std::string& text) {
  TestSequence sequence;
  EXPECT_TRUE(TextFormat::ParseFromString(text, &sequence)) << text;
  return sequence;
}

TestProgress Told(const std::string& text) {
  TestProgress progress;
  EXPECT_TRUE(TextFormat::ParseFromString(text, &progress)) << text;
  return progress;
}

constexpr char kTwoTests[] =
    "tests { actions { iterations { max_duration_us: 10000000 } } }"
    "tests { actions { iterations { max_duration_us: 20000000 } } }";

TEST(SequenceProgressTest, BeforeAnythingIsToldTheTimeIsKnown) {
  EXPECT_EQ(SequenceProgress(Sequence(kTwoTests)).Line(absl::Seconds(3)),
            "2 tests, 3 s of about 30 s");
}

TEST(SequenceProgressTest, APhaseIsNamed) {
  SequenceProgress progress(Sequence(kTwoTests));
  progress.Take(Told("test_index: 0 test_count: 2 test_name: 'one' phase: PREPARING"));
  EXPECT_EQ(progress.Line(absl::Seconds(1)),
            "test 1 of 2 'one': connecting; 1 s of about 30 s in all");
}

TEST(SequenceProgressTest, TrafficIsCountedOverAllKindsOfRpcs) {
  SequenceProgress progress(Sequence(kTwoTests));
  progress.Take(Told(R"(
      test_index: 1 test_count: 2 test_name: 'two' phase: RUNNING traffic_elapsed_ns: 4000000000
      traffic {
        rpcs { rpc_index: 0 measured_successes: 3000 failures: 7 warmup_successes: 100
               service_time_ns { sub_bucket_bits: 9 count: 1 min: 1200000 max: 1200000
                                 sum_low: 1200000 bucket_index_deltas: 6217 bucket_counts: 1 } }
        rpcs { rpc_index: 2 measured_successes: 893 }
      })"));
  EXPECT_EQ(progress.rpcs(), 4000);
  EXPECT_EQ(progress.Line(absl::Seconds(15)),
            "test 2 of 2 'two': 4 s of 20 s, 4000 RPCs, 1.00 kQPS, p50 1.2 ms, p99 1.2 ms, 7 "
            "errors; 15 s of about 30 s in all");
}

TEST(SequenceProgressTest, TheRateIsThatOfTheLastSecond) {
  SequenceProgress progress(Sequence(kTwoTests));
  const auto tell = [&](int64_t elapsed_ms, int64_t rpcs) {
    TestProgress told = Told("test_count: 2 phase: RUNNING");
    told.set_traffic_elapsed_ns(elapsed_ms * 1'000'000);
    told.mutable_traffic()->add_rpcs()->set_measured_successes(rpcs);
    progress.Take(told);
  };
  tell(1000, 1'000);
  tell(1500, 9'000);
  EXPECT_NE(progress.Line({}).find("1.00 kQPS"), std::string::npos) << progress.Line({});
  tell(2000, 11'000);
  EXPECT_NE(progress.Line({}).find("10.00 kQPS"), std::string::npos) << progress.Line({});
}

TEST(SequenceProgressTest, ANewTestBeginsAtZero) {
  SequenceProgress progress(Sequence(kTwoTests));
  progress.Take(Told("test_count: 2 traffic_elapsed_ns: 5 traffic { rpcs { failures: 3 } }"));
  progress.Take(Told("test_index: 1 test_count: 2 phase: RUNNING"));
  EXPECT_EQ(progress.rpcs(), 0);
  EXPECT_EQ(progress.Line(absl::ZeroDuration()), "test 2 of 2: starting; 0 s of about 30 s in all");
}

TEST(SequenceProgressTest, OfAnOnlyTestNothingIsSaidOfPositionAndTotals) {
  SequenceProgress progress(
      Sequence("tests { actions { iterations { max_duration_us: 10000000 } } }"));
  EXPECT_EQ(progress.Line(absl::Seconds(1)), "1 s of about 10 s");
  progress.Take(Told("test_count: 1 test_name: 'one' phase: PREPARING"));
  EXPECT_EQ(progress.Line(absl::Seconds(2)), "'one': connecting");
  progress.Take(Told("test_count: 1 test_name: 'one' traffic_elapsed_ns: 7000000000 traffic { }"));
  EXPECT_EQ(progress.Line(absl::Seconds(9)), "'one': 7 s of 10 s, 0 RPCs, 0.00 kQPS, 0 errors");
}

TEST(SequenceProgressTest, WithoutLimitsOfTimeNoEndIsPromised) {
  SequenceProgress progress(Sequence("tests { actions { iterations { } } }"));
  EXPECT_EQ(progress.Line(absl::Seconds(1)), "1 s");
  progress.Take(Told("test_count: 1 traffic_elapsed_ns: 7000000000 traffic { }"));
  EXPECT_EQ(progress.Line(absl::Seconds(9)), "7 s, 0 RPCs, 0.00 kQPS, 0 errors");
}

}  // namespace
}  // namespace distbench
