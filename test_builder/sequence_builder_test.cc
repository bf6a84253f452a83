#include "test_builder/sequence_builder.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "distbench/cli/cpu_flags.h"
#include "distbench/cli/drivers.h"
#include "distbench/driver/driver_registry.h"
#include "distbench/node/node_environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "test_builder/patterns/patterns.h"
#include "test_builder/version_order.h"

namespace distbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "three") return "3";
  return absl::EndsWith(path, ".graph") ? "client " + path.substr(2, 1) : "seed: 7";
}

class SequenceBuilderTest : public ::testing::Test {
 protected:
  // Of a command line with configs and sweeps.
  absl::StatusOr<std::vector<BuiltTest>> Build(const std::string& words,
                                               const BuildOptions& options = {}) {
    std::vector<std::string> arguments = absl::StrSplit(words, ' ');
    const auto sweeps = TakeSweeps(&arguments, ReadFile);
    EXPECT_TRUE(sweeps.ok()) << sweeps.status();
    std::vector<ConfigSpec> specs;
    for (const std::string& text : arguments) {
      const auto spec = ParseConfigSpec(text, ReadFile);
      EXPECT_TRUE(spec.ok()) << spec.status();
      specs.push_back(*spec);
    }
    std::ostringstream warnings;
    auto built = SequenceBuilder(patterns_, KnownDriversOf(*drivers_), options)
                     .Build(specs, *sweeps, warnings);
    EXPECT_THAT(warnings.str(), IsEmpty());
    return built;
  }

  std::vector<std::string> Names(const std::string& words) {
    const auto built = Build(words);
    EXPECT_TRUE(built.ok()) << built.status();
    std::vector<std::string> names;
    for (const BuiltTest& test : *built) names.push_back(test.name);
    return names;
  }

  std::string ErrorOf(const std::string& words) {
    return std::string(Build(words).status().message());
  }

  const PatternRegistry patterns_ = BuiltInPatterns();
  const std::unique_ptr<DriverRegistry> drivers_ = MakeDriverRegistry({.shards = 1});
};

TEST_F(SequenceBuilderTest, EveryPatternIsAcceptedWithEachDriver) {
  for (const auto& pattern : patterns_.all()) {
    for (const char* driver :
         {"", ":grpc:client_type=callback:server_type=handoff", ":tcp:ipv6", ":grpc_async_callback",
          ":double_barrel:next_protocol_driver=tcp", ":composable_rpc_counter"}) {
      EXPECT_THAT(Names(absl::StrCat(pattern->name(), driver)), SizeIs(1));
    }
  }
}

TEST_F(SequenceBuilderTest, NamesAreThePatternsAndTheProtocols) {
  EXPECT_THAT(
      Names("client_server clique rectangular tripartite multi_level_rpc "
            "variable_response_multi_level_rpc homa_cp_node"),
      ElementsAre("client_server_1x1x100-grpc_polling_inline",
                  "clique_sync_burst_10x16000x1024x1024-grpc_polling_inline",
                  "rectangular_ring_x_sync_burst_5x3x100000x1024x1024-grpc_polling_inline",
                  "tripartite_1x1x10-grpc_polling_inline",
                  "multi_level_rpc_4x20x10000-grpc_polling_inline",
                  "variable_response_multi_level_rpc_4x20x10000-grpc_polling_inline-1024-64000",
                  "homa_cp_node_exponential_10x1xw5x1000000-grpc_polling_inline"));
  EXPECT_THAT(Names("variable_response_multi_level_rpc:tcp:ipv4:exact_size=64"),
              ElementsAre("variable_response_multi_level_rpc_4x20x10000-tcp_ipv4-64"));
}

