// Replay traces, compiled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/config/compile_text.h"
#include "distbench/config/plan.h"

namespace distbench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Origin = ReplayRecordPlan::Origin;

// A trace from two clients to three servers, which the clients replay.
std::string Config(const std::string& trace) {
  return absl::StrCat(R"(
    services { name: 'client' count: 2 }
    services { name: 'server' count: 3 }
    actions { name: 'replay' rpc_replay_trace_name: 'monday' }
    action_lists { name: 'client' action_names: 'replay' }
    rpc_replay_traces { name: 'monday' client: 'client' server: 'server' )",
                      trace, "}");
}

std::vector<ReplayRecordPlan> Records(const std::string& trace) {
  const CompiledText compiled = CompileText(Config(trace));
  EXPECT_THAT(compiled.Lines(), IsEmpty());
  if (compiled.plan == nullptr) return {};
  return compiled.plan->traces[TraceIndex(0)].records;
}

std::vector<std::string> Lines(const std::string& trace) {
  return CompileText(Config(trace)).Lines();
}

TEST(CompileReplayTest, ARecordSaysWhenToWhomAndHowLarge) {
  const std::vector<ReplayRecordPlan> records = Records(R"(
    records {
      timing_mode: RELATIVE_TO_TRAFFIC_START timing_ns: 7 client_instance: 1 server_instance: 2
      request_size: 100 response_size: 0 server_processing_time_ns: 5000 rpc_class: 3
    })");
  ASSERT_THAT(records, SizeIs(1));
  const ReplayRecordPlan& record = records[0];
  EXPECT_EQ(record.origin, Origin::kTrafficStart);
  EXPECT_EQ(record.delay_ns, 7);
  EXPECT_THAT(record.priors, IsEmpty());
  EXPECT_EQ(record.client, std::optional<size_t>(1));
  EXPECT_EQ(record.server, 2u);
  EXPECT_EQ(record.request_bytes, 100);
  EXPECT_EQ(record.response_bytes, 0);
  EXPECT_EQ(record.server_processing_time_ns, 5000);
}

TEST(CompileReplayTest, WhatARecordLeavesOutTheDefaultsSay) {
  const std::vector<ReplayRecordPlan> records = Records(R"(
    defaults {
      timing_mode: RELATIVE_TO_TRACE_START timing_ns: 9 server_instance: 1 request_size: 50
      server_processing_time_ns: 3
    }
    records { }
    records { timing_ns: 0 server_instance: 2 request_size: 60 })");
  ASSERT_THAT(records, SizeIs(2));
  EXPECT_EQ(records[0].delay_ns, 9);
  EXPECT_EQ(records[0].server, 1u);
  EXPECT_EQ(records[0].request_bytes, 50);
  EXPECT_EQ(records[0].response_bytes, 32);
  EXPECT_EQ(records[0].client, std::nullopt);
  EXPECT_EQ(records[1].delay_ns, 0);
  EXPECT_EQ(records[1].server, 2u);
  EXPECT_EQ(records[1].request_bytes, 60);
  EXPECT_EQ(records[1].server_processing_time_ns, 3);
}

TEST(CompileReplayTest, DistancesCountBackFromTheRecordBefore) {
  const std::vector<ReplayRecordPlan> records = Records(R"(
    defaults {
      timing_mode: RELATIVE_TO_PRIOR_RPC_END server_instance: 0 prior_rpc_distances: 1
    }
    records { timing_mode: RELATIVE_TO_TRACE_START }
    records { prior_rpc_distances: 0 }
    records { }
    records { prior_rpc_distances: [0, 2, 0] timing_mode: RELATIVE_TO_PRIOR_RPC_START })");
  ASSERT_THAT(records, SizeIs(4));
  EXPECT_THAT(records[0].priors, IsEmpty());
  EXPECT_THAT(records[1].priors, ElementsAre(0u));
  EXPECT_THAT(records[2].priors, ElementsAre(0u));
  EXPECT_EQ(records[2].origin, Origin::kPriorEnd);
  EXPECT_THAT(records[3].priors, ElementsAre(0u, 2u));
  EXPECT_EQ(records[3].origin, Origin::kPriorStart);
}

TEST(CompileReplayTest, WithoutDistancesTheRecordJustBeforeIsThePrior) {
  const std::vector<ReplayRecordPlan> records = Records(R"(
    defaults { timing_mode: RELATIVE_TO_PRIOR_RPC_START server_instance: 0 }
    records { timing_mode: RELATIVE_TO_TRACE_START } records { } records { })");
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_THAT(records[1].priors, ElementsAre(0u));
  EXPECT_THAT(records[2].priors, ElementsAre(1u));
}

TEST(CompileReplayTest, WhoReplaysATraceCallsItsServer) {
  const CompiledText compiled =
      CompileText(Config("records { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }"));
  ASSERT_NE(compiled.plan, nullptr);
  const ServicePlan& client = compiled.plan->services[ServiceIndex(0)];
  EXPECT_THAT(client.called, ElementsAre(ServiceIndex(1)));
  EXPECT_THAT(client.pacings, ElementsAre(Pacing::kSleep));
  EXPECT_THAT(compiled.plan->services[ServiceIndex(1)].called, IsEmpty());
}

