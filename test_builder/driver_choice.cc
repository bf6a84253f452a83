#include "test_builder/driver_choice.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr char kOptionsName[] = "default_protocol_driver_options";
constexpr char kNetdevParameter[] = "netdev_name";

enum class Side {
  kClient,
  kServer,
  kBoth,
  kLoops  // servers, and clients that have event loops of ours
};

// What a setting adds to the alias, if it has a value.
enum class InAlias {
  kValueFirst,   // its value, before the IP version
  kValue,        // its value, after that
  kNameAndValue  // `connections4`, after that
};

struct DriverSetting {
  Parameter parameter;
  Side side;
  InAlias in_alias;
  bool of_thread_pool = false;  // without meaning where the server is inline
};

struct KnownDriver {
  std::string name;
  std::vector<DriverSetting> settings;
};

Parameter Word(std::string name, std::string default_text, std::vector<std::string> choices,
               std::string help) {
  return {.name = std::move(name),
          .default_text = std::move(default_text),
          .unit = "",
          .help = std::move(help),
          .choices = std::move(choices)};
}

Parameter Number(std::string name, std::string unit, double least, double greatest,
                 std::string help) {
  return {.name = std::move(name),
          .default_text = "",
          .unit = std::move(unit),
          .help = std::move(help),
          .kind = Parameter::Kind::kInteger,
          .least = least,
          .greatest = greatest};
}

std::vector<DriverSetting> GrpcSettings() {
  return {{.parameter = Word("threadpool_type", "", {"simple", "elastic", "null"},
                             "Thread pool of a server that is not inline."),
           .side = Side::kServer,
           .in_alias = InAlias::kValue,
           .of_thread_pool = true},
          {.parameter = Number("threadpool_size", "threads", 0, 512,
                               "Size of that pool; 0: as many as cores."),
           .side = Side::kServer,
           .in_alias = InAlias::kValue,
           .of_thread_pool = true},
          {.parameter = Word("transport", "", {"tcp"}, "What carries the messages."),
           .side = Side::kServer,
           .in_alias = InAlias::kValue},
          {.parameter = Number("channels", "connections", 1, 1024, "Connections to each peer."),
           .side = Side::kClient,
           .in_alias = InAlias::kNameAndValue},
          {.parameter = Number("completion_queues", "loops", 1, 64,
                               "Event loops of servers, and of clients that poll."),
           .side = Side::kLoops,
           .in_alias = InAlias::kNameAndValue},
          {.parameter =
               Number("threads_per_queue", "threads", 1, 16, "Threads that poll each of these."),
           .side = Side::kLoops,
           .in_alias = InAlias::kNameAndValue}};
}

KnownDriver Grpc() {
  KnownDriver driver = {
      "grpc",
      {{.parameter =
            Word("client_type", "polling", {"polling", "callback"}, "Who completes calls."),
        .side = Side::kClient,
        .in_alias = InAlias::kValueFirst},
       {.parameter = Word("server_type", "inline", {"inline", "handoff", "polling"},
                          "Where requests are handled."),
        .side = Side::kServer,
        .in_alias = InAlias::kValueFirst}}};
  for (DriverSetting& setting : GrpcSettings()) driver.settings.push_back(std::move(setting));
  return driver;
}

KnownDriver Tcp() {
  constexpr double kMaxBuffer = 1 << 30;
  constexpr double kMaxQueue = 1e12;
  const auto of_both = [](Parameter parameter) {
    return DriverSetting{
        .parameter = std::move(parameter), .side = Side::kBoth, .in_alias = InAlias::kNameAndValue};
  };
  return {
      "tcp",
      {{.parameter = Word("transport", "", {"tcp", "unix"}, "What carries the messages."),
        .side = Side::kServer,
        .in_alias = InAlias::kValue},
       {.parameter = Number("connections", "connections", 1, 1024, "Connections to each peer."),
        .side = Side::kClient,
        .in_alias = InAlias::kNameAndValue},
       of_both(Number("threads", "loops", 1, 256, "Event loops.")),
       of_both(Word("poll", "", {"block", "spin"}, "What event loops do when nothing is to do.")),
       of_both(Number("max_queued_bytes", "bytes", 1, kMaxQueue,
                      "How much waits on a connection before calls wait in turn.")),
       of_both(Number("send_buffer_bytes", "bytes", 1, kMaxBuffer, "SO_SNDBUF of sockets.")),
       of_both(Number("receive_buffer_bytes", "bytes", 1, kMaxBuffer, "SO_RCVBUF of sockets."))}};
}