TEST_F(SequenceBuilderTest, AttributesAreTheParametersAndTheNames) {
  const auto built = Build(
      "clique:tcp:node_count=4",
      {.duration_text = "2.5", .duration = absl::Seconds(2.5), .prefix = "run1_", .label = "base"});
  ASSERT_TRUE(built.ok()) << built.status();
  const std::string name = "clique_sync_burst_4x16000x1024x1024-tcp";
  EXPECT_EQ(built->front().name, name);
  EXPECT_EQ(built->front().file_stem, "run1_base-" + name);
  EXPECT_EQ(built->front().config.name(), name);
  EXPECT_THAT(
      built->front().config.attributes(),
      UnorderedElementsAre(Pair("node_count", "4"), Pair("rpc_interval_us", "16000"),
                           Pair("synchronization_mode", "sync_burst"), Pair("request_size", "1024"),
                           Pair("response_size", "1024"), Pair("warmup_seconds", "3"),
                           Pair("test_name", name), Pair("traffic_pattern", "clique"),
                           Pair("traffic_alias", "clique_sync_burst_4x16000x1024x1024"),
                           Pair("protocol_driver", "tcp"), Pair("protocol_alias", "tcp"),
                           Pair("config_label", "base-" + name), Pair("test_duration", "2.5"),
                           Pair("test_timeout", "122.5"), Pair("ip_version", "0")));
}

TEST_F(SequenceBuilderTest, KeysOfAttributesAreInOrder) {
  const auto built = Build("client_server:ipv6");
  ASSERT_TRUE(built.ok()) << built.status();
  std::vector<std::string> keys;
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(built->front().text, '\n'))) {
    const std::vector<std::string> parts = absl::StrSplit(line, '"');
    if (parts.size() == 5 && parts[0] == "  attributes { key: ") keys.push_back(parts[1]);
  }
  EXPECT_THAT(keys, SizeIs(built->front().config.attributes().size()));
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end(), ComesBefore));
}

TEST_F(SequenceBuilderTest, ASweepIsATestForEachValueOfEachConfig) {
  EXPECT_THAT(Names("parameter_sweep client_count 1,2 client_server tripartite:tcp"),
              ElementsAre("client_server_1x1x100-grpc_polling_inline",
                          "client_server_2x1x100-grpc_polling_inline", "tripartite_1x1x10-tcp",
                          "tripartite_2x1x10-tcp"));
  const auto built = Build("parameter_sweep client_count,server_count 1,2 client_server");
  EXPECT_EQ(built->front().config.attributes().at("swept_parameter"), "client_count,server_count");
}

TEST_F(SequenceBuilderTest, SettingsOfDriversAreSweptToo) {
  EXPECT_THAT(Names("parameter_sweep server_type inline,handoff clique"),
              ElementsAre("clique_sync_burst_10x16000x1024x1024-grpc_polling_inline",
                          "clique_sync_burst_10x16000x1024x1024-grpc_polling_handoff"));
}

TEST_F(SequenceBuilderTest, WhatNamesDoNotShowIsAdded) {
  EXPECT_THAT(Names("parameter_sweep request_size 1,2 parameter_sweep server_count 3,4 "
                    "parameter_sweep response_size 5,6 client_server:tcp"),
              ElementsAre("client_server_1x3x100-tcp-request_size_1-response_size_5",
                          "client_server_1x3x100-tcp-request_size_1-response_size_6",
                          "client_server_1x4x100-tcp-request_size_1-response_size_5",
                          "client_server_1x4x100-tcp-request_size_1-response_size_6",
                          "client_server_1x3x100-tcp-request_size_2-response_size_5",
                          "client_server_1x3x100-tcp-request_size_2-response_size_6",
                          "client_server_1x4x100-tcp-request_size_2-response_size_5",
                          "client_server_1x4x100-tcp-request_size_2-response_size_6"));
}

TEST_F(SequenceBuilderTest, WhatSomeNamesDoNotShowIsAddedToAll) {
  // An inline server has no pool, so its names leave that out; the first ones do not.
  EXPECT_THAT(Names("parameter_sweep server_type handoff,inline parameter_sweep threadpool_type "
                    "simple,elastic ring"),
              ElementsAre("ring_sync_burst_10x16000x1024x1024-grpc_polling_handoff_simple-"
                          "threadpool_type_simple",
                          "ring_sync_burst_10x16000x1024x1024-grpc_polling_handoff_elastic-"
                          "threadpool_type_elastic",
                          "ring_sync_burst_10x16000x1024x1024-grpc_polling_inline-"
                          "threadpool_type_simple",
                          "ring_sync_burst_10x16000x1024x1024-grpc_polling_inline-"
                          "threadpool_type_elastic"));
}