TEST(CompileReplayTest, WithoutAModeTimesCountFromTheStartOfTheTrace) {
  const std::vector<ReplayRecordPlan> records = Records("records { server_instance: 0 }");
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_EQ(records[0].origin, Origin::kTraceStart);
}

TEST(CompileReplayTest, WhatIsWrongWithARecordIsSaid) {
  constexpr char kGood[] = "timing_mode: RELATIVE_TO_TRACE_START server_instance: 0";
  const auto record = [&](const std::string& more) {
    return Lines(absl::StrCat("records { ", kGood, " } records { ", more, " }"));
  };
  const std::string at = "error rpc_replay_traces[0].records[1].";
  EXPECT_THAT(record("timing_mode: RELATIVE_TO_TRACE_START"),
              ElementsAre(at + "server_instance: is not given, so the RPC goes nowhere; set it, "
                               "here or in the trace's defaults"));
  const auto good = [&](const std::string& more) { return record(absl::StrCat(kGood, " ", more)); };
  EXPECT_THAT(good("timing_ns: -1"),
              ElementsAre(at + "timing_ns: -1 is out of range; set 0 to 1000000000000000000"));
  EXPECT_THAT(good("server_processing_time_ns: -1"),
              ElementsAre(at + "server_processing_time_ns: -1 is out of range; set 0 to "
                               "1000000000000000000"));
  EXPECT_THAT(good("request_size: -2"),
              ElementsAre(at + "request_size: -2 is negative; set the bytes of the message"));
  EXPECT_THAT(good("response_size: -2"),
              ElementsAre(at + "response_size: -2 is negative; set the bytes of the message"));
  EXPECT_THAT(good("client_instance: 2"),
              ElementsAre(at + "client_instance: 2 is no rank of 'client'; set 0 to 1"));
  EXPECT_THAT(record("timing_mode: RELATIVE_TO_TRACE_START server_instance: -1"),
              ElementsAre(at + "server_instance: -1 is no rank of 'server'; set 0 to 2"));
  EXPECT_THAT(record("timing_mode: RELATIVE_TO_PRIOR_RPC_END server_instance: 0 "
                     "prior_rpc_distances: 1 prior_rpc_distances: -1"),
              ElementsAre(at + "prior_rpc_distances: 1 leads to no record before this one; set 0 "
                               "(the one just before) to 0 (the first)",
                          at + "prior_rpc_distances: -1 leads to no record before this one; set 0 "
                               "(the one just before) to 0 (the first)"));
  EXPECT_THAT(Lines("records { timing_mode: RELATIVE_TO_PRIOR_RPC_START server_instance: 0 }"),
              ElementsAre("error rpc_replay_traces[0].records[0].timing_mode: "
                          "RELATIVE_TO_PRIOR_RPC_START has no meaning for the first record, which "
                          "has none before it; set RELATIVE_TO_TRACE_START"));
  EXPECT_THAT(good("prior_rpc_distances: 0"),
              ElementsAre("warning rpc_replay_traces[0].records[1].prior_rpc_distances: has no "
                          "effect, as timing_mode is not relative to prior RPCs; so perhaps in "
                          "later records"));
}

TEST(CompileReplayTest, AWrongDefaultIsNotReportedForEveryRecord) {
  std::string trace = "defaults { timing_mode: RELATIVE_TO_TRACE_START server_instance: 9 }";
  for (int i = 0; i < 1000; ++i) absl::StrAppend(&trace, " records { }");
  EXPECT_THAT(Lines(trace), SizeIs(10));
}

// As Config(), with a channel of the server.
std::string ConfigWithChannel(const std::string& trace) {
  return absl::StrReplaceAll(
      Config(trace), {{"name: 'server' count: 3",
                       "name: 'server' count: 3 "
                       "multi_server_channels { name: 'some' selected_instances: [2, 1] }"}});
}

