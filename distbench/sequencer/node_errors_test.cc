#include "distbench/sequencer/node_errors.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace distbench {
namespace {

TEST(NodeErrorsTest, NoErrorsAreOk) {
  EXPECT_TRUE(NodeErrors().ToStatus("IntroducePeers failed").ok());
}

TEST(NodeErrorsTest, OneErrorNamesItsNodeAndKeepsItsCode) {
  NodeErrors errors;
  errors.Add("node3 (h:1)", absl::ResourceExhaustedError("no port is left"));
  EXPECT_EQ(errors.ToStatus("ConfigureNode failed"),
            absl::ResourceExhaustedError("ConfigureNode failed on node3 (h:1): no port is left"));
}

TEST(NodeErrorsTest, AFailureIsToldBeforeTheCancellationsThatFollowedFromIt) {
  NodeErrors errors;
  errors.Add("node0 (h:1)", absl::CancelledError("cancelled"));
  errors.Add("node1 (h:2)", absl::UnavailableError("gone"));
  EXPECT_EQ(errors.ToStatus("X failed"),
            absl::UnavailableError("X failed on node1 (h:2): gone; on node0 (h:1): cancelled"));
}

TEST(NodeErrorsTest, LostNodesComeFirstAndMakeTheErrorUnavailable) {
  NodeErrors errors;
  errors.Add("node0 (h:1)", absl::InternalError("no way to node1"));
  errors.Add("node2 (h:3)", absl::InternalError("no way to node1 either"));
  errors.AddLost("node1 (h:2)", absl::DeadlineExceededError("no answer"));
  EXPECT_EQ(errors.ToStatus("X failed"),
            absl::UnavailableError(
                "node1 (h:2) was lost during the test: no answer; X failed on node0 (h:1): no way "
                "to node1; on node2 (h:3): no way to node1 either"));
}

TEST(NodeErrorsTest, ManyLostNodesAreNamed) {
  NodeErrors errors;
  for (int i = 0; i < 5; ++i) {
    errors.AddLost(absl::StrCat("node", i), absl::UnavailableError("gone"));
  }
  const std::string message(errors.ToStatus("X failed").message());
  EXPECT_NE(message.find("; and 2 more nodes: node3, node4"), std::string::npos) << message;
}

TEST(NodeErrorsTest, ManyErrorsAreCountedAndTheirNodesNamed) {
  NodeErrors errors;
  for (int i = 0; i < 5; ++i) {
    errors.Add(absl::StrCat("node", i), absl::InternalError(absl::StrCat("e", i)));
  }
  EXPECT_EQ(errors.ToStatus("X failed").message(),
            "X failed on node0: e0; on node1: e1; on node2: e2; and on 2 more nodes: node3, node4");
}

TEST(NodeErrorsTest, AThousandErrorsStayReadable) {
  NodeErrors errors;
  for (int i = 0; i < 1000; ++i) errors.Add(absl::StrCat("node", i), absl::InternalError("e"));
  const std::string message(errors.ToStatus("X failed").message());
  EXPECT_NE(message.find("997 more nodes"), std::string::npos);
  EXPECT_LT(message.size(), 500);
}

}  // namespace
}  // namespace distbench
