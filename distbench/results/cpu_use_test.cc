#include "distbench/results/cpu_use.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;

class CpuUseTest : public testing::Test {
 protected:
  NodeReport& AddNode(const std::string& alias, const std::string& host, double cpu_seconds) {
    NodeReport& node = *report_.add_nodes();
    node.set_node_alias(alias);
    node.add_instances(absl::StrCat("on_", alias));
    node.mutable_provenance()->set_hostname(host);
    node.mutable_provenance()->set_process_id(1);
    node.mutable_provenance()->set_cpu_count(4);
    RUsage& usage = *(*usage_.mutable_node_usages())[alias].mutable_rusage_diff();
    usage.set_user_cpu_time_seconds(cpu_seconds - 1);
    usage.set_system_cpu_time_seconds(1);
    return node;
  }
  std::vector<ProcessCpu> Use() const { return CpuUse(report_, usage_); }

  TestReport report_;
  ResourceUsageLogs usage_;
};

TEST_F(CpuUseTest, NodesOfOneProcessCountOnce) {
  AddNode("node10", "a", 7.5);
  AddNode("node9", "a", 7.25);
  const std::vector<ProcessCpu> processes = Use();
  ASSERT_EQ(processes.size(), 1u);
  EXPECT_THAT(processes[0].nodes, ElementsAre("node9", "node10"));
  EXPECT_THAT(processes[0].instances, ElementsAre("on_node10", "on_node9"));
  EXPECT_EQ(processes[0].cpu_seconds, 7.5);
  EXPECT_EQ(processes[0].cpu_count, 4);
}

TEST_F(CpuUseTest, ProcessesAreToldApartByHostAndNumber) {
  AddNode("node10", "a", 1);
  AddNode("node9", "b", 2);
  AddNode("node11", "b", 3).mutable_provenance()->set_process_id(2);
  const std::vector<ProcessCpu> processes = Use();
  ASSERT_EQ(processes.size(), 3u);
  EXPECT_THAT(processes[0].nodes, ElementsAre("node9"));
  EXPECT_THAT(processes[1].nodes, ElementsAre("node10"));
  EXPECT_THAT(processes[2].nodes, ElementsAre("node11"));
}

TEST_F(CpuUseTest, ANodeThatDoesNotTellItsProcessIsAlone) {
  AddNode("node0", "a", 1).mutable_provenance()->clear_process_id();
  AddNode("node1", "a", 2).mutable_provenance()->clear_process_id();
  EXPECT_EQ(Use().size(), 2u);
}

TEST_F(CpuUseTest, ANodeWithoutFiguresIsLeftOut) {
  report_.add_nodes()->set_node_alias("node0");
  EXPECT_TRUE(Use().empty());
}

TEST_F(CpuUseTest, NonsenseIsNoMeasurement) {
  for (const double nonsense :
       {-5.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    report_.clear_nodes();
    AddNode("node0", "a", nonsense).mutable_provenance()->set_cpu_count(-4);
    const std::vector<ProcessCpu> processes = Use();
    ASSERT_EQ(processes.size(), 1u);
    EXPECT_EQ(processes[0].cpu_seconds, 0);
    EXPECT_EQ(processes[0].cpu_count, 0);
  }
}

TEST(DescribeNodesTest, ManyAreCounted) {
  EXPECT_EQ(DescribeNodes({"a"}), "a");
  EXPECT_EQ(DescribeNodes({"a", "b", "c", "d"}), "a, b, c, d");
  EXPECT_EQ(DescribeNodes({"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

}  // namespace
}  // namespace distbench
