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
  std::vector<std::string> known(500, "service");
  EXPECT_EQ(NearestNameHint("x", known),
            " (known: service, service, service, service, service, service, service, service and "
            "492 more)");
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
