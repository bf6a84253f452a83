#include "distbench/export/trace_spans.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "distbench/export/trace_json.h"
#include "distbench/export/trace_path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A test whose samples are added one by one.
class TraceSpansTest : public ::testing::Test {
 protected:
  // `way` has the engine of each hop and its iteration, e.g. {{0, 7}, {3, 0}}.
  RpcSample* AddSample(TestResult* test, const std::string& client, int64_t start_ns,
                       int64_t latency_ns, const std::vector<std::pair<int, int>>& way) {
    auto& logs = *test->mutable_service_logs()->mutable_instance_logs();
    auto& peer = (*logs[client].mutable_peer_logs())["server/0"];
    RpcSample* sample = (*peer.mutable_rpc_logs())[0].add_successful_rpc_samples();
    sample->set_start_timestamp_ns(start_ns);
    sample->set_latency_ns(latency_ns);
    for (const auto& [engine, iteration] : way) {
      sample->mutable_trace_context()->add_engine_ids(engine);
      sample->mutable_trace_context()->add_action_iterations(iteration);
    }
    return sample;
  }

  std::vector<size_t> Lanes() const {
    std::vector<size_t> lanes;
    for (const TraceSpan& span : CollectTraceSpans(results_).spans) lanes.push_back(span.lane);
    return lanes;
  }

  TestSequenceResults results_;
};

TEST(TracePathTest, ParentIsThePathWithoutTheLastHop) {
  TraceContext context;
  EXPECT_EQ(TracePath(context), "");
  context.add_engine_ids(4);
  context.add_action_iterations(7);
  EXPECT_EQ(TracePath(context), "4:0:0:0:7:0");
  EXPECT_EQ(ParentPath(TracePath(context)), "");
  context.add_engine_ids(5);
  context.add_fanout_index(1);
  EXPECT_EQ(TracePath(context), "4:0:0:0:7:1/5:0:0:0:0:0");
  EXPECT_EQ(ParentPath(TracePath(context)), "4:0:0:0:7:1");
}

TEST_F(TraceSpansTest, HopsAreParentsAndChildren) {
  TestResult* test = results_.add_test_results();
  AddSample(test, "leaf/0", 130, 10, {{0, 7}, {1, 0}, {2, 0}});
  AddSample(test, "mid/0", 120, 50, {{0, 7}, {1, 0}});
  AddSample(test, "client/0", 100, 100, {{0, 7}});
  const TraceSpans trace = CollectTraceSpans(results_);
  ASSERT_EQ(trace.spans.size(), 3u);
  EXPECT_EQ(trace.processes[0].name, "client/0");
  EXPECT_EQ(trace.spans[0].parent, std::nullopt);
  for (const TraceSpan& span : trace.spans) {
    if (!span.parent.has_value()) continue;
    EXPECT_EQ(trace.spans[*span.parent].path, ParentPath(span.path));
  }
  EXPECT_EQ(trace.processes[trace.spans[1].process].name, "leaf/0");
  EXPECT_EQ(trace.spans[1].parent, 2u);
  EXPECT_EQ(trace.spans[2].parent, 0u);
}

TEST_F(TraceSpansTest, SpanWhoseCauseIsMissingHasNoParent) {
  AddSample(results_.add_test_results(), "mid/0", 120, 50, {{0, 7}, {1, 0}});
  EXPECT_EQ(CollectTraceSpans(results_).spans[0].parent, std::nullopt);
}

TEST_F(TraceSpansTest, SamplesWithoutTraceAreLeftOut) {
  AddSample(results_.add_test_results(), "client/0", 100, 10, {});
  EXPECT_THAT(CollectTraceSpans(results_).spans, IsEmpty());
  std::ostringstream out;
  EXPECT_THAT(WriteTraceJson(results_, out).message(), HasSubstr("set tracing_interval: N"));
}

TEST_F(TraceSpansTest, TestsAreApart) {
  for (int i = 0; i < 2; ++i) {
    TestResult* test = results_.add_test_results();
    AddSample(test, "client/0", 100, 100, {{0, 7}});
    AddSample(test, "mid/0", 120, 50, {{0, 7}, {1, 0}});
  }
  const TraceSpans trace = CollectTraceSpans(results_);
  ASSERT_EQ(trace.spans.size(), 4u);
  EXPECT_EQ(trace.processes[2].name, "test2: client/0");
  EXPECT_EQ(trace.spans[1].parent, 0u);
  EXPECT_EQ(trace.spans[3].parent, 2u);
}

TEST_F(TraceSpansTest, OverlappingSpansHaveDifferentLanes) {
  TestResult* test = results_.add_test_results();
  AddSample(test, "client/0", 100, 100, {{0, 1}});  // until 200
  AddSample(test, "client/0", 110, 30, {{0, 2}});   // until 140
  AddSample(test, "client/0", 120, 300, {{0, 3}});
  AddSample(test, "client/0", 140, 10, {{0, 4}});  // where the second was
  AddSample(test, "client/0", 200, 10, {{0, 5}});  // where the first was
  EXPECT_THAT(Lanes(), ElementsAre(0, 1, 2, 1, 0));
}

TEST_F(TraceSpansTest, TimesThatMakeNoSenseAreBounded) {
  TestResult* test = results_.add_test_results();
  AddSample(test, "client/0", INT64_MAX, INT64_MAX, {{0, 1}});
  AddSample(test, "client/0", INT64_MIN, -5, {{0, 2}});
  std::ostringstream out;
  EXPECT_TRUE(WriteTraceJson(results_, out).ok());
  for (const TraceSpan& span : CollectTraceSpans(results_).spans) {
    EXPECT_GE(span.end_ns, span.start_ns);
  }
}

}  // namespace
}  // namespace distbench