KnownDriver Around(std::string name, std::string setting) {
  return {std::move(name),
          {{.parameter = Word(std::move(setting), "grpc", {"grpc", "grpc_async_callback", "tcp"},
                              "The driver inside, with its defaults."),
            .side = Side::kServer,
            .in_alias = InAlias::kValue}}};
}

std::vector<KnownDriver> KnownDriverTable() {
  return {Grpc(),
          {"grpc_async_callback", GrpcSettings()},
          Tcp(),
          Around("double_barrel", "next_protocol_driver"),
          Around("composable_rpc_counter", "driver_under_test")};
}

std::optional<KnownDriver> FindDriver(absl::string_view name) {
  for (KnownDriver& driver : KnownDriverTable()) {
    if (driver.name == name) return std::move(driver);
  }
  return std::nullopt;
}

KnownDriver RequiredDriver(const std::string& name) {
  std::optional<KnownDriver> driver = FindDriver(name);
  CHECK(driver.has_value()) << name;
  return *std::move(driver);
}

NamedSetting NamedValueOf(const Parameter& parameter, const ParameterValues& values) {
  NamedSetting named;
  named.set_name(parameter.name);
  if (parameter.kind == Parameter::Kind::kInteger) {
    named.set_int64_value(values.Integer(parameter.name));
  } else {
    named.set_string_value(values.Text(parameter.name));
  }
  return named;
}

}  // namespace

std::vector<std::string> DriverNames() {
  std::vector<std::string> names;
  for (const KnownDriver& driver : KnownDriverTable()) names.push_back(driver.name);
  return names;
}

absl::StatusOr<std::vector<Parameter>> DriverParameters(absl::string_view driver) {
  const std::optional<KnownDriver> known = FindDriver(driver);
  if (!known.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown driver ", Quoted(driver), NearestNameHint(driver, DriverNames())));
  }
  std::vector<Parameter> parameters;
  for (const DriverSetting& setting : known->settings) parameters.push_back(setting.parameter);
  parameters.push_back(Word(kNetdevParameter, "", {}, "Network device that both sides bind to."));
  return parameters;
}

ProtocolDriverOptions DriverOptions(const DriverChoice& choice, const ParameterValues& values) {
  ProtocolDriverOptions options;
  options.set_name(kOptionsName);
  options.set_protocol_name(choice.driver);
  if (values.Has(kNetdevParameter)) options.set_netdev_name(values.Text(kNetdevParameter));
  if (choice.ip_version != 0) options.set_ip_version(choice.ip_version);
  // Calls of callback clients are completed by threads of gRPC's own.
  const bool has_loops = choice.driver == "grpc" && values.Text("client_type") == "polling";
  for (const DriverSetting& setting : RequiredDriver(choice.driver).settings) {
    if (!values.Has(setting.parameter.name)) continue;
    if (setting.side != Side::kServer && (setting.side != Side::kLoops || has_loops)) {
      *options.add_client_settings() = NamedValueOf(setting.parameter, values);
    }
    if (setting.side != Side::kClient) {
      *options.add_server_settings() = NamedValueOf(setting.parameter, values);
    }
  }
  return options;
}

std::string ProtocolAlias(const DriverChoice& choice, const ParameterValues& values) {
  const KnownDriver driver = RequiredDriver(choice.driver);
  const bool is_inline = choice.driver == "grpc" && values.Text("server_type") == "inline";
  std::string first = choice.driver;
  std::string rest;
  for (const DriverSetting& setting : driver.settings) {
    const std::string& value = values.Text(setting.parameter.name);
    if (value.empty() || (setting.of_thread_pool && is_inline)) continue;
    switch (setting.in_alias) {
      case InAlias::kValueFirst:
        absl::StrAppend(&first, "_", value);
        break;
      case InAlias::kValue:
        absl::StrAppend(&rest, "_", value);
        break;
      case InAlias::kNameAndValue:
        absl::StrAppend(&rest, "_", setting.parameter.name, value);
        break;
    }
  }
  if (choice.ip_version != 0) absl::StrAppend(&first, "_ipv", choice.ip_version);
  return absl::StrCat(first, rest);
}

}  // namespace distbench