TEST_F(SequenceBuilderTest, AFileIsNamedInsteadOfWhatItHolds) {
  EXPECT_THAT(Names("parameter_sweep graph <d/a.graph,<e/b.graph call_graph:tcp"),
              ElementsAre("call_graph_graphx100-tcp-graph_a.graph",
                          "call_graph_graphx100-tcp-graph_b.graph"));
  EXPECT_THAT(Names("parameter_sweep graph,graph_name <d/a.graph/a,<e/b.graph/b call_graph:tcp"),
              ElementsAre("call_graph_ax100-tcp", "call_graph_bx100-tcp"));
}

TEST_F(SequenceBuilderTest, OneNameWithOtherContentsIsAnErrorThatShowsTheDifference) {
  EXPECT_THAT(ErrorOf("client_server:request_size=1 client_server:request_size=2"),
              AllOf(HasSubstr("'client_server_1x1x100-grpc_polling_inline'"),
                    HasSubstr("-   attributes { key: \"request_size\" value: \"1\" }\n"
                              "+   attributes { key: \"request_size\" value: \"2\" }")));
  EXPECT_THAT(Names("client_server client_server:grpc"), SizeIs(1));
}

TEST_F(SequenceBuilderTest, ExtraContentsAreFieldsOfTheTest) {
  const auto built = Build("clique:extra_test_contents=<file");
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->front().config.seed(), 7);
  EXPECT_THAT(built->front().text, HasSubstr("\nseed: 7\n}\n"));
  EXPECT_THAT(ErrorOf("clique:extra_test_contents=sed:7"), HasSubstr("extra_test_contents:1:1: "));
}

TEST_F(SequenceBuilderTest, WhatIsWrittenIsWhatIsChecked) {
  EXPECT_THAT(ErrorOf("clique:tcp:extra_test_contents=attributes{key:'test_timeout',value:'1'}"),
              HasSubstr("test 'clique_sync_burst_10x16000x1024x1024-tcp', extra_test_contents:1:1: "
                        "attributes has the key 'test_timeout' already"));
  EXPECT_THAT(ErrorOf("ping_pong:tcp:placement=same_process:extra_test_contents="
                      "node_service_bundles{key:'node0'}"),
              HasSubstr("node_service_bundles has the key 'node0' already"));
  EXPECT_THAT(ErrorOf("ping_pong:tcp:placement=same_host:extra_test_contents="
                      "service_constraints{key:'mirror/*'}"),
              HasSubstr("service_constraints has the key 'mirror/*' already"));
}

TEST_F(SequenceBuilderTest, WarmupOfClosedLoopsIsInFrontOfTheDuration) {
  for (const char* pattern : {"ping_pong", "command_mix", "scatter_gather", "all_to_all"}) {
    const auto built =
        Build(absl::StrCat(pattern, ":warmup_seconds=2"), {.duration = absl::Seconds(5)});
    ASSERT_TRUE(built.ok()) << built.status();
    const Iterations& timed = built->front().config.actions(0).iterations();
    EXPECT_EQ(timed.warmup_ns(), 2'000'000'000) << pattern;
    EXPECT_EQ(timed.max_duration_us(), 7'000'000) << pattern;
    EXPECT_EQ(timed.warmup_iterations(), 0) << pattern;
    const auto counted =
        Build(absl::StrCat(pattern, ":warmup_iterations=9"), {.duration = absl::Seconds(5)});
    ASSERT_TRUE(counted.ok()) << counted.status();
    const Iterations& counting = counted->front().config.actions(0).iterations();
    EXPECT_EQ(counting.warmup_ns(), 0) << pattern;
    EXPECT_EQ(counting.max_duration_us(), 5'000'000) << pattern;
    EXPECT_EQ(counting.warmup_iterations(), 9) << pattern;
  }
}

TEST_F(SequenceBuilderTest, SpinnersSpinAsLongAsThereAreCommands) {
  const auto built = Build("command_mix:background_spinners=2", {.duration = absl::Seconds(5)});
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->front().config.actions(1).name(), "spin");
  EXPECT_EQ(built->front().config.actions(1).iterations().max_duration_us(), 6'000'000);
}