TEST(CompileReplayTest, AChannelIsNamedByItsPositionAmongThoseOfTheTrace) {
  const CompiledText compiled = CompileText(ConfigWithChannel(R"(
    multiserver_channel_names: 'some'
    defaults { server_instance: 0 }
    records { multi_server_channel_name_index: 0 } records { })"));
  EXPECT_THAT(compiled.Lines(), IsEmpty());
  ASSERT_NE(compiled.plan, nullptr);
  const std::vector<ReplayRecordPlan>& records = compiled.plan->traces[TraceIndex(0)].records;
  EXPECT_EQ(records[0].channel, ChannelIndex(0));
  EXPECT_EQ(records[1].channel, std::nullopt);
  const ServicePlan& client = compiled.plan->services[ServiceIndex(0)];
  EXPECT_THAT(client.channels, ElementsAre(ChannelIndex(0)));
  EXPECT_THAT(client.called, ElementsAre(ServiceIndex(1)));
}

TEST(CompileReplayTest, WhoSendsOnChannelsOnlyCallsNoInstance) {
  const CompiledText compiled = CompileText(ConfigWithChannel(
      "multiserver_channel_names: 'some' records { multi_server_channel_name_index: 0 }"));
  ASSERT_NE(compiled.plan, nullptr);
  EXPECT_THAT(compiled.plan->services[ServiceIndex(0)].called, IsEmpty());
}

TEST(CompileReplayTest, WhatIsWrongWithAChannelIsSaid) {
  const auto lines = [](const std::string& trace) {
    return CompileText(ConfigWithChannel(trace)).Lines();
  };
  const std::string at = "error rpc_replay_traces[0].records[0].";
  EXPECT_THAT(lines("multiserver_channel_names: 'some' "
                    "records { multi_server_channel_name_index: 1 }"),
              ElementsAre(at + "multi_server_channel_name_index: 1 is no position in "
                               "multiserver_channel_names, which has 1, numbered from 0"));
  EXPECT_THAT(lines("multiserver_channel_names: 'some' "
                    "records { multi_server_channel_name_index: 0 server_instance: 0 }"),
              ElementsAre(at + "server_instance: and multi_server_channel_name_index are both "
                               "given; leave one of them out"));
  EXPECT_THAT(lines("multiserver_channel_names: 'same' "
                    "records { multi_server_channel_name_index: 0 }"),
              Contains("error rpc_replay_traces[0].multiserver_channel_names[0]: service 'server' "
                       "has no multi-server channel 'same' (did you mean 'some'?)"));
}

TEST(CompileReplayTest, EndsAreServices) {
  const auto ends = [](const std::string& trace) {
    return CompileText(
               absl::StrCat("services { name: 's' } rpc_replay_traces { name: 't' ", trace, " }"))
        .Lines();
  };
  EXPECT_THAT(ends("server: 's'"), Contains("error rpc_replay_traces[0].client: trace 't' has no "
                                            "client; name a service"));
  EXPECT_THAT(ends("client: 's'"), Contains("error rpc_replay_traces[0].server: trace 't' has no "
                                            "server; name a service"));
  EXPECT_THAT(ends("client: 's' server: 'S'"),
              Contains("error rpc_replay_traces[0].server: there is no service 'S' (did you mean "
                       "'s'?)"));
}

TEST(CompileReplayTest, OnlyItsClientReplaysATrace) {
  const std::string config =
      absl::StrCat(Config("records { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }"),
                   "action_lists { name: 'server' action_names: 'replay' }");
  EXPECT_THAT(CompileText(config).Lines(),
              ElementsAre("error actions[0].rpc_replay_trace_name: service 'server' runs action "
                          "'replay', but the client of replay trace 'monday' is 'client'; run the "
                          "action there, or change the trace's `client`"));
}

TEST(CompileReplayTest, NoInstanceSendsToItself) {
  const auto within = [](const std::string& count, const std::string& record) {
    return CompileText(absl::StrCat("services { name: 's' count: ", count, R"( }
      actions { name: 'replay' rpc_replay_trace_name: 't' }
      action_lists { name: 's' action_names: 'replay' }
      rpc_replay_traces { name: 't' client: 's' server: 's'
                          records { timing_mode: RELATIVE_TO_TRACE_START )",
                                    record, " } }"))
        .Lines();
  };
  EXPECT_THAT(within("2", "client_instance: 1 server_instance: 0"), IsEmpty());
  EXPECT_THAT(within("2", "server_instance: 0"), IsEmpty());
  const std::string itself =
      "error rpc_replay_traces[0].records[0].server_instance: 0 of 's' would send to itself, which "
      "no instance does; name another one as server_instance or as client_instance";
  EXPECT_THAT(within("2", "client_instance: 0 server_instance: 0"), ElementsAre(itself));
  EXPECT_THAT(within("1", "server_instance: 0"), ElementsAre(itself));
}

TEST(CompileReplayTest, WhatIsNotUsedIsToldAndWhatIsEmptyToo) {
  EXPECT_THAT(
      Lines("").front(),
      "warning rpc_replay_traces[0].records: trace 'monday' has none, so replaying it sends "
      "nothing");
  const std::string unused = Config(
      "records { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 } } "
      "rpc_replay_traces { name: 'tuesday' client: 'client' server: 'server' "
      "records { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }");
  EXPECT_THAT(CompileText(unused).Lines(),
              ElementsAre("warning rpc_replay_traces[1]: nothing uses the replay trace 'tuesday'"));
}

TEST(CompileReplayTest, AnUnknownTraceIsRefused) {
  const std::string config =
      absl::StrCat(Config("records { timing_mode: RELATIVE_TO_TRACE_START server_instance: 0 }"),
                   "actions { name: 'other' rpc_replay_trace_name: 'mondays' } "
                   "action_lists { name: 'server' action_names: 'other' }");
  EXPECT_THAT(CompileText(config).Lines(),
              ElementsAre("error actions[1].rpc_replay_trace_name: there is no replay trace "
                          "'mondays' (did you mean 'monday'?)"));
}

}  // namespace
}  // namespace distbench
