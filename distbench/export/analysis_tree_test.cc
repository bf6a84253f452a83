#include "distbench/export/analysis_tree.h"

#include <map>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Pair;

using Files = std::map<std::string, std::string>;

class AnalysisTreeTest : public ::testing::Test {
 protected:
  AnalysisTreeTest() { test_->mutable_traffic_config()->add_rpc_descriptions()->set_name("ask"); }

  RpcPerformanceLog* Log(const std::string& client, const std::string& server, int rpc = 0) {
    auto& log = (*test_->mutable_service_logs()->mutable_instance_logs())[client];
    return &(*(*log.mutable_peer_logs())[server].mutable_rpc_logs())[rpc];
  }

  static RpcSample* AddSample(RpcPerformanceLog* log, int64_t request_bytes, int64_t latency_ns) {
    RpcSample* sample = log->add_successful_rpc_samples();
    sample->set_request_size(request_bytes);
    sample->set_latency_ns(latency_ns);
    return sample;
  }

  absl::Status Write(const AnalysisOptions& options, Files* files) const {
    return WriteAnalysisTree(
        results_, options,
        [&](const std::string& path, absl::FunctionRef<void(std::ostream&)> write) {
          std::ostringstream out;
          write(out);
          EXPECT_TRUE(files->emplace(path, out.str()).second) << path;
          return absl::OkStatus();
        });
  }

  Files Written(const AnalysisOptions& options) const {
    Files files;
    EXPECT_TRUE(Write(options, &files).ok()) << Write(options, &files);
    return files;
  }

  TestSequenceResults results_;
  TestResult* test_ = results_.add_test_results();
};

constexpr AnalysisOptions kPlain = {.has_headers = false};

TEST_F(AnalysisTreeTest, SummaryOfAFolderHasEverythingBelowIt) {
  test_->mutable_traffic_config()->set_name("shop");
  AddSample(Log("client/0", "grid/1/2"), 16, 100);
  AddSample(Log("client/1", "grid/1/2"), 16, 200);
  EXPECT_THAT(Written(kPlain), ElementsAre(Pair("shop/client/0/grid/1_2/ask.txt", "16 100\n"),
                                           Pair("shop/client/0/grid/1_2/summary.txt", "16 100\n"),
                                           Pair("shop/client/0/grid/summary.txt", "16 100\n"),
                                           Pair("shop/client/0/summary.txt", "16 100\n"),
                                           Pair("shop/client/1/grid/1_2/ask.txt", "16 200\n"),
                                           Pair("shop/client/1/grid/1_2/summary.txt", "16 200\n"),
                                           Pair("shop/client/1/grid/summary.txt", "16 200\n"),
                                           Pair("shop/client/1/summary.txt", "16 200\n"),
                                           Pair("shop/client/summary.txt", "16 100\n16 200\n"),
                                           Pair("shop/summary.txt", "16 100\n16 200\n")));
}

TEST_F(AnalysisTreeTest, OnlyMeasuredSuccessesCountUnlessWarmupIsAskedFor) {
  RpcPerformanceLog* log = Log("client/0", "server/0");
  AddSample(log, 16, 100);
  AddSample(log, 16, 200)->set_warmup(true);
  log->add_failed_rpc_samples()->set_latency_ns(300);
  EXPECT_EQ(Written(kPlain).at("test1/summary.txt"), "16 100\n");
  EXPECT_EQ(Written({.has_headers = false, .considers_warmups = true}).at("test1/summary.txt"),
            "16 100\n16 200\n");
}

TEST_F(AnalysisTreeTest, HeaderNamesTheColumns) {
  AddSample(Log("client/0", "server/0"), 16, 1234)
      ->mutable_trace_context()
      ->add_action_iterations(3);
  const auto summary = [&](AnalysisFormat format) {
    return Written({.format = format}).at("test1/summary.txt");
  };
  EXPECT_EQ(summary(AnalysisFormat::kDefault), "Request_size Latency_ns\n16 1234\n");
  EXPECT_EQ(summary(AnalysisFormat::kHoma), "Request_size Latency_us\n16 1.234\n");
  EXPECT_EQ(summary(AnalysisFormat::kStatistics),
            "Request_size N min 50% 90% 99% 99.99% max\n16 1 1234 1234 1234 1234 1234 1234\n");
  EXPECT_EQ(summary(AnalysisFormat::kTraceContext), "Action_iteration Latency_ns\n3 1234\n");
}

