// The model of traffic, held against counts made by hand.
#include "distbench/testing/model/traffic_model.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "google/protobuf/text_format.h"

namespace distbench::model {
namespace {

DistributedSystemDescription Parse(const std::string& text) {
  DistributedSystemDescription config;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &config)) << text;
  return config;
}

// Two clients, three servers, one store: "ask" goes from client to server as `ask` says, "fetch"
// from server to store.
DistributedSystemDescription Tiers(const std::string& ask, const std::string& server_list) {
  return Parse(absl::StrCat(R"(
    services { name: "client" count: 2 }
    services { name: "server" count: 3 }
    services { name: "store" count: 1 }
    rpc_descriptions { name: "ask" client: "client" server: "server" )",
                            ask, R"( }
    rpc_descriptions { name: "fetch" client: "server" server: "store" }
    action_lists { name: "client" action_names: "ask" }
    action_lists { name: "fetch" }
    actions { name: "ask" rpc_name: "ask" iterations { max_iteration_count: 5
              warmup_iterations: 2 } }
    action_lists { name: "ask" )",
                            server_list));
}

constexpr int kAsk = 0;
constexpr int kFetch = 1;
constexpr int kStore = 5;

void ExpectBounds(const Tally& tally, const Event& event, int64_t least, int64_t most) {
  EXPECT_EQ(tally.of(event).least, least);
  EXPECT_EQ(tally.of(event).most, most);
}

TEST(TrafficModelTest, CountsWhatIsCertainExactly) {
  const TrafficModel model(Tiers("", R"(action_names: "fetch" }
    actions { name: "fetch" rpc_name: "fetch" iterations { max_iteration_count: 3 } })"));
  ExpectBounds(model.tally(), {.what = kAsk, .client = 1, .server = 2}, 5, 5);
  ExpectBounds(model.tally(), {.what = kAsk, .client = 1, .server = 2, .phase = Phase::kWarmup}, 2,
               2);
  ExpectBounds(model.tally(), {.what = kFetch, .client = 4, .server = kStore}, 30, 30);
  ExpectBounds(model.tally(),
               {.what = kFetch, .client = 4, .server = kStore, .phase = Phase::kMeasured}, 18, 18);
  EXPECT_EQ(model.tally().Rpcs().most, 30 + 90);
}

TEST(TrafficModelTest, ADrawnTargetLeavesTheSumsExact) {
  const TrafficModel model(Tiers("fanout_filter: 'random'", R"(action_names: "fetch" }
    actions { name: "fetch" rpc_name: "fetch" })"));
  ExpectBounds(model.tally(), {.what = kAsk, .client = 0, .server = 2}, 0, 5);
  ExpectBounds(model.tally(), {.what = kAsk, .client = 0, .server = kAnyInstance}, 5, 5);
  ExpectBounds(model.tally(), {.what = kFetch, .client = 2, .server = kStore}, 0, 10);
  ExpectBounds(model.tally(), {.what = kFetch, .client = kAnyInstance, .server = kStore}, 10, 10);
}

TEST(TrafficModelTest, OfTwoComplementsOneRuns) {
  const TrafficModel model(Tiers("", R"(action_names: "once" action_names: "twice"
      action_names: "after" action_names: "never"
      predicate_probabilities { key: "p" value: 0.5 }
      predicate_probabilities { key: "q" value: 0 } }
    actions { name: "once" rpc_name: "fetch" predicates: "p" }
    actions { name: "after" rpc_name: "fetch" dependencies: "once" }
    actions { name: "twice" rpc_name: "fetch" predicates: "!p"
              iterations { max_iteration_count: 2 } }
    actions { name: "never" rpc_name: "fetch" predicates: "q" })"));
  ExpectBounds(model.tally(), {.what = kFetch, .client = 3, .server = kStore}, 20, 20);
}

TEST(TrafficModelTest, DistinctTargetsAreBoundedTogether) {
  const TrafficModel model(Tiers("fanout_filter: 'stochastic{0.5:0,0.5:2}'", "}"));
  ExpectBounds(model.tally(), {.what = kAsk, .client = 0, .server = 2}, 0, 5);
  ExpectBounds(model.tally(), {.what = kAsk, .client = 0, .server = kAnyInstance}, 0, 10);
}

TEST(TrafficModelTest, AnOpenLoopStartsAtBothEndsOfItsTime) {
  Action action = Parse(R"(actions { iterations { open_loop_interval_ns: 1500
                                                  max_duration_us: 6 } })")
                      .actions(0);
  EXPECT_EQ(StartsOf(action).least, 5);
  EXPECT_EQ(StartsOf(action).most, 5);
  action.mutable_iterations()->set_open_loop_interval_distribution("sync_burst");
  EXPECT_EQ(StartsOf(action).least, 4);
  EXPECT_EQ(StartsOf(action).most, 5);
}

TEST(PopulationTest, RingsAndLinesLeadAlongTheGrid) {
  const Population population(Parse(R"(services { name: "g" x_size: 3 y_size: 2 })"));
  ASSERT_EQ(population.instances()[4].name, "g/1/1");
  const auto target = [&](const char* filter, int caller) {
    const Targets targets = population.TargetsOf(filter, caller, "g");
    return targets.most == 1 ? population.instances()[targets.instances[0]].name : "";
  };
  EXPECT_EQ(target("ring_x", 2), "g/0/0");
  EXPECT_EQ(target("alternating_ring_x", 3), "g/2/1");
  EXPECT_EQ(target("alternating_ring_x", 0), "g/1/0");
  EXPECT_EQ(target("linear_x{-1}", 5), "g/1/1");
  EXPECT_EQ(target("linear_y{1}", 5), "");
  EXPECT_EQ(population.TargetsOf("same_y", 0, "g").most, 2);
}

}  // namespace
}  // namespace distbench::model
