// A node's result in pieces: StreamTrafficResult without the stream.

#include <optional>
#include <utility>
#include <vector>

#include "distbench/node/node.h"
#include "distbench/node/node_testbed.h"
#include "distbench/results/log_samples.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/result_record.pb.h"

namespace distbench {
namespace {

class NodeResultTest : public ::testing::Test {
 protected:
  NodeResultTest() : bed_(1) {
    bed_.Prepare(ShortTest());
    EXPECT_TRUE(bed_.Run(0).ok());
  }

  static GetTrafficResultRequest Request() {
    GetTrafficResultRequest request;
    request.mutable_control()->set_run_id("run");
    return request;
  }

  absl::StatusOr<uint64_t> Open(const GetTrafficResultRequest& request = Request()) {
    Awaited<uint64_t> answer;
    bed_.node(0).OpenResult(request, answer.done());
    return answer.Get();
  }
  absl::StatusOr<std::optional<ResultRecord>> Next(uint64_t number) {
    Awaited<std::optional<ResultRecord>> answer;
    bed_.node(0).NextRecord(number, answer.done());
    return answer.Get();
  }
  std::vector<ResultRecord> ReadAll(uint64_t number) {
    std::vector<ResultRecord> records;
    while (true) {
      auto next = Next(number);
      EXPECT_TRUE(next.ok()) << next.status();
      if (!next.ok() || !next->has_value()) return records;
      records.push_back(**std::move(next));
    }
  }

  NodeTestbed bed_;
};

TEST_F(NodeResultTest, ThePiecesMakeTheWhole) {
  const auto whole = bed_.Result(0, /*clear=*/false);
  ASSERT_TRUE(whole.ok()) << whole.status();
  GetTrafficResultResponse pieces;
  bool has_figures = false;
  for (ResultRecord& record : ReadAll(*Open())) {
    if (record.has_instance_log()) {
      EXPECT_FALSE(has_figures);
      const std::string instance = record.instance_log().instance();
      AddPart(std::move(*record.mutable_instance_log()),
              (*pieces.mutable_service_logs()->mutable_instance_logs())[instance]);
    } else if (record.has_node_result()) {
      has_figures = true;
      EXPECT_EQ(record.node_result().report().node_alias(), "node0");
      EXPECT_EQ(record.node_result().node_usages_size(), 1);
    } else {
      ASSERT_TRUE(record.has_samples());
      EXPECT_TRUE(has_figures) << "samples come last";
      ASSERT_TRUE(AddSamples(record.samples(),
                             (*pieces.mutable_service_logs()
                                   ->mutable_instance_logs())[record.samples().instance()])
                      .ok());
    }
  }
  for (auto& [instance, log] : *pieces.mutable_service_logs()->mutable_instance_logs()) {
    CompleteSamples(log);
  }
  EXPECT_TRUE(has_figures);
  EXPECT_EQ(pieces.service_logs().DebugString(), whole->service_logs().DebugString());
}

TEST_F(NodeResultTest, SamplesThatNobodyWantsAreNotSent) {
  GetTrafficResultRequest request = Request();
  request.set_without_samples(true);
  for (const ResultRecord& record : ReadAll(*Open(request))) EXPECT_FALSE(record.has_samples());
}

TEST_F(NodeResultTest, ServicesAreClearedWhenTheResultIsClosed) {
  GetTrafficResultRequest request = Request();
  request.set_clear_services(true);
  const auto number = Open(request);
  ASSERT_FALSE(ReadAll(*number).empty());
  EXPECT_FALSE(bed_.environment().budget()->is_unused());
  bed_.node(0).CloseResult(*number);
  EXPECT_TRUE(absl::IsFailedPrecondition(Open(request).status())) << "handed out before";
  EXPECT_TRUE(bed_.environment().budget()->is_unused());
}

TEST_F(NodeResultTest, ALaterCallTakesTheResultOver) {
  const auto first = Open();
  const auto second = Open();
  EXPECT_TRUE(absl::IsAborted(Next(*first).status()));
  bed_.node(0).CloseResult(*first);
  EXPECT_FALSE(ReadAll(*second).empty());
}

TEST_F(NodeResultTest, ANewTestEndsTheResultOfTheOneBefore) {
  const auto number = Open();
  ASSERT_TRUE(bed_.Configure(0, ShortTest(), {"client/0"}).ok());
  EXPECT_TRUE(absl::IsAborted(Next(*number).status()));
}

TEST(NodeActivityTest, AnInstanceThatOnlyWorksHasALog) {
  NodeTestbed bed(1);
  DistributedSystemDescription config;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
    name: "work" default_protocol: "fake"
    services { name: "worker" count: 1 }
    action_lists { name: "worker" action_names: "sort" }
    actions { name: "sort" activity_config_name: "sort" iterations { max_iteration_count: 7 } }
    activity_configs { name: "sort"
      activity_settings { name: "activity_func" string_value: "ConsumeCpu" } })",
                                                            &config));
  const auto endpoints = bed.Configure(0, config, {"worker/0"});
  ASSERT_TRUE(endpoints.ok()) << endpoints.status();
  ASSERT_TRUE(bed.Introduce(0, *endpoints).ok());
  ASSERT_TRUE(bed.Run(0).ok());
  const auto result = bed.Result(0, /*clear=*/false);
  ASSERT_TRUE(result.ok()) << result.status();
  const auto& logs = result->service_logs().instance_logs();
  ASSERT_EQ(logs.size(), 1u);
  EXPECT_EQ(logs.at("worker/0").activity_logs().at("sort").activity_metrics(0).value_int(), 7);
}

}  // namespace
}  // namespace distbench
