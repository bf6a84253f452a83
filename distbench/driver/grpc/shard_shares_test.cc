#include "distbench/driver/grpc/shard_shares.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

std::vector<size_t> Turns(ShardShares& shares, size_t shard, int count) {
  std::vector<size_t> turns;
  for (int i = 0; i < count; ++i) turns.push_back(shares.Next(ShardIndex(shard)));
  return turns;
}

TEST(ShardSharesTest, EachThingIsUsedByOneShardInTurn) {
  ShardShares shares(3, 7);
  EXPECT_THAT(Turns(shares, 0, 5), testing::ElementsAre(0, 3, 6, 0, 3));
  EXPECT_THAT(Turns(shares, 1, 5), testing::ElementsAre(1, 4, 1, 4, 1));
  EXPECT_THAT(Turns(shares, 2, 5), testing::ElementsAre(2, 5, 2, 5, 2));
}

TEST(ShardSharesTest, FewerThingsThanShardsAreShared) {
  ShardShares shares(3, 2);
  EXPECT_THAT(Turns(shares, 0, 2), testing::ElementsAre(0, 0));
  EXPECT_THAT(Turns(shares, 1, 2), testing::ElementsAre(1, 1));
  EXPECT_THAT(Turns(shares, 2, 2), testing::ElementsAre(0, 0));
}

TEST(ShardSharesTest, OneThingIsEverybodys) {
  ShardShares shares(4, 1);
  for (size_t shard = 0; shard < 4; ++shard) {
    EXPECT_THAT(Turns(shares, shard, 2), testing::ElementsAre(0, 0));
  }
}

}  // namespace
}  // namespace distbench
