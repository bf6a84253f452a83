#include "distbench/driver/tcp/call_table.h"

#include <map>
#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace distbench {
namespace {

TEST(CallTableTest, AnIdFindsItsCallOnce) {
  CallTable<int> table;
  int call = 0;
  const CallId id = table.Insert(&call);
  EXPECT_TRUE(table.WasGiven(id));
  EXPECT_EQ(table.Remove(id), &call);
  EXPECT_TRUE(table.WasGiven(id));
  EXPECT_EQ(table.Remove(id), nullptr);
  EXPECT_EQ(table.size(), 0u);
}

TEST(CallTableTest, LateIdMissesTheNextCallOfItsSlot) {
  CallTable<int> table;
  int calls[2];
  const CallId first = table.Insert(&calls[0]);
  table.Remove(first);
  const CallId second = table.Insert(&calls[1]);
  EXPECT_EQ(second.slot, first.slot);
  EXPECT_NE(second, first);
  EXPECT_TRUE(table.WasGiven(first));
  EXPECT_EQ(table.Remove(first), nullptr);
  EXPECT_EQ(table.Remove(second), &calls[1]);
}

TEST(CallTableTest, IdsThatNobodyGotWereNotGiven) {
  CallTable<int> table;
  EXPECT_FALSE(table.WasGiven({}));
  int call;
  const CallId id = table.Insert(&call);
  EXPECT_FALSE(table.WasGiven({.slot = id.slot + 1, .generation = 0}));
  EXPECT_FALSE(table.WasGiven({.slot = id.slot, .generation = id.generation + 1}));
  table.Remove(id);
  EXPECT_FALSE(table.WasGiven({.slot = id.slot, .generation = id.generation + 1}));
}

// The rule that servers hold clients to.
TEST(CallTableTest, SlotsAreOpenedInOrderAndUsedAgain) {
  std::mt19937 random(1);
  CallTable<int> table;
  std::vector<int> calls(100);
  std::map<uint32_t, CallId> open;
  uint32_t opened = 0;
  std::set<std::pair<uint32_t, uint32_t>> given;
  for (int i = 0; i < 10'000; ++i) {
    if (open.size() < calls.size() && random() % 2 == 0) {
      const CallId id = table.Insert(&calls[open.size()]);
      ASSERT_LE(id.slot, opened);
      if (id.slot == opened) ++opened;
      ASSERT_TRUE(given.insert({id.slot, id.generation}).second);
      ASSERT_TRUE(open.emplace(id.slot, id).second);
    } else if (!open.empty()) {
      auto it = open.begin();
      std::advance(it, random() % open.size());
      ASSERT_NE(table.Remove(it->second), nullptr);
      open.erase(it);
    }
    ASSERT_EQ(table.size(), open.size());
  }
  EXPECT_LE(opened, calls.size());
}

TEST(CallTableTest, ForEachVisitsTheCallsThatAreThere) {
  CallTable<int> table;
  int calls[3];
  table.Insert(&calls[0]);
  const CallId gone = table.Insert(&calls[1]);
  table.Insert(&calls[2]);
  table.Remove(gone);
  std::set<int*> visited;
  table.ForEach([&](int* call) { visited.insert(call); });
  EXPECT_EQ(visited, (std::set<int*>{&calls[0], &calls[2]}));
  table.Clear();
  table.ForEach([&](int*) { FAIL(); });
  EXPECT_EQ(table.Insert(&calls[0]), CallId{});
}

}  // namespace
}  // namespace distbench
