#include "test_builder/nodes_needed.h"

#include <string>

#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

int64_t NodesOf(const std::string& text) {
  DistributedSystemDescription test;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &test));
  return NodesNeeded(test);
}

TEST(NodesNeededTest, EachInstanceHasOne) {
  EXPECT_EQ(NodesOf(""), 0);
  EXPECT_EQ(NodesOf("services { name: 'a' count: 3 } services { name: 'b' }"), 4);
  EXPECT_EQ(NodesOf("services { name: 'a' x_size: 2 y_size: 3 z_size: 4 }"), 24);
  EXPECT_EQ(NodesOf("services { name: 'a' count: 6 x_size: 2 y_size: 3 }"), 6);
}

TEST(NodesNeededTest, ABundleIsOnOne) {
  EXPECT_EQ(NodesOf("services { name: 'a' count: 3 } services { name: 'b' count: 2 } "
                    "node_service_bundles { key: 'node0' value { services: ['a/0', 'b/0'] } } "
                    "node_service_bundles { key: 'node1' value { services: 'a/1' } }"),
            4);
}

}  // namespace
}  // namespace distbench
