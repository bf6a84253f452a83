// Values that are wrong: sizes, limits, filters, settings of drivers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "distbench/config/compile_text.h"

namespace distbench {
namespace {

using ::testing::IsEmpty;

TEST(CompileValuesTest, Payloads) {
  const std::string use = "client: 'client'";
  const std::string with_names =
      "client: 'client' request_payload_name: 'small' response_payload_name: 'large'";
  ExpectLines({
      {use,
       with_names,
       {"error rpc_descriptions[0].request_payload_name: there is no payload 'small'",
        "error rpc_descriptions[0].response_payload_name: there is no payload 'large'"}},
      {use,
       "client: 'client' request_payload_name: ''",
       {"error rpc_descriptions[0].request_payload_name: there is no payload ''"}},
      {"",
       "payload_descriptions { name: 'p' size: -1 }",
       {"error payload_descriptions[0].size: -1 is no size of a message; set 0 to 2147483647 bytes",
        "warning payload_descriptions[0]: nothing uses the payload 'p'"}},
      {"",
       "payload_descriptions { name: 'p' size: 2147483648 }",
       {"error payload_descriptions[0].size: 2147483648 is no size of a message; set 0 to "
        "2147483647 bytes",
        "warning payload_descriptions[0]: nothing uses the payload 'p'"}},
      {"",
       "payload_descriptions { name: 'p' attributes: 'x' }",
       {"error payload_descriptions[0].size: payload 'p' has no size; set it, in bytes, or "
        "size_distribution_name",
        "warning payload_descriptions[0]: nothing uses the payload 'p'"}},
      {"",
       "payload_descriptions { size: 1 }",
       {"error payload_descriptions[0].name: this payload has no name; set `name`"}},
      {"",
       "payload_descriptions { name: 'p' size: 1 } payload_descriptions { name: 'p' size: 1 }",
       {"error payload_descriptions[1].name: 'p' is the name of payload_descriptions[0] already; "
        "rename one of them",
        "warning payload_descriptions[0]: nothing uses the payload 'p'"}},
  });
}

TEST(CompileValuesTest, RpcSettings) {
  ExpectLines({
      {"client: 'client'",
       "client: 'client' deadline_us: -5",
       {"error rpc_descriptions[0].deadline_us: -5 is out of range; set 0 for no deadline or up to "
        "1000000000000000"}},
      {"client: 'client'",
       "client: 'client' deadline_us: 9223372036854775807",
       {"error rpc_descriptions[0].deadline_us: 9223372036854775807 is out of range; set 0 for no "
        "deadline or up to 1000000000000000"}},
      {"client: 'client'",
       "client: 'client' tracing_interval: -1",
       {"error rpc_descriptions[0].tracing_interval: -1 is negative; set 0 for no tracing"}},
      {"client: 'client'",
       "client: 'client' fanout_filter: 'round_robbin'",
       {"error rpc_descriptions[0].fanout_filter: there is no fanout filter 'round_robbin' (did "
        "you "
        "mean 'round_robin'?)"}},
      {"client: 'client'",
       "client: 'client' fanout_filter: 'stochastic{0.5:1}'",
       {"error rpc_descriptions[0].fanout_filter: the probabilities of '0.5:1' add to 0.5; they "
        "must add to 1"}},
  });
}

TEST(CompileValuesTest, StochasticFanoutsThatAskForMoreThanThereIs) {
  ExpectLines({
      {"client: 'client'",
       "client: 'client' fanout_filter: 'stochastic{0.5:3,0.5:1}'",
       {"warning rpc_descriptions[0].fanout_filter: 'stochastic{0.5:3,0.5:1}' asks for 3 targets, "
        "but 'client' has 2: 'server' has 2 instances; it sends to all 2 then. Ask for fewer, or "
        "give 'server' more instances"}},
      {"client: 'client' server: 'server'",
       "client: ['client', 'server'] server: 'server' fanout_filter: 'stochastic{1:2}'",
       {"warning rpc_descriptions[0].fanout_filter: 'stochastic{1:2}' asks for 2 targets, but "
        "'server' has 1: 'server' has 2 instances, of which none sends to itself; it sends to all "
        "1 then. Ask for fewer, or give 'server' more instances"}},
      {"server: 'server'",
       "server: 'client' fanout_filter: 'stochastic{0.5:1,0.5:0}'",
       {"warning rpc_descriptions[0].fanout_filter: 'stochastic{0.5:1,0.5:0}' asks for 1 target, "
        "but 'client' has 0: 'client' has 1 instance, which does not send to itself; it sends to "
        "nobody then. Ask for fewer, or give 'client' more instances",
        "warning services[1]: service 'server' does nothing: no action list has its name, and it "
        "answers no RPC"}},
      {"client: 'client'",
       "client: 'client' fanout_filter: 'stochastic{1:0,0:5}'",
       {"warning rpc_descriptions[0].fanout_filter: 'stochastic{1:0,0:5}' never sends to anybody; "
        "give a number of targets of at least 1 a probability above 0"}},
  });
  const std::string enough = absl::StrReplaceAll(
      ClientServerWith(""),
      {{"client: 'client'", "client: 'client' fanout_filter: 'stochastic{0.5:2,0.5:0}'"}});
  EXPECT_THAT(CompileText(enough).Lines(), IsEmpty());
}

std::string IterationsWith(const std::string& text) {
  return absl::StrCat("iterations { ", text, " }");
}

TEST(CompileValuesTest, IterationLimits) {
  const std::string path = "actions[0].iterations";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"max_iteration_count: 0", ".max_iteration_count: 0 is too small; set at least 1"},
      {"max_iteration_count: -3", ".max_iteration_count: -3 is too small; set at least 1"},
      {"max_iteration_count: 0 max_iteration_count_64: 9",
       ".max_iteration_count: 0 is too small; set at least 1"},
      {"max_iteration_count_64: 0", ".max_iteration_count_64: 0 is too small; set at least 1"},
      {"max_duration_us: -1", ".max_duration_us: -1 is too small; set at least 1"},
      {"max_duration_us_64: 0", ".max_duration_us_64: 0 is too small; set at least 1"},
      {"max_duration_us_64: 9223372036854775807",
       ".max_duration_us_64: 9223372036854775807 is too large; set at most 1000000000000000"},
      {"max_iteration_count: 9 max_parallel_iterations: 0",
       ".max_parallel_iterations: 0 is too small; set at least 1"},
      {"max_iteration_count: 9 max_parallel_iterations: 1000001",
       ".max_parallel_iterations: 1000001 is too large; set at most 1000000"},
      {"max_iteration_count: 9 open_loop_interval_ns: 0",
       ".open_loop_interval_ns: 0 is too small; set at least 1"},
      {"max_iteration_count: 9 open_loop_interval_ns: 9223372036854775807",
       ".open_loop_interval_ns: 9223372036854775807 is too large; set at most "
       "1000000000000000000"},
      {"max_iteration_count: 9 warmup_iterations: -1",
       ".warmup_iterations: -1 is too small; set at least 0"},
      {"max_iteration_count: 9 warmup_ns: -1", ".warmup_ns: -1 is too small; set at least 0"},
      {"",
       ": nothing ends these iterations; set max_iteration_count or max_duration_us, bound the "
       "test's time by its attribute test_timeout, or end it by an action with "
       "cancel_traffic_when_done"},
      {"open_loop_interval_ns: 5",
       ": nothing ends these iterations; set max_iteration_count or max_duration_us, bound the "
       "test's time by its attribute test_timeout, or end it by an action with "
       "cancel_traffic_when_done"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 open_loop_interval_distribution: "
       "'contsant'",
       ".open_loop_interval_distribution: there is no distribution of intervals 'contsant' (did "
       "you "
       "mean 'constant'?)"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 pacing: 'spim'",
       ".pacing: there is no pacing 'spim' (did you mean 'spin'?)"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 pacing: ''",
       ".pacing: there is no pacing '' (known: sleep, spin, hybrid)"},
      {"max_iteration_count: 9 pacing: 'hybrid'",
       ".pacing: 'hybrid' is for open loops only; set open_loop_interval_ns, or leave pacing out"},
      {"max_iteration_count: 9 rate_steps { duration_us: 1 }",
       ".rate_steps: are for open loops only; set open_loop_interval_ns, or leave them out"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 rate_steps { }",
       ".rate_steps[0].duration_us: 0 is too small; set at least 1"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 rate_steps { duration_us: 1 } "
       "rate_steps { duration_us: 1 rate_factor: -0.5 end_rate_factor: 2 }",
       ".rate_steps[1].rate_factor: -0.5 is out of range; set 0 to 1e+09"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 "
       "rate_steps { duration_us: 600000000000000 } rate_steps { duration_us: 600000000000000 }",
       ".rate_steps: together they take more than 1000000000000000 us; shorten them"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 "
       "rate_steps { duration_us: 1 end_rate_factor: nan }",
       ".rate_steps[0].end_rate_factor: nan is out of range; set 0 to 1e+09"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 "
       "rate_steps { duration_us: 1 end_rate_factor: 0 }",
       ".rate_steps: the last step ends with a rate of 0, which would stay; end with a rate above "
       "0, and let max_duration_us or max_iteration_count end the iterations"},
      {"max_iteration_count: 9 open_loop_interval_ns: 5 rate_steps { duration_us: 1 } "
       "open_loop_interval_distribution: 'sync_burst'",
       ".rate_steps: the rate of bursts does not change; use constant or exponential arrivals, or "
       "leave rate_steps out"},
  };
  for (const auto& [iterations, message] : cases) {
    ExpectLines({{IterationsWith("max_iteration_count: 10"),
                  IterationsWith(iterations),
                  {absl::StrCat("error ", path, message)}}});
  }
}

