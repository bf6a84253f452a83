#include "distbench/testing/model/shrink_config.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "distbench/testing/model/random_config.h"

namespace distbench::model {
namespace {

// Some action sends an RPC in parallel iterations.
bool Fails(const DistributedSystemDescription& config) {
  return std::any_of(config.actions().begin(), config.actions().end(), [](const Action& action) {
    return action.has_rpc_name() && action.iterations().max_parallel_iterations() > 1;
  });
}

TEST(ShrinkConfigTest, OnlyWhatMattersIsLeft) {
  int shrunk = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const DistributedSystemDescription config = RandomConfig({.seed = seed});
    if (!Fails(config)) continue;
    ++shrunk;
    const DistributedSystemDescription small = ShrinkConfig(config, Fails, 100'000);
    DistributedSystemDescription least;
    Action& action = *least.add_actions();
    action.set_rpc_name(small.actions(0).rpc_name());
    action.mutable_iterations()->set_max_parallel_iterations(
        small.actions(0).iterations().max_parallel_iterations());
    EXPECT_EQ(small.DebugString(), least.DebugString());
  }
  EXPECT_GT(shrunk, 3);
}

TEST(ShrinkConfigTest, FormsOfRpcsGoUnlessTheyMatter) {
  const auto is_dispatched = [](const DistributedSystemDescription& config) {
    const auto& rpcs = config.rpc_descriptions();
    return std::any_of(rpcs.begin(), rpcs.end(), [](const RpcSpec& rpc) {
      return rpc.server_dispatch().mode() == "thread_pool" && rpc.server_dispatch().threads() > 0;
    });
  };
  int shrunk = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const DistributedSystemDescription config = RandomConfig({.seed = seed});
    if (!is_dispatched(config)) continue;
    ++shrunk;
    DistributedSystemDescription least;
    ServerDispatch& dispatch = *least.add_rpc_descriptions()->mutable_server_dispatch();
    dispatch.set_mode("thread_pool");
    dispatch.set_threads(1);
    EXPECT_EQ(ShrinkConfig(config, is_dispatched, 100'000).DebugString(), least.DebugString());
  }
  EXPECT_GT(shrunk, 3);
}

TEST(ShrinkConfigTest, StopsAfterSoManyTries) {
  int tries = 0;
  ShrinkConfig(
      RandomConfig({.seed = 1}),
      [&](const DistributedSystemDescription&) { return ++tries % 2 == 0; }, 10);
  EXPECT_EQ(tries, 10);
}

}  // namespace
}  // namespace distbench::model
