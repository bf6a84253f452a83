#include "distbench/cli/grpc_polling.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(GrpcPollingTest, NodesWaitForTheirOwnSocketsAndSequencersForAll) {
  EXPECT_EQ(GrpcPollingFor(0), GrpcPolling::kAllSockets);
  EXPECT_EQ(GrpcPollingFor(1), GrpcPolling::kOwnSockets);
  EXPECT_EQ(GrpcPollingFor(32), GrpcPolling::kOwnSockets);
  EXPECT_EQ(GrpcPollingFor(1000), GrpcPolling::kAllSockets);
}

TEST(GrpcPollingTest, WhatTheUserHasSetStays) {
  unsetenv("GRPC_POLL_STRATEGY");
  ChooseGrpcPolling(GrpcPolling::kOwnSockets);
  EXPECT_STREQ(getenv("GRPC_POLL_STRATEGY"), "poll");
  ChooseGrpcPolling(GrpcPolling::kAllSockets);
  EXPECT_STREQ(getenv("GRPC_POLL_STRATEGY"), "poll");
  unsetenv("GRPC_POLL_STRATEGY");
  ChooseGrpcPolling(GrpcPolling::kAllSockets);
  EXPECT_STREQ(getenv("GRPC_POLL_STRATEGY"), "epoll1");
}

}  // namespace
}  // namespace distbench
