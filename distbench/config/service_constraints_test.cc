// Which instance must satisfy what, and what is wrong with keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/compile_text.h"
#include "distbench/config/constraints.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// service_constraints of `key`: the rack is `rack`.
std::string RackOf(const std::string& key, const std::string& rack) {
  return absl::StrCat("service_constraints { key: '", key,
                      "' value { constraint_sets { constraints { attribute_name: 'rack' relation: "
                      "EQUAL string_values: '",
                      rack, "' } } } }\n");
}

// "client/0: rack is 'a' [client/*]", or "client/0: any"; a line each.
std::vector<std::string> Requirements(const Plan& plan) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < plan.instances.size(); ++i) {
    const InstanceIndex instance(i);
    const NodeRequirement* required =
        plan.node_requirements.empty() ? nullptr : plan.node_requirements[instance].get();
    lines.push_back(absl::StrCat(plan.instances[instance].name, ": ",
                                 required == nullptr
                                     ? "any"
                                     : absl::StrCat(Describe(*required->constraints), " [",
                                                    absl::StrJoin(required->keys, " "), "]")));
  }
  return lines;
}

// client/0, server/0 and server/1.
std::vector<std::string> Compile(const std::string& more) {
  const CompiledText compiled = CompileText(ClientServerWith(more));
  EXPECT_THAT(compiled.Lines(), IsEmpty());
  return compiled.plan == nullptr ? std::vector<std::string>() : Requirements(*compiled.plan);
}

TEST(ServiceConstraintsTest, WithoutAnyEveryNodeWillDo) {
  EXPECT_THAT(Compile(""), ElementsAre("client/0: any", "server/0: any", "server/1: any"));
}

TEST(ServiceConstraintsTest, ANameIsOneInstance) {
  EXPECT_THAT(Compile(RackOf("server/1", "a")),
              ElementsAre("client/0: any", "server/0: any", "server/1: rack is 'a' [server/1]"));
}

TEST(ServiceConstraintsTest, AGlobIsEveryInstanceThatItMatches) {
  EXPECT_THAT(Compile(RackOf("server/*", "a")),
              ElementsAre("client/0: any", "server/0: rack is 'a' [server/*]",
                          "server/1: rack is 'a' [server/*]"));
  EXPECT_THAT(
      Compile(RackOf("*/0", "a")),
      ElementsAre("client/0: rack is 'a' [*/0]", "server/0: rack is 'a' [*/0]", "server/1: any"));
}

TEST(ServiceConstraintsTest, ANameWinsOverGlobs) {
  EXPECT_THAT(Compile(RackOf("*/*", "a") + RackOf("server/1", "b") + RackOf("zz*/*", "c") +
                      "services { name: 'zz' } action_lists { name: 'zz' }"),
              ElementsAre("client/0: rack is 'a' [*/*]", "server/0: rack is 'a' [*/*]",
                          "server/1: rack is 'b' [server/1]",
                          "zz/0: rack is 'a', and rack is 'c' [*/* zz*/*]"));
}

TEST(ServiceConstraintsTest, OfSeveralGlobsAllMustHold) {
  EXPECT_THAT(Compile(RackOf("server/*", "a") + RackOf("*/0", "b")),
              ElementsAre("client/0: rack is 'b' [*/0]",
                          "server/0: rack is 'b', and rack is 'a' [*/0 server/*]",
                          "server/1: rack is 'a' [server/*]"));
}

TEST(ServiceConstraintsTest, InstancesWithTheSameKeysShareTheirRequirement) {
  const CompiledText compiled = CompileText(ClientServerWith(RackOf("server/*", "a")));
  const auto& requirements = compiled.plan->node_requirements;
  EXPECT_EQ(requirements[InstanceIndex(1)], requirements[InstanceIndex(2)]);
}

TEST(ServiceConstraintsTest, ABundleWins) {
  const std::string bundle =
      "node_service_bundles { key: 'node1' value { services: 'server/0' } }\n";
  EXPECT_THAT(Compile(RackOf("server/*", "a") + bundle),
              ElementsAre("client/0: any", "server/0: any", "server/1: rack is 'a' [server/*]"));
}

TEST(ServiceConstraintsTest, KeysWithoutEffectAreWarnedOf) {
  const std::string bundle = "node_service_bundles { key: 'node1' value { services: 'server/0' } }";
  ExpectLines({{"",
                RackOf("server/0", "a") + bundle,
                {"warning service_constraints[server/0]: without effect: each instance that it "
                 "names is placed by node_service_bundles, or is a key by its own name"}},
               {"",
                RackOf("server/*", "a") + RackOf("server/1", "b") + bundle,
                {"warning service_constraints[server/*]: without effect: each instance that it "
                 "names is placed by node_service_bundles, or is a key by its own name"}}});
}

TEST(ServiceConstraintsTest, KeysThatMeanNoInstance) {
  ExpectLines({
      {"",
       RackOf("srver/0", "a"),
       {"error service_constraints[srver/0]: no instance matches 'srver/0', as no service has "
        "that name (did you mean 'server'?)"}},
      {"",
       RackOf("server/2", "a"),
       {"error service_constraints[server/2]: no instance matches 'server/2'; service 'server' "
        "has 'server/0' to 'server/1'"}},
      {"",
       RackOf("srver/*", "a"),
       {"error service_constraints[srver/*]: no instance matches 'srver/*', as no service has "
        "that name (did you mean 'server'?)"}},
      {"",
       RackOf("server/*/*", "a"),
       {"error service_constraints[server/*/*]: no instance matches 'server/*/*'; service "
        "'server' has 'server/0' to 'server/1'"}},
      {"",
       RackOf("sever*/*", "a"),
       {"error service_constraints[sever*/*]: no instance matches 'sever*/*' (did you mean "
        "'server'?)"}},
  });
}

TEST(ServiceConstraintsTest, WrongConstraintsAreErrorsOfTheirField) {
  ExpectLines({{"",
                "service_constraints { key: 'server/*' value { constraint_sets { constraints { "
                "attribute_name: 'rack' string_values: 'a' } } } }",
                {"error service_constraints[server/*].constraint_sets[0].constraints[0].relation: "
                 "missing; set EQUAL, NOT_EQUAL, MODULO_EQUAL or MODULO_NOT_EQUAL"}}});
}

}  // namespace
}  // namespace distbench
