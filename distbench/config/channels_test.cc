// Multi-server channels, as configs describe them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "distbench/config/compile_text.h"
#include "distbench/config/compiler.h"
#include "distbench/config/diagnostics.h"
#include "distbench/config/plan.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kServer[] = "name: 'server' count: 2";
constexpr char kRpc[] = "client: 'client' server: 'server'";

// The usual client and server, where the server has these channels, and the RPC `more`.
std::string WithChannels(const std::string& channels, const std::string& more) {
  std::string config = ClientServerWith("");
  const auto append = [&](const std::string& after, const std::string& text) {
    config.insert(config.find(after) + after.size(), absl::StrCat(" ", text));
  };
  append(kServer, channels);
  append(kRpc, more);
  return config;
}

std::string OneChannel(const std::string& contents) {
  return absl::StrCat("multi_server_channels { name: 'm' ", contents, " }");
}

constexpr char kOnM[] = "multi_server_channel_name: 'm'";

TEST(ChannelsTest, AnRpcGoesOnAChannelOfItsServer) {
  const CompiledText compiled =
      CompileText(WithChannels("multi_server_channels { name: 'other' selected_instances: 0 } "
                               "multi_server_channels { name: 'm' selected_instances: [1, 0] }",
                               kOnM));
  EXPECT_THAT(compiled.Lines(),
              ElementsAre("warning services[1].multi_server_channels[0]: nothing uses the "
                          "multi-server channel 'other'"));
  const Plan& plan = *compiled.plan;
  ASSERT_EQ(plan.channels.size(), 2u);
  const ChannelPlan& channel = plan.channels[ChannelIndex(1)];
  EXPECT_EQ(channel.name, "m");
  EXPECT_EQ(channel.server, ServiceIndex(1));
  EXPECT_THAT(channel.members, ElementsAre(1, 0));
  EXPECT_EQ(channel.config->name(), "m");
  EXPECT_EQ(plan.rpcs[RpcIndex(0)].channel, ChannelIndex(1));
  const ServicePlan& client = plan.services[ServiceIndex(0)];
  EXPECT_THAT(client.channels, ElementsAre(ChannelIndex(1)));
  EXPECT_THAT(client.called, IsEmpty()) << "nothing is sent to an instance by name";
}

TEST(ChannelsTest, MembersMayBeLeftToConstraints) {
  const CompiledText compiled =
      CompileText(WithChannels(OneChannel("constraints { constraint_sets { constraints { "
                                          "attribute_name: 'rack' relation: EQUAL "
                                          "string_values: 'a' } } }"),
                               kOnM));
  EXPECT_THAT(compiled.Lines(), IsEmpty());
  EXPECT_THAT(compiled.plan->channels[ChannelIndex(0)].members, IsEmpty());
  EXPECT_TRUE(compiled.plan->channels[ChannelIndex(0)].config->has_constraints());
}

TEST(ChannelsTest, AServiceMaySendToItselfOnAChannel) {
  const CompiledText compiled = CompileText(R"(
    services { name: 's' count: 1 multi_server_channels { name: 'm' selected_instances: 0 } }
    rpc_descriptions { name: 'q' client: 's' server: 's' multi_server_channel_name: 'm' }
    actions { name: 'run' rpc_name: 'q' } action_lists { name: 's' action_names: 'run' }
    action_lists { name: 'q' })");
  EXPECT_THAT(compiled.Lines(), IsEmpty());
}

TEST(ChannelsTest, AFanoutBesidesAChannelIsIgnoredWithAWarning) {
  EXPECT_THAT(CompileText(WithChannels(OneChannel("selected_instances: 0"),
                                       absl::StrCat(kOnM, " fanout_filter: 'round_robin'")))
                  .Lines(),
              ElementsAre("warning rpc_descriptions[0].fanout_filter: 'round_robin' has no effect: "
                          "the channel 'm' picks the instance; leave one of the two out"));
}

TEST(ChannelsTest, WhatIsWrongIsToldAtItsPlace) {
  struct Case {
    std::string channels;
    std::vector<std::string> errors;
  };
  const std::string path = "error services[1].multi_server_channels";
  for (const Case& wrong : std::vector<Case>{
           {"multi_server_channels { name: 'm' }",
            {path + "[0]: channel 'm' has neither selected_instances nor constraints; give it one "
                    "of them"}},
           {OneChannel("selected_instances: 0 constraints { }"),
            {path + "[0]: channel 'm' has both selected_instances and constraints; give it one of "
                    "them"}},
           {OneChannel("selected_instances: [0, 2, -1, 0]"),
            {path +
                 "[0].selected_instances[1]: 2 is no instance of 'server', which has 2, numbered "
                 "from 0",
             path + "[0].selected_instances[2]: -1 is no instance of 'server', which has 2, "
                    "numbered from 0",
             path + "[0].selected_instances[3]: 0 is a member already; name it once"}},
           {OneChannel("selected_instances: 0") + OneChannel("selected_instances: 1"),
            {path + "[1].name: 'm' is the name of services[1].multi_server_channels[0] already; "
                    "rename one of them"}}}) {
    EXPECT_THAT(CompileText(WithChannels(wrong.channels, kOnM)).Lines(),
                testing::ElementsAreArray(wrong.errors))
        << wrong.channels;
  }
}

TEST(ChannelsTest, AnUnknownChannelIsAnErrorWithTheNearestName) {
  EXPECT_THAT(
      CompileText(WithChannels("multi_server_channels { name: 'middle' selected_instances: 0 }",
                               "multi_server_channel_name: 'midle'"))
          .Lines(),
      testing::Contains("error rpc_descriptions[0].multi_server_channel_name: service "
                        "'server' has no multi-server channel 'midle' (did you mean "
                        "'middle'?)"));
}

TEST(ChannelsTest, DriversOfThoseWhoSendHaveASay) {
  Diagnostics diagnostics;
  KnownDrivers drivers = DriversForTest();
  drivers.check_channel = [](const ProtocolDriverOptions& options,
                             const MultiServerChannel& channel) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.protocol_name(), " refuses ", channel.name()));
  };
  const std::string unused = "multi_server_channels { name: 'unused' selected_instances: 0 }";
  const auto config = ParseTest(WithChannels(OneChannel("selected_instances: 0") + unused, kOnM));
  EXPECT_EQ(CompileTest(config, drivers, &diagnostics), nullptr);
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all()[0].field_path, "services[1].multi_server_channels[0]");
  EXPECT_EQ(diagnostics.all()[0].message, "grpc refuses m");
  EXPECT_THAT(diagnostics.all()[1].message, HasSubstr("nothing uses"));
}

}  // namespace
}  // namespace distbench