TEST_F(SequenceBuilderTest, OpenLoopsEndByTheirCountOrWithTheTest) {
  const auto loop = [this](const std::string& config, absl::Duration duration) {
    const auto built = Build(config, {.duration = duration});
    EXPECT_TRUE(built.ok()) << built.status();
    return built->front().config.actions(0).iterations();
  };
  const Iterations ring = loop("ring:rpc_interval_us=100:warmup_seconds=2", absl::Seconds(1));
  EXPECT_EQ(ring.max_iteration_count(), 30000);
  EXPECT_EQ(ring.max_duration_us(), 3'000'000);
  // Gaps that are drawn may add up to more.
  const Iterations drawn = loop(
      "pipeline:qps=100:warmup_seconds=0:synchronization_mode=exponential", absl::Seconds(100));
  EXPECT_EQ(drawn.max_iteration_count(), 10'000);
  EXPECT_EQ(drawn.max_duration_us(), 106'200'000);
  // The one that is measured may start behind the duration.
  const Iterations late = loop("ring:rpc_interval_us=2000000:warmup_seconds=3", absl::Seconds(0.5));
  EXPECT_EQ(late.max_iteration_count(), 2);
  EXPECT_EQ(late.max_duration_us(), 4'000'000);
  for (const char* mode : {"sync_burst", "exponential"}) {
    const Iterations endless =
        loop(absl::StrCat(
                 "clique:rpc_interval_us=3600000000:warmup_seconds=0:synchronization_mode=", mode),
             absl::Seconds(1));
    EXPECT_EQ(endless.max_iteration_count(), 1);
    EXPECT_EQ(endless.max_duration_us(), 1'000'000);
  }
}

TEST_F(SequenceBuilderTest, RatesThatNoIntervalMakesAreRefused) {
  EXPECT_THAT(ErrorOf("pipeline:qps=400000000"),
              AllOf(HasSubstr("qps=400000000: a start every 2.5 ns"), HasSubstr("choose less")));
  EXPECT_THAT(ErrorOf("multi_level_rpc:qps=400000000"), HasSubstr("qps="));
  EXPECT_THAT(ErrorOf("call_graph:qps=400000000"), HasSubstr("qps="));
  EXPECT_THAT(ErrorOf("homa_cp_node:workload=w1:gbps=370"), HasSubstr("gbps=370: a start every"));
  EXPECT_THAT(Names("pipeline:qps=500000000 pipeline:qps=300000"), SizeIs(2));
}

TEST_F(SequenceBuilderTest, AGraphStandsInPlaceOfTheTree) {
  EXPECT_THAT(ErrorOf("call_graph:depth=2:graph=<d/a.graph"),
              HasSubstr("graph stands in place of depth"));
  EXPECT_THAT(ErrorOf("call_graph:graph_name=shop"), HasSubstr("graph_name=shop names a graph"));
}

TEST_F(SequenceBuilderTest, AnExactSizeStandsInPlaceOfARange) {
  const std::string pattern = "variable_response_multi_level_rpc:tcp:exact_size=64";
  const auto built = Build(pattern);
  ASSERT_TRUE(built.ok()) << built.status();
  const auto& attributes = built->front().config.attributes();
  EXPECT_EQ(attributes.at("exact_size"), "64");
  EXPECT_FALSE(attributes.contains("lower_size") || attributes.contains("upper_size"));
  EXPECT_THAT(ErrorOf(pattern + ":upper_size=9"),
              HasSubstr("exact_size stands in place of upper_size"));
}

TEST_F(SequenceBuilderTest, AGridNeedsAFilter) {
  EXPECT_THAT(ErrorOf("rectangular:fanout_filter="), HasSubstr("fanout_filter=: expected a value"));
}

TEST_F(SequenceBuilderTest, APipelineHasNoMoreStagesThanAConfigBears) {
  EXPECT_THAT(ErrorOf("pipeline:stage_count=1000000"),
              HasSubstr("stage_count=1000000: expected an integer, 1 to 10000"));
}

TEST_F(SequenceBuilderTest, ParametersOfAllTestsChangeThem) {
  const auto built = Build("clique:pacing=hybrid:max_rpc_samples=9");
  ASSERT_TRUE(built.ok()) << built.status();
  EXPECT_EQ(built->front().config.actions(0).iterations().pacing(), "hybrid");
  EXPECT_EQ(built->front().config.action_lists(1).max_rpc_samples(), 9);
  EXPECT_THAT(ErrorOf("parameter_sweep pacing sleep,spin client_server"),
              HasSubstr("client_server: pacing=sleep: the pattern has no open loop"));
}

TEST_F(SequenceBuilderTest, OneTestHasOneName) {
  EXPECT_THAT(Names("ring:node_count=4 ring:node_count=+4 ring:node_count=004"), SizeIs(1));
}

TEST_F(SequenceBuilderTest, AStepOfASweepIsThereOnceHoweverItIsWritten) {
  EXPECT_THAT(Names("parameter_sweep node_count 2,2,3,02,<three ring:tcp"),
              ElementsAre("ring_sync_burst_2x16000x1024x1024-tcp",
                          "ring_sync_burst_3x16000x1024x1024-tcp"));
  EXPECT_THAT(Names("parameter_sweep request_size 02,2 all_to_all:tcp"),
              ElementsAre("all_to_all_8x2-tcp"));
  EXPECT_THAT(Names("parameter_sweep qps 1000000000,1e9 pipeline:tcp"),
              ElementsAre("pipeline_4x0x1000000000-tcp"));
  EXPECT_THAT(Names("parameter_sweep node_count,request_size 2/1,02/01,2/2 all_to_all:tcp"),
              ElementsAre("all_to_all_2x1-tcp", "all_to_all_2x2-tcp"));
}

TEST_F(SequenceBuilderTest, ALongWarmupMakesTheTimeoutLonger) {
  const auto timeout = [this](const std::string& config) {
    const auto built = Build(config, {.duration = absl::Seconds(30)});
    EXPECT_TRUE(built.ok()) << built.status();
    return built->front().config.attributes().at("test_timeout");
  };
  EXPECT_EQ(timeout("ring"), "150");
  EXPECT_EQ(timeout("ring:warmup_seconds=60"), "150");
  EXPECT_EQ(timeout("ring:warmup_seconds=300"), "390");
  EXPECT_EQ(timeout("ping_pong:warmup_seconds=300"), "390");
}

TEST_F(SequenceBuilderTest, UnknownNamesAreErrorsThatNameTheNearest) {
  EXPECT_THAT(ErrorOf("client_sever"),
              AllOf(HasSubstr("'client_sever'"), HasSubstr("'client_server'")));
  EXPECT_THAT(ErrorOf("clique:tpc"), AllOf(HasSubstr("'tpc'"), HasSubstr("tcp")));
  EXPECT_THAT(ErrorOf("clique:nodecount=3"), HasSubstr("'node_count'"));
  for (const auto& [words, offer] : std::vector<std::pair<std::string, std::string>>{
           {"scatter", "'scatter_gather'"},
           {"homa_cp", "'homa_cp_node'"},
           {"homa", "'homa_cp_node'"},
           {"rect", "'rectangular'"},
           {"multi_level", "'multi_level_rpc' or 'variable_response_multi_level_rpc'"},
           {"all2all", "'all_to_all'"},
           {"lst", "'list'"},
           {"parameter_swep", "'parameter_sweep'"},
           {"clique:GRPC", "'grpc'"},
           {"tripartite:warmup=1", "'warmup_iterations'"},
           {"clique:nodes=1", "'node_count'"},
           {"command_mix:weight=1", "_weight'"}}) {
    EXPECT_THAT(ErrorOf(words), HasSubstr("(did you mean ")) << words;
    EXPECT_THAT(ErrorOf(words), HasSubstr(offer)) << words;
  }
  EXPECT_THAT(ErrorOf("parameter_sweep nodecount 1,2 clique"), HasSubstr("'node_count'"));
  EXPECT_THAT(ErrorOf("parameter_sweep node_count 2,3 clique:node_count=4"),
              HasSubstr("node_count is given twice"));
}

TEST_F(SequenceBuilderTest, WhatTheCompilerRefusesIsSaidOfItsConfig) {
  EXPECT_THAT(ErrorOf("rectangular:fanout_filter=ring_q"),
              AllOf(HasSubstr("rectangular:fanout_filter=ring_q: "), HasSubstr("fanout_filter")));
  EXPECT_THAT(ErrorOf("variable_response_multi_level_rpc:lower_size=9:upper_size=8"),
              HasSubstr("lower_size=9 is above upper_size=8"));
}

TEST_F(SequenceBuilderTest, FilesAreNotPaths) {
  EXPECT_THAT(Build("clique", {.label = "a/b"}).status().message(), HasSubstr("'a/b-clique"));
}

}  // namespace
}  // namespace distbench
