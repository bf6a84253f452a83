#include "distbench/export/result_names.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "protos/distbench.pb.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;

TEST(UniqueNamesTest, RepeatedNameGetsANumber) {
  UniqueNames names;
  EXPECT_EQ(names.Take("a"), "a");
  EXPECT_EQ(names.Take("a"), "a_2");
  EXPECT_EQ(names.Take("a"), "a_3");
  EXPECT_EQ(names.Take("a_2"), "a_2_2");
}

TEST(TestLabelsTest, EveryTestHasALabelOfItsOwn) {
  TestSequenceResults results;
  for (const char* name : {"clique", "", "clique", ""}) {
    results.add_test_results()->mutable_traffic_config()->set_name(name);
  }
  EXPECT_THAT(TestLabels(results), ElementsAre("clique", "test2", "clique_2", "test4"));
}

TEST(RpcNameTest, PositionOutsideTheConfigIsNamedByItsNumber) {
  TestResult test;
  test.mutable_traffic_config()->add_rpc_descriptions()->set_name("ask");
  EXPECT_EQ(RpcName(test, 0), "ask");
  EXPECT_EQ(RpcName(test, 1), "unknown RPC 1");
  EXPECT_EQ(RpcName(test, -1), "unknown RPC -1");
}

TEST(ErrorTextTest, ErrorAlwaysHasAText) {
  ErrorDictionary dictionary;
  dictionary.add_error_message("");
  dictionary.add_error_message("refused");
  EXPECT_EQ(ErrorText(dictionary, 1), "refused");
  EXPECT_EQ(ErrorText(dictionary, 0), "unknown error");
  EXPECT_EQ(ErrorText(dictionary, 2),
            "unknown error (error_index 2 is not in the error_dictionary)");
}

}  // namespace
}  // namespace distbench
