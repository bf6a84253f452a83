#include "distbench/driver/tcp/tcp_settings.h"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// A setting and where its value goes. It is one of some words, or an integer within bounds.
struct KnownSetting {
  std::string name;
  std::vector<std::pair<std::string, std::function<void()>>> words = {};
  int64_t min = 0;
  int64_t max = 0;
  std::function<void(int64_t)> set_number = nullptr;
};

std::string ValueOf(const NamedSetting& setting) {
  if (setting.has_string_value()) return absl::StrCat("\"", setting.string_value(), "\"");
  if (setting.has_int64_value()) return absl::StrCat(setting.int64_value());
  return "no value";
}

std::string Expected(const KnownSetting& known) {
  if (known.words.empty()) {
    return absl::StrCat("an int64_value from ", known.min, " to ", known.max);
  }
  return absl::StrCat("a string_value: ",
                      absl::StrJoin(known.words, " or ", [](std::string* out, const auto& word) {
                        absl::StrAppend(out, word.first);
                      }));
}

// Whether the value is one that the setting can have; then it is set.
bool Set(const KnownSetting& known, const NamedSetting& setting) {
  for (const auto& [word, set] : known.words) {
    if (!setting.has_string_value() || setting.string_value() != word) continue;
    set();
    return true;
  }
  if (known.set_number == nullptr || !setting.has_int64_value()) return false;
  if (setting.int64_value() < known.min || setting.int64_value() > known.max) return false;
  known.set_number(setting.int64_value());
  return true;
}

std::vector<KnownSetting> SideSettings(TcpSideSettings* side) {
  constexpr int64_t kMaxThreads = 256;
  constexpr int64_t kMaxBuffer = int64_t{1} << 30;
  return {
      {.name = "threads",
       .min = 1,
       .max = kMaxThreads,
       .set_number = [side](int64_t n) { side->threads = static_cast<size_t>(n); }},
      {.name = "poll",
       .words = {{"block", [side] { side->poll = PollMode::kBlock; }},
                 {"spin", [side] { side->poll = PollMode::kSpin; }}}},
      {.name = "send_buffer_bytes",
       .min = 1,
       .max = kMaxBuffer,
       .set_number = [side](int64_t n) { side->send_buffer_bytes = static_cast<int>(n); }},
      {.name = "receive_buffer_bytes",
       .min = 1,
       .max = kMaxBuffer,
       .set_number = [side](int64_t n) { side->receive_buffer_bytes = static_cast<int>(n); }},
      {.name = "max_queued_bytes",
       .min = 1,
       .max = int64_t{1} << 40,
       .set_number = [side](int64_t n) { side->max_queued_bytes = n; }},
  };
}

std::vector<KnownSetting> ServerSettings(TcpSettings* settings) {
  std::vector<KnownSetting> known = SideSettings(&settings->server);
  known.push_back({.name = "transport",
                   .words = {{"tcp", [settings] { settings->transport = TcpTransport::kTcp; }},
                             {"unix", [settings] { settings->transport = TcpTransport::kUnix; }}}});
  return known;
}

std::vector<KnownSetting> ClientSettings(TcpSettings* settings) {
  constexpr int64_t kMaxConnections = 1024;
  std::vector<KnownSetting> known = SideSettings(&settings->client);
  known.push_back(
      {.name = "connections",
       .min = 1,
       .max = kMaxConnections,
       .set_number = [settings](int64_t n) { settings->connections = static_cast<size_t>(n); }});
  return known;
}

const KnownSetting* Find(const std::vector<KnownSetting>& known, const std::string& name) {
  for (const KnownSetting& candidate : known) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

template <typename Settings>
void Read(const std::vector<KnownSetting>& known, const Settings& settings, absl::string_view where,
          std::vector<std::string>* problems) {
  std::set<std::string> names;
  for (const NamedSetting& setting : settings) {
    const KnownSetting* match = Find(known, setting.name());
    if (match == nullptr) {
      const auto name_of = [](std::string* out, const KnownSetting& k) { out->append(k.name); };
      problems->push_back(absl::StrCat(where, " ", setting.name(), " (", ValueOf(setting),
                                       ") is not known to the driver tcp, ", "whose ", where,
                                       " are ", absl::StrJoin(known, ", ", name_of)));
    } else if (!names.insert(setting.name()).second) {
      problems->push_back(absl::StrCat(where, " ", setting.name(), " is given twice; keep one"));
    } else if (!Set(*match, setting)) {
      problems->push_back(absl::StrCat(where, " ", setting.name(), " is ", ValueOf(setting),
                                       "; the driver tcp takes ", Expected(*match)));
    }
  }
}

void CheckAddressFields(const ProtocolDriverOptions& options, const TcpSettings& settings,
                        std::vector<std::string>* problems) {
  const int ip_version = options.ip_version();
  if (ip_version != 0 && ip_version != 4 && ip_version != 6) {
    problems->push_back(
        absl::StrCat("ip_version is ", ip_version, "; it can be 4, 6, or 0 for either"));
  } else if (ip_version != 0 && settings.transport == TcpTransport::kUnix) {
    problems->push_back(absl::StrCat("ip_version is ", ip_version,
                                     ", but transport unix has none; leave one of them out"));
  }
  if (!options.netdev_name().empty() && settings.transport == TcpTransport::kUnix) {
    problems->push_back(absl::StrCat("netdev_name is \"", options.netdev_name(),
                                     "\", but transport unix uses no device; ",
                                     "leave one of them out"));
  }
}

}  // namespace

absl::StatusOr<TcpSettings> ParseTcpSettings(const ProtocolDriverOptions& options) {
  TcpSettings settings;
  std::vector<std::string> problems;
  Read(ServerSettings(&settings), options.server_settings(), "server_settings", &problems);
  Read(ClientSettings(&settings), options.client_settings(), "client_settings", &problems);
  CheckAddressFields(options, settings, &problems);
  if (!problems.empty()) return absl::InvalidArgumentError(absl::StrJoin(problems, "; and "));
  return settings;
}

}  // namespace distbench
