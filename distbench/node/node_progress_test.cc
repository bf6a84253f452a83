// What a node tells of its traffic while it runs.
#include <string>
#include <thread>

#include "distbench/node/node.h"
#include "distbench/node/node_testbed.h"
#include "gtest/gtest.h"
#include "protos/progress.pb.h"

namespace distbench {
namespace {

TEST(NodeProgressTest, TellsHowMuchTrafficThereHasBeen) {
  NodeTestbed bed(1);
  const auto progress = [&bed](const std::string& run_id = "run") {
    GetTrafficProgressRequest request;
    request.mutable_control()->set_run_id(run_id);
    Awaited<TrafficProgress> answer;
    bed.node(0).GetTrafficProgress(request, answer.done());
    return answer.Get();
  };
  ASSERT_TRUE(progress().ok());
  EXPECT_EQ(progress()->rpcs_size(), 0) << "there is no test";
  bed.Prepare(ShortTest());
  ASSERT_TRUE(bed.Run(0).ok());
  ASSERT_TRUE(progress().ok()) << progress().status();
  ASSERT_EQ(progress()->rpcs_size(), 1);
  EXPECT_EQ(progress()->rpcs(0).measured_successes(), 20);
  EXPECT_EQ(progress()->outstanding_rpcs(), 0);
  EXPECT_EQ(progress("another run").status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(NodeProgressTest, TellsWhatIsOutstanding) {
  NodeTestbed bed(1);
  bed.network().SetTransit({.mode = FakeTransit::Mode::kNever});
  bed.Prepare(EndlessTest());
  Awaited<RunTrafficResponse> run;
  bed.node(0).RunTraffic({}, run.done());
  const auto outstanding = [&bed] {
    Awaited<TrafficProgress> answer;
    bed.node(0).GetTrafficProgress({}, answer.done());
    return answer.Get()->outstanding_rpcs();
  };
  // Two iterations, each to two servers; they begin on two event loops.
  while (outstanding() < 4) std::this_thread::yield();
  EXPECT_EQ(outstanding(), 4);
  EXPECT_FALSE(run.has_come());
  ASSERT_TRUE(bed.Cancel(0).ok());
  EXPECT_TRUE(run.Get().ok());
}

}  // namespace
}  // namespace distbench
