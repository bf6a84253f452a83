#include "test_builder/patterns/call_graph_text.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Edges(const CallGraph& graph) {
  std::vector<std::string> texts;
  for (const CallGraph::Edge& edge : graph.edges) {
    texts.push_back(absl::StrCat(graph.services[edge.caller].name, ">",
                                 graph.services[edge.callee].name, " ", edge.probability, " ",
                                 edge.calls, " ", edge.request_size_bytes.value_or(-1), " ",
                                 edge.response_size_bytes.value_or(-1)));
  }
  return texts;
}

std::string ErrorOf(absl::string_view text) {
  return std::string(ParseCallGraph(text).status().message());
}

TEST(ParseCallGraphTest, EachLineIsAnEdge) {
  const auto graph = ParseCallGraph(
      "# comment\n"
      "front cart calls=2   # more\n"
      "\n"
      "client\tfront\r\n"
      "front ads probability=0.25 request_size=7 response_size=0\n"
      "ads count=3");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_THAT(Edges(*graph), ElementsAre("front>cart 1 2 -1 -1", "client>front 1 1 -1 -1",
                                         "front>ads 0.25 1 7 0"));
  EXPECT_EQ(graph->services[graph->client].name, "client");
  EXPECT_EQ(graph->services.back().name, "ads");
  EXPECT_EQ(graph->services.back().count, 3);
}

TEST(ParseCallGraphTest, WhatIsWrongIsSaidOfItsLine) {
  EXPECT_THAT(ErrorOf("a b\n\nc"), HasSubstr("line 3: 'c' alone"));
  EXPECT_THAT(ErrorOf("a b\na b"), HasSubstr("line 2: a calls b twice"));
  EXPECT_THAT(ErrorOf("a b probabilty=1"), HasSubstr("did you mean 'probability'"));
  EXPECT_THAT(ErrorOf("a b probability=0"), HasSubstr("expected a number, 1e-09 to 1"));
  EXPECT_THAT(ErrorOf("a b probability=1e-60"), HasSubstr("line 1: 'probability=1e-60'"));
  EXPECT_THAT(ErrorOf("a b calls=2 calls=3"), HasSubstr("line 1: calls is given twice"));
  EXPECT_THAT(ErrorOf("a b\nb count=2\nb count=2"), HasSubstr("line 3: count of b is given twice"));
  EXPECT_THAT(ErrorOf("a b calls=0"), HasSubstr("calls=0: expected an integer, 1 to"));
  EXPECT_THAT(ErrorOf("a b/c"), HasSubstr("'b/c' is no name"));
  EXPECT_THAT(ErrorOf("a b\nb width=2"), HasSubstr("line 2: a service alone has count="));
}

TEST(ParseCallGraphTest, NamesOfCallsAreTheirOwn) {
  EXPECT_THAT(ErrorOf("a b\nb query"), HasSubstr("line 2: a service cannot be called 'query'"));
  EXPECT_THAT(
      ErrorOf("a b\nb a_to_b"),
      HasSubstr("line 2: a service cannot be called 'a_to_b', which is what calls of a to b"));
  EXPECT_THAT(ErrorOf("x a_to_b\nx a\na b"), HasSubstr("line 3: a service cannot be called"));
  EXPECT_THAT(ErrorOf("x a\nx a_to\na_to b\na to_b"),
              HasSubstr("line 4: calls of a to to_b would be called 'a_to_to_b' like those of a_to "
                        "to b"));
}

TEST(ParseCallGraphTest, TheClientIsOne) {
  EXPECT_THAT(ErrorOf("a b\na count=3\nb c"), HasSubstr("line 2: count=3 of a, the client"));
  EXPECT_TRUE(ParseCallGraph("a b\na count=1").ok());
}

TEST(ParseCallGraphTest, OneServiceIsCalledByNobody) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("none"));
  EXPECT_THAT(ErrorOf("a c\nb c"), HasSubstr("nobody calls: a, b"));
  EXPECT_THAT(ErrorOf("a b\nb a"), HasSubstr("none"));
}

TEST(ParseCallGraphTest, ACycleIsRefused) {
  EXPECT_THAT(ErrorOf("a b\nb c\nc b"), HasSubstr("cycle"));
  EXPECT_THAT(ErrorOf("a b\nb b"), HasSubstr("cycle"));
}

TEST(CallTreeTest, EachServiceCallsWidthOfTheNextLevel) {
  const CallGraph tree = CallTree(3, 2);
  EXPECT_EQ(tree.services.size(), 1 + 1 + 2 + 4);
  EXPECT_EQ(tree.edges.size(), 1 + 2 + 4);
  EXPECT_EQ(tree.services[tree.client].name, "client");
  const CallGraph line = CallTree(1, 5);
  EXPECT_THAT(Edges(line), ElementsAre("client>front 1 1 -1 -1"));
}

}  // namespace
}  // namespace distbench
