#include "distbench/config/diagnostics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(DiagnosticsTest, ShowsTestPathAndMessage) {
  Diagnostics diagnostics;
  diagnostics.Error("clique", "actions[2].rpc_name", "there is no RPC 'x'");
  EXPECT_EQ(diagnostics.all()[0].ToString(),
            "test 'clique', actions[2].rpc_name: there is no RPC 'x'");
}

TEST(DiagnosticsTest, LeavesOutTheTestWhereItHasNoName) {
  Diagnostics diagnostics;
  diagnostics.Error("", "tests[1].seed", "is odd");
  EXPECT_EQ(diagnostics.all()[0].ToString(), "tests[1].seed: is odd");
}

TEST(DiagnosticsTest, WarningsAreNoErrors) {
  Diagnostics diagnostics;
  diagnostics.Warning("t", "actions[0]", "nothing uses it");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_TRUE(diagnostics.ToStatus().ok());
}

TEST(DiagnosticsTest, StatusHasALineForEachErrorAndNoneForWarnings) {
  Diagnostics diagnostics;
  diagnostics.Error("t", "a", "one");
  diagnostics.Warning("t", "b", "two");
  diagnostics.Unsupported("t", "c", "three");
  EXPECT_EQ(diagnostics.ToStatus(),
            absl::InvalidArgumentError("test 't', a: one\ntest 't', c: three"));
}

TEST(DiagnosticsTest, StatusIsUnimplementedIfNothingElseIsWrong) {
  Diagnostics diagnostics;
  diagnostics.Unsupported("t", "c", "three");
  EXPECT_TRUE(absl::IsUnimplemented(diagnostics.ToStatus()));
}

TEST(DiagnosticsTest, AppendKeepsOrder) {
  Diagnostics first, second;
  first.Error("t", "a", "one");
  second.Error("t", "b", "two");
  first.Append(second);
  ASSERT_EQ(first.all().size(), 2u);
  EXPECT_EQ(first.all()[1].field_path, "b");
}

TEST(NearestNameHintTest, FindsTheNearestOfSeveralNearNames) {
  EXPECT_EQ(NearestNameHint("clent", {"clients", "client", "server"}), " (did you mean 'client'?)");
}

TEST(NearestNameHintTest, ListsNamesIfNoneIsNear) {
  EXPECT_EQ(NearestNameHint("database", {"client", "server"}), " (known: client, server)");
}

TEST(NearestNameHintTest, IsEmptyIfNothingIsKnown) { EXPECT_EQ(NearestNameHint("a", {}), ""); }

TEST(NearestNameHintTest, CutsLongLists) {
  const std::vector<std::string> known(500, "service");
  const std::string hint = NearestNameHint("x", known);
  EXPECT_THAT(hint, AllOf(HasSubstr(" (known: service, service, "), HasSubstr(" and 480 more)")));
  EXPECT_LT(hint.size(), 250u);
}

TEST(NearestNameHintTest, TwoNeighboursExchangedAreOneSlip) {
  EXPECT_EQ(NearestNameHint("tpc", {"grpc", "tcp"}), " (did you mean 'tcp'?)");
  EXPECT_EQ(NearestNameHint("tcpx", {"grpc", "tcp"}), " (did you mean 'tcp'?)");
}

TEST(NearestNameHintTest, CaseIsNoDifference) {
  EXPECT_EQ(NearestNameHint("GRPC", {"grpc_async", "tcp", "grpc"}), " (did you mean 'grpc'?)");
  EXPECT_EQ(NearestNameHint("front", {"Front_End", "back"}), " (did you mean 'Front_End'?)");
}

TEST(NearestNameHintTest, OffersWhatContainsTheName) {
  EXPECT_EQ(NearestNameHint("multi_level", {"ring", "variable_multi_level_rpc", "multi_level_rpc"}),
            " (did you mean 'multi_level_rpc' or 'variable_multi_level_rpc'?)");
  EXPECT_EQ(NearestNameHint("node", {"mode", "node_count"}),
            " (did you mean 'mode' or 'node_count'?)");
  EXPECT_EQ(NearestNameHint("weight", {"a_weight", "b_weight", "c_weight", "compute"}),
            " (did you mean 'a_weight', 'b_weight' or 'c_weight'?)");
  EXPECT_EQ(NearestNameHint("ab", {"xyzabxyz", "c"}), " (known: xyzabxyz, c)");
}

TEST(NearestNameHintTest, OffersNamesOfTheSameWordsIfNoneIsNearer) {
  EXPECT_EQ(NearestNameHint("all2all", {"all", "ring", "all_to_all"}),
            " (did you mean 'all' or 'all_to_all'?)");
  EXPECT_EQ(NearestNameHint("nodes", {"node_count", "request_size"}),
            " (did you mean 'node_count'?)");
  EXPECT_EQ(NearestNameHint("count_of_nodes", {"node_count", "request_size"}),
            " (known: node_count, request_size)");
}

TEST(NearestNameHintTest, OffersAFew) {
  const std::vector<std::string> known(500, "some_service");
  EXPECT_EQ(NearestNameHint("service", known),
            " (did you mean 'some_service', 'some_service', 'some_service', 'some_service' or "
            "'some_service'?)");
}

TEST(NearestNameHintTest, ToleratesFewerEditsInShortNames) {
  EXPECT_EQ(NearestNameHint("ab", {"cd"}), " (known: cd)");
  EXPECT_EQ(NearestNameHint("ab", {"ac"}), " (did you mean 'ac'?)");
}

TEST(QuotedTest, EscapesWhatWouldBreakTheLine) {
  EXPECT_EQ(Quoted("a\nb\xff"), R"('a\nb\377')");
  EXPECT_EQ(Quoted("größe"), "'größe'");
}

TEST(QuotedTest, EscapesWhatOnlyLooksLikeUtf8) {
  for (const char* text : {"\xc3", "\xc3(", "\xf0\x9f\x98", "\x80", "\xf8\x80\x80\x80\x80"}) {
    EXPECT_EQ(Quoted(text).find(text), std::string::npos);
  }
}

TEST(QuotedTest, CutsBetweenCharacters) {
  std::string text(199, 'x');
  EXPECT_EQ(Quoted(text + "€uro"), "'" + text + "...'");
}

TEST(QuotedTest, CutsLongValues) {
  EXPECT_THAT(Quoted(std::string(1000, 'x')), AllOf(HasSubstr("xxx...'"), testing::SizeIs(205)));
}

}  // namespace
}  // namespace distbench