TEST_F(AnalysisTreeTest, StatisticsAreThoseOfEachRequestSize) {
  RpcPerformanceLog* log = Log("client/0", "server/0");
  for (int i = 999; i >= 0; --i) AddSample(log, 16, i);
  AddSample(log, 8, 5);
  EXPECT_EQ(Written({.format = AnalysisFormat::kStatistics, .has_headers = false})
                .at("test1/client/0/server/0/ask.txt"),
            "8 1 5 5 5 5 5 5\n16 1000 0 500 900 990 999 999\n");
}

TEST_F(AnalysisTreeTest, TraceContextShowsTheLongestLatencyOfEachFirstIteration) {
  RpcPerformanceLog* log = Log("client/0", "server/0");
  const auto add = [&](int64_t latency_ns, int first, int second) {
    TraceContext* context = AddSample(log, 16, latency_ns)->mutable_trace_context();
    context->add_action_iterations(first);
    context->add_action_iterations(second);
  };
  add(100, 5, 1);
  add(300, 5, 2);
  add(200, 5, 3);
  add(50, 4, 9);
  AddSample(log, 16, 1000);
  EXPECT_EQ(Written({.format = AnalysisFormat::kTraceContext, .has_headers = false})
                .at("test1/client/0/server/0/ask.txt"),
            "4 50\n5 300\n");
}

TEST_F(AnalysisTreeTest, NamesLeadNowhereElse) {
  test_->mutable_traffic_config()->set_name("../evil");
  test_->mutable_traffic_config()->mutable_rpc_descriptions(0)->set_name("summary");
  AddSample(Log("/etc", ".."), 16, 100);
  EXPECT_THAT(Written(kPlain),
              ElementsAre(Key("_.._evil/_/etc/_../_/summary.txt"),
                          Key("_.._evil/_/etc/_../_/summary_2.txt"),
                          Key("_.._evil/_/etc/_../summary.txt"), Key("_.._evil/_/etc/summary.txt"),
                          Key("_.._evil/_/summary.txt"), Key("_.._evil/summary.txt")));
}

TEST_F(AnalysisTreeTest, NamesThatWouldCollideGetNumbers) {
  test_->mutable_traffic_config()->add_rpc_descriptions()->set_name("ask?");
  test_->mutable_traffic_config()->add_rpc_descriptions()->set_name("ask!");
  AddSample(Log("client/0", "server/0", 1), 16, 100);
  AddSample(Log("client/0", "server/0", 2), 16, 200);
  const Files files = Written(kPlain);
  EXPECT_EQ(files.at("test1/client/0/server/0/ask_.txt"), "16 100\n");
  EXPECT_EQ(files.at("test1/client/0/server/0/ask__2.txt"), "16 200\n");
}

TEST_F(AnalysisTreeTest, NothingToShowIsAnErrorThatSaysWhatToDo) {
  AddSample(Log("client/0", "server/0"), 16, 100)->set_warmup(true);
  Files files;
  EXPECT_THAT(Write({}, &files).message(), HasSubstr("--consider_warmups"));
  EXPECT_THAT(
      Write({.format = AnalysisFormat::kTraceContext, .considers_warmups = true}, &files).message(),
      HasSubstr("set tracing_interval: N"));
}

TEST_F(AnalysisTreeTest, FirstFileThatCannotBeMadeEndsIt) {
  AddSample(Log("client/0", "server/0"), 16, 100);
  int asked = 0;
  const absl::Status status = WriteAnalysisTree(
      results_, kPlain, [&](const std::string&, absl::FunctionRef<void(std::ostream&)>) {
        ++asked;
        return absl::ResourceExhaustedError("full");
      });
  EXPECT_EQ(status.message(), "full");
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace distbench