TEST(CompileValuesTest, IterationsWithoutLimitNeedAnExplicitTimeout) {
  const std::string text =
      absl::StrReplaceAll(ClientServerWith("attributes { key: 'test_timeout' value: '10' }"),
                          {{"max_iteration_count: 10", ""}});
  EXPECT_THAT(CompileText(text).Lines(), IsEmpty());
}

TEST(CompileValuesTest, SettingsOfTheTest) {
  for (const char* value : {"0", "-1", "ten", "10s", "inf", "nan", "", "1e10"}) {
    ExpectLines({{"",
                  absl::StrCat("attributes { key: 'test_timeout' value: '", value, "' }"),
                  {absl::StrCat("error attributes[test_timeout]: '", value,
                                "' is no time in seconds; set a positive number up to 1e9, without "
                                "a unit, such as '60'")}}});
  }
  ExpectLines({
      {"",
       "overload_limits { max_threads: 0 max_pending_rpcs: -1 }",
       {"error overload_limits.max_threads: 0 is not positive; set at least 1 or leave it out",
        "error overload_limits.max_pending_rpcs: -1 is not positive; set at least 1 or leave it "
        "out"}},
  });
}

TEST(CompileValuesTest, DriverOptions) {
  const std::string service = "name: 'client' count: 1";
  ExpectLines({
      {service,
       "name: 'client' count: 1 protocol_driver_options_name: 'fast'",
       {"error services[0].protocol_driver_options_name: there is no entry of "
        "protocol_driver_options 'fast'"}},
      {"",
       "protocol_driver_options { name: 'default_protocol_driver_options' protocol_name: "
       "'grcp' }",
       {"error protocol_driver_options[0].protocol_name: 'grcp' is neither a driver nor an entry "
        "of "
        "protocol_driver_options (did you mean 'grpc'?)"}},
      {"",
       "default_protocol: 'homa'",
       {"error default_protocol: 'homa' is neither a driver nor an entry of "
        "protocol_driver_options (known: fake, grpc)"}},
      {"",
       "default_protocol: 'fast' protocol_driver_options { name: 'fast' protocol_name: 'grpc' "
       "server_settings { name: 'bad' int64_value: 1 } }",
       {"error protocol_driver_options[0]: grpc has no setting bad"}},
      {"",
       "protocol_driver_options { name: 'default_protocol_driver_options' "
       "server_settings { name: 'future' int64_value: 1 } }",
       {"unsupported protocol_driver_options[0]: grpc has no setting future"}},
      {"",
       "protocol_driver_options { name: 'default_protocol_driver_options' "
       "server_settings { name: 'a' int64_value: 1 string_value: 'x' } "
       "client_settings { name: 'b' } client_settings { name: 'b' int64_value: 1 } "
       "client_settings { int64_value: 1 } }",
       {"error protocol_driver_options[0].server_settings[0]: setting 'a' needs one of "
        "string_value "
        "and int64_value",
        "error protocol_driver_options[0].client_settings[0]: setting 'b' needs one of "
        "string_value "
        "and int64_value",
        "error protocol_driver_options[0].client_settings[1].name: 'b' is set twice; remove one",
        "error protocol_driver_options[0].client_settings[2].name: this setting has no name; set "
        "`name`"}},
      {"",
       "protocol_driver_options { name: 'x' } protocol_driver_options { name: 'x' }",
       {"error protocol_driver_options[1].name: 'x' is the name of protocol_driver_options[0] "
        "already; rename one of them",
        "warning protocol_driver_options[0]: nothing uses the entry of protocol_driver_options "
        "'x'"}},
      {"",
       "protocol_driver_options { name: 'default_protocol_driver_options' protocol_name: 'b' }"
       "protocol_driver_options { name: 'b' protocol_name: 'b' }",
       {"error protocol_driver_options[0].protocol_name: 'default_protocol_driver_options' -> 'b' "
        "-> 'b' -> 'b' -> 'b' -> 'b' reaches no driver within 4 aliases; name a driver",
        "error protocol_driver_options[1].protocol_name: 'b' -> 'b' -> 'b' -> 'b' -> 'b' -> 'b' "
        "reaches no driver within 4 aliases; name a driver"}},
  });
}

TEST(CompileValuesTest, FieldsThatAreSetToNothingAskForNothing) {
  const std::string text = absl::StrReplaceAll(
      ClientServerWith("delay_actions_by_spinning: false"),
      {{"action_names: 'run'",
        "action_names: 'run' max_rpc_samples: 0 "
        "delay_actions_by_spinning: false"},
       {"client: 'client'", "client: 'client' tracing_interval: 0 distribution_config_name: ''"},
       {"rpc_name: 'query'",
        "rpc_name: 'query' cancel_traffic_when_done: false delay_distribution_name: '' "
        "request_payload_override: '' response_payload_override: ''"}});
  EXPECT_THAT(CompileText(text).Lines(), IsEmpty());
}

}  // namespace
}  // namespace distbench
