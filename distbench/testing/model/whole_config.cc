#include "distbench/testing/model/whole_config.h"

#include "absl/strings/str_cat.h"

namespace distbench::model {
namespace {

constexpr char kPlaces[] = R"(
  name: "whole"
  attributes { key: "test_timeout" value: "60" }
  services { name: "client" count: 2 }
  services { name: "grid" x_size: 2 y_size: 2 z_size: 1 protocol_driver_options_name: "near"
    multi_server_channels { name: "pool" selected_instances: 3 selected_instances: 0
      channel_settings { name: "policy" string_value: "pick_first" } }
    multi_server_channels { name: "column" constraints { constraint_sets {
      constraints { attribute_name: "x_index" int64_values: 1 relation: NOT_EQUAL } } } } }
  services { name: "store" count: 1 }
  node_service_bundles { key: "node0" value { services: "client/1" services: "grid/1/1/0" } }
  service_constraints { key: "grid/*/0/0" value { constraint_sets {
    constraints { attribute_name: "rack" string_values: "a" string_values: "b" relation: EQUAL }
    constraints { attribute_name: "slot" int64_values: 1 relation: MODULO_EQUAL modulus: 2 } } } }
  default_protocol: "fake"
  protocol_driver_options { name: "near" protocol_name: "far"
                            server_settings { name: "a" int64_value: 1 } }
  protocol_driver_options { name: "far" protocol_name: "fake" netdev_name: "lo" ip_version: 4
                            client_settings { name: "b" string_value: "c" } }
  overload_limits { max_threads: 900 max_pending_rpcs: 500 }
  verdict_limits { max_missed_load: 0.5 max_lateness: 0.5 max_cpu_use: 0.9 max_start_skew_us: 20
                   max_clock_error: 0.5 noted_lateness: 0.1 max_wakeup_lateness_us: 30
                   min_rpcs_beyond_percentile: 3 }
  seed: 7
  delay_actions_by_spinning: false
)";

constexpr char kDraws[] = R"(
  payload_descriptions { name: "small" attributes: "tiny" size: 100 }
  payload_descriptions { name: "drawn" size_distribution_name: "sizes" }
  size_distribution_configs { name: "sizes" field_names: "payload_size"
    cdf_points { cdf: 0 value: 10 } cdf_points { cdf: 0.5 value: 100 }
    cdf_points { cdf: 1 value: 900 } }
  distribution_config { name: "pairs" field_names: "response_payload_size"
    field_names: "request_payload_size"
    pmf_points { pmf: 0.25 data_points { exact: 90 } data_points { lower: 1 upper: 70 } }
    pmf_points { pmf: 0.75 data_points { lower: 5 upper: 9 } data_points { exact: 40 } } }
  delay_distribution_configs { name: "pause" field_names: "action_delay_ns"
    pmf_points { pmf: 1 data_points { lower: 10 upper: 1000 } } }
)";

constexpr char kRpcs[] = R"(
  rpc_descriptions { name: "ask" client: "client" server: "grid" fanout_filter: "random"
                     tracing_interval: 3 deadline_us: 500000 }
  rpc_descriptions { name: "load" client: "grid" client: "client" server: "store"
                     fanout_filter: "stochastic{0.5:1,0.5:2}" request_payload_name: "small"
                     response_payload_name: "drawn" }
  rpc_descriptions { name: "pass" client: "grid" server: "grid" fanout_filter: "linear_x{1}"
                     distribution_config_name: "pairs" }
  rpc_descriptions { name: "pooled" client: "client" server: "grid"
                     multi_server_channel_name: "pool"
                     server_dispatch { mode: "fresh_thread" } }
  rpc_descriptions { name: "tell" client: "client" server: "store" one_way: true
                     server_dispatch { mode: "serial_queue" } }
  rpc_descriptions { name: "mirror" client: "client" server: "store" echo_request: true
                     request_payload_name: "drawn"
                     server_dispatch { mode: "thread_pool" threads: 3 } }
  action_lists { name: "tell" action_names: "nap" }
  action_lists { name: "mirror" }
  action_lists { name: "client" action_names: "ask" action_names: "warm" action_names: "burst"
                 action_names: "work" action_names: "again" action_names: "last"
                 action_names: "pooled" action_names: "replay" action_names: "tell"
                 action_names: "mirror" max_rpc_samples: 50 }
  action_lists { name: "pooled" }
  action_lists { name: "inner" action_names: "load" action_names: "or_not"
                 predicate_probabilities { key: "p" value: 0.3 }
                 predicate_choices { alternatives { predicate: "a" weight: 2 }
                                     alternatives { predicate: "b" } } }
  action_lists { name: "ask" action_names: "pass" action_names: "spin" action_names: "deeper"
                 predicate_probabilities { key: "more" value: 0.2 }
                 delay_actions_by_spinning: true }
  action_lists { name: "load" }
  action_lists { name: "pass" action_names: "nap" action_names: "calculate" }
)";

