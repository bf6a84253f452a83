#include "test_builder/driver_choice.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "distbench/config/diagnostics.h"
#include "glog/logging.h"

namespace distbench {
namespace {

constexpr char kOptionsName[] = "default_protocol_driver_options";
constexpr char kNetdevParameter[] = "netdev_name";

enum class Side { kClient, kServer };

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

Parameter Number(std::string name, std::string unit, double greatest, std::string help) {
  return {.name = std::move(name),
          .default_text = "",
          .unit = std::move(unit),
          .help = std::move(help),
          .kind = Parameter::Kind::kInteger,
          .least = 0,
          .greatest = greatest};
}

std::vector<DriverSetting> PoolSettings() {
  return {{.parameter = Word("threadpool_type", "", {"simple", "elastic", "null"},
                             "Thread pool of a server that is not inline."),
           .side = Side::kServer,
           .in_alias = InAlias::kValue,
           .of_thread_pool = true},
          {.parameter = Number("threadpool_size", "threads", 512, "Size of that pool."),
           .side = Side::kServer,
           .in_alias = InAlias::kValue,
           .of_thread_pool = true},
          {.parameter = Word("transport", "", {"tcp"}, "What carries the messages."),
           .side = Side::kServer,
           .in_alias = InAlias::kValue},
          {.parameter = Number("channels", "connections", 1024, "Connections to each peer."),
           .side = Side::kClient,
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
  for (DriverSetting& setting : PoolSettings()) driver.settings.push_back(std::move(setting));
  return driver;
}

KnownDriver Tcp() {
  return {"tcp",
          {{.parameter = Word("transport", "", {"tcp", "unix"}, "What carries the messages."),
            .side = Side::kServer,
            .in_alias = InAlias::kValue},
           {.parameter = Number("connections", "connections", 1024, "Connections to each peer."),
            .side = Side::kClient,
            .in_alias = InAlias::kNameAndValue}}};
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
          {"grpc_async_callback", PoolSettings()},
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
  for (const DriverSetting& setting : RequiredDriver(choice.driver).settings) {
    const std::string& name = setting.parameter.name;
    if (!values.Has(name)) continue;
    NamedSetting* const named = setting.side == Side::kClient ? options.add_client_settings()
                                                              : options.add_server_settings();
    named->set_name(name);
    if (setting.parameter.kind == Parameter::Kind::kInteger) {
      named->set_int64_value(values.Integer(name));
    } else {
      named->set_string_value(values.Text(name));
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
