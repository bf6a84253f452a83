#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "distbench/driver/conformance/driver_conformance.h"
#include "distbench/driver/grpc/grpc_subject.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

// Each way in which requests get from the wire to the engine, once.
std::vector<ConformanceSubjectMaker> Makers() {
  const std::string handoff = WordSetting("server", "server_type", "handoff");
  const std::string polling = WordSetting("server", "server_type", "polling");
  const std::string simple_pool = WordSetting("server", "threadpool_type", "simple");
  const std::string no_pool = WordSetting("server", "threadpool_type", "null");
  return {
      GrpcSubjectMaker("OneShard", {.shards = 1}),
      GrpcSubjectMaker("ThreeShards", {.shards = 3}),
      GrpcSubjectMaker("HandoffSimple", {.settings = handoff + simple_pool}),
      GrpcSubjectMaker("PollingElastic",
                       {.settings = polling + NumberSetting("server", "threadpool_size", 1)}),
      GrpcSubjectMaker("PollingNull", {.settings = polling + no_pool}),
      GrpcSubjectMaker("SharedQueues",
                       {.settings = NumberSetting("client", "channels", 3) +
                                    NumberSetting("client", "completion_queues", 3) +
                                    NumberSetting("client", "threads_per_queue", 2) +
                                    NumberSetting("server", "completion_queues", 1) +
                                    NumberSetting("server", "threads_per_queue", 3)}),
  };
}

INSTANTIATE_TEST_SUITE_P(Grpc, DriverConformanceTest, testing::ValuesIn(Makers()),
                         [](const auto& maker) { return maker.param.name; });

}  // namespace
}  // namespace distbench
