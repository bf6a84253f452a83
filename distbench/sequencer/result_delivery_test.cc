// How the results of a sequence reach whoever asked for it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "distbench/results/result_assembler.h"
#include "distbench/sequencer/fake_cluster.h"
#include "distbench/sequencer/sequence_receiver.h"
#include "distbench/sequencer/sequence_runner.h"

namespace distbench {
namespace {

using testing::HasSubstr;

constexpr int64_t kSecondNs = 1'000'000'000;

// Keeps what comes, and may have no room.
class RecordingReceiver final : public SequenceReceiver {
 public:
  bool wants_progress() const override { return false; }
  void OnProgress(const TestProgress&) override {}
  void OnRecord(ResultRecord record) override {
    EXPECT_TRUE(has_room());
    if (record.has_test()) on_test();
    records.push_back(std::move(record));
  }
  bool has_room() const override { return is_gone || records.size() < room; }
  bool has_gone() const override { return is_gone; }
  void OnEnd(const absl::Status& status) override { ended = status; }

  size_t room = 1000;
  std::function<void()> on_test = [] {};
  bool is_gone = false;
  std::vector<ResultRecord> records;
  absl::Status ended = absl::UnknownError("not ended");
};

class ResultDeliveryTest : public testing::Test {
 protected:
  // Two clients, each of which has one sample, and a server.
  void RunOn(const FakeNodeOptions& options, bool keeps_samples = true) {
    for (int i = 0; i < 3; ++i) cluster_.AddNode(options);
    Ask(keeps_samples);
  }
  void Ask(bool keeps_samples = true) {
    TestSequence sequence = ClientServerTest(2);
    sequence.mutable_tests_setting()->set_keep_instance_log(keeps_samples);
    runner_.Run(sequence, receiver_);
    cluster_.events.After(600 * kSecondNs, [this] { runner_.Stop(); });
    runner_.Serve();
  }

  TestResult Assembled() {
    ResultAssembler assembler;
    for (const ResultRecord& record : receiver_->records) {
      const absl::Status added = assembler.Add(record);
      EXPECT_TRUE(added.ok()) << added;
    }
    EXPECT_TRUE(assembler.is_whole());
    return assembler.Take().test_results(0);
  }
  static int SamplesOf(const TestResult& test, const std::string& instance) {
    return test.service_logs()
        .instance_logs()
        .at(instance)
        .peer_logs()
        .at("server/0")
        .rpc_logs()
        .at(0)
        .successful_rpc_samples_size();
  }

  FakeCluster cluster_;
  std::shared_ptr<RecordingReceiver> receiver_ = std::make_shared<RecordingReceiver>();
  SequenceRunner runner_{
      {.context = cluster_.context(), .drivers = FakeDrivers(), .on_shutdown = [] {}}};
};

TEST_F(ResultDeliveryTest, StreamedSamplesComeAfterEverythingElse) {
  RunOn({});
  ASSERT_TRUE(receiver_->ended.ok()) << receiver_->ended;
  bool samples_came = false;
  for (const ResultRecord& record : receiver_->records) {
    if (record.has_samples()) samples_came = true;
    if (record.has_instance_log()) {
      EXPECT_FALSE(samples_came);
    }
  }
  const TestResult test = Assembled();
  EXPECT_EQ(SamplesOf(test, "client/0"), 1);
  EXPECT_EQ(SamplesOf(test, "client/1"), 1);
  EXPECT_THAT(absl::StrJoin(test.log_summary(), "\n"), HasSubstr("Total samples: 2"));
  EXPECT_THAT(cluster_.JournalWithout("ProbeClock"),
              testing::Contains("node0 StreamTrafficResult"));
  EXPECT_EQ(receiver_->records[receiver_->records.size() - 2].test_end().samples(), 2);
}

TEST_F(ResultDeliveryTest, NodesThatDoNotStreamAreAskedForTheirResultInOne) {
  RunOn({.streams = false});
  const TestResult test = Assembled();
  EXPECT_EQ(test.report().status_code(), 0) << test.report().status_message();
  EXPECT_EQ(SamplesOf(test, "client/0"), 1);
  EXPECT_EQ(SamplesOf(test, "client/1"), 1);
  EXPECT_THAT(cluster_.JournalWithout("ProbeClock"), testing::Contains("node0 GetTrafficResult"));
}

TEST_F(ResultDeliveryTest, SamplesThatAreNotWantedAreCountedAsLeftOut) {
  RunOn({}, /*keeps_samples=*/false);
  for (const ResultRecord& record : receiver_->records) EXPECT_FALSE(record.has_samples());
  const TestResult test = Assembled();
  EXPECT_EQ(SamplesOf(test, "client/0"), 0);
  EXPECT_EQ(
      test.service_logs().instance_logs().at("client/0").rpc_statistics().at(0).samples_left_out(),
      1);
}

TEST_F(ResultDeliveryTest, ANodeThatSendsForeignSamplesCostsItsOwnOnly) {
  for (int i = 0; i < 3; ++i) cluster_.AddNode({});
  cluster_.node(0).LieAboutSamples("client/1");
  Ask();
  const TestResult test = Assembled();
  EXPECT_EQ(SamplesOf(test, "client/0"), 0);
  EXPECT_EQ(SamplesOf(test, "client/1"), 1);
  EXPECT_THAT(absl::StrJoin(test.log_summary(), "\n"),
              HasSubstr("Samples that could not be fetched:\n  of node0, from some point on: "
                        "samples.instance is 'client/1', which it does not host"));
  EXPECT_THAT(absl::StrJoin(test.log_summary(), "\n"), HasSubstr("Total samples: 2"));
}

TEST_F(ResultDeliveryTest, ANodeThatDiesBeforeItsSamplesAreFetchedCostsThese) {
  for (int i = 0; i < 3; ++i) cluster_.AddNode({});
  // Its figures have come when the records begin.
  receiver_->on_test = [this] { cluster_.node(0).Die(); };
  Ask();
  const TestResult test = Assembled();
  EXPECT_EQ(SamplesOf(test, "client/0"), 0);
  EXPECT_EQ(SamplesOf(test, "client/1"), 1);
  EXPECT_THAT(absl::StrJoin(test.log_summary(), "\n"),
              HasSubstr("of node0, from some point on: connection reset"));
}

TEST_F(ResultDeliveryTest, AReceiverThatMakesNoRoomIsGivenUp) {
  receiver_->room = 2;
  RunOn({});
  EXPECT_EQ(receiver_->records.size(), 2u);
  EXPECT_LT(cluster_.time.MonotonicNs(), 700 * kSecondNs);
}

TEST_F(ResultDeliveryTest, NothingIsFetchedForAReceiverThatHasGone) {
  receiver_->on_test = [this] { receiver_->is_gone = true; };
  RunOn({});
  EXPECT_TRUE(receiver_->records.back().has_test());
}

}  // namespace
}  // namespace distbench
