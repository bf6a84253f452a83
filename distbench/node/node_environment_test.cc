#include "distbench/node/node_environment.h"

#include "distbench/base/cpu_list.h"
#include "distbench/driver/driver_registry.h"
#include "gtest/gtest.h"
#include "protos/provenance.pb.h"

namespace distbench {
namespace {

TEST(NodeEnvironmentTest, ProvenanceSaysHowManyEventLoopsThereAreAndWhetherTheyArePinned) {
  const DriverRegistry drivers;
  const CpuList cpus = CpuList::OfThisThread();
  NodeEnvironment pinned({.drivers = &drivers, .shard_count = 3, .placement = LoopPlacement(cpus)});
  EXPECT_EQ(pinned.provenance().shard_count(), 3);
  EXPECT_TRUE(pinned.provenance().loops_pinned());
  EXPECT_EQ(pinned.provenance().cpu_affinity(), cpus.ToString());
  EXPECT_EQ(pinned.shards()->shard_count(), 3u);
}

TEST(NodeEnvironmentTest, HasTheDefaultNumberOfLoopsUnlessToldOtherwise) {
  const DriverRegistry drivers;
  NodeEnvironment environment({.drivers = &drivers});
  const size_t expected = DefaultLoopCount(CpuList::OfThisThread());
  EXPECT_EQ(environment.shards()->shard_count(), expected);
  EXPECT_EQ(environment.provenance().shard_count(), static_cast<int32_t>(expected));
  EXPECT_FALSE(environment.provenance().loops_pinned());
}

}  // namespace
}  // namespace distbench