constexpr char kActions[] = R"(
  actions { name: "ask" rpc_name: "ask" dependencies: "warm" iterations {
            max_iteration_count: 5 max_duration_us: 1000 open_loop_interval_ns: 1000
            open_loop_interval_distribution: "sync_burst_spread" pacing: "hybrid" } }
  actions { name: "tell" rpc_name: "tell" iterations { max_iteration_count: 6 } }
  actions { name: "mirror" rpc_name: "mirror" iterations { max_iteration_count: 6 } }
  actions { name: "warm" action_list_name: "inner" }
  actions { name: "burst" rpc_name: "load" iterations { max_parallel_iterations: 3
            max_iteration_count_64: 20 warmup_iterations: 2 warmup_ns: 300 }
            request_payload_override: "drawn" }
  actions { name: "work" activity_config_name: "sort" iterations { max_duration_us_64: 50 } }
  actions { name: "again" activity_config_name: "touch" dependencies: "work" }
  actions { name: "last" dependencies: "again" dependencies: "ask" dependencies: "burst"
            cancel_traffic_when_done: true }
  actions { name: "load" rpc_name: "load" predicates: "p" send_response_when_done: true
            response_payload_override: "small" }
  actions { name: "or_not" predicates: "!p" predicates: "a" }
  actions { name: "pass" rpc_name: "pass" send_response_when_done: true }
  actions { name: "spin" dependencies: "pass" delay_distribution_name: "pause" }
  actions { name: "deeper" action_list_name: "ask" predicates: "more" dependencies: "spin" }
  actions { name: "nap" activity_config_name: "nap" }
  actions { name: "calculate" activity_config_name: "calculate" }
  actions { name: "pooled" rpc_name: "pooled" iterations {
            max_iteration_count: 4 open_loop_interval_ns: 700
            rate_steps { rate_factor: 2 end_rate_factor: 0.5 duration_us: 2 } } }
  actions { name: "replay" rpc_replay_trace_name: "trace" }
  rpc_replay_traces { name: "trace" client: "client" server: "grid"
    multiserver_channel_names: "pool" defaults { request_size: 60 response_size: 70 }
    records { timing_ns: 500 timing_mode: RELATIVE_TO_TRACE_START client_instance: 1
              server_instance: 2 rpc_class: 8 }
    records { timing_mode: RELATIVE_TO_PRIOR_RPC_END prior_rpc_distances: 0 timing_ns: 20
              multi_server_channel_name_index: 0 server_processing_time_ns: 300 } }
  activity_configs { name: "sort" activity_settings { name: "activity_func"
    string_value: "ConsumeCpu" } activity_settings { name: "array_size" int64_value: 30 } }
  activity_configs { name: "touch" activity_settings { name: "activity_func"
    string_value: "PolluteInstructionCache" } }
  activity_configs { name: "nap" activity_settings { name: "activity_func"
    string_value: "SleepFor" } activity_settings { name: "duration_us" int64_value: 4 } }
  activity_configs { name: "calculate" activity_settings { name: "activity_func"
    string_value: "CalibratedWork" } activity_settings { name: "duration_us" int64_value: 3 }
    activity_settings { name: "kind" string_value: "memory" } }
)";

}  // namespace

std::string WholeConfig() {
  return absl::StrCat("tests {", kPlaces, kDraws, kRpcs, kActions, "}\n",
                      "tests_setting { keep_instance_log: true shutdown_after_tests: false }\n",
                      "sequence_id: \"mine\"\n");
}

}  // namespace distbench::model
