#include "distbench/driver/grpc/grpc_settings.h"

#include <set>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/net/socket_address.h"
#include "protos/traffic_config.pb.h"

namespace distbench {
namespace {

// A setting whose value is one of several words.
struct WordSetting {
  const char* name;
  std::vector<const char*> supported;
  std::vector<const char*> known;  // to gRPC drivers elsewhere
};

std::vector<WordSetting> ServerWords() {
  return {
      {.name = "server_type", .supported = {"inline"}, .known = {"handoff", "polling"}},
      {.name = "transport", .supported = {"tcp"}, .known = {}},
  };
}

std::vector<WordSetting> ClientWords() {
  return {{.name = "client_type", .supported = {"polling"}, .known = {"callback"}}};
}

// What is wrong, all of it, as one status.
class Problems {
 public:
  void Add(const absl::Status& status) {
    if (status.ok()) return;
    texts_.emplace_back(status.message());
    all_unimplemented_ = all_unimplemented_ && absl::IsUnimplemented(status);
  }

  absl::Status ToStatus() const {
    if (texts_.empty()) return absl::OkStatus();
    return absl::Status(
        all_unimplemented_ ? absl::StatusCode::kUnimplemented : absl::StatusCode::kInvalidArgument,
        absl::StrJoin(texts_, "; and "));
  }

 private:
  std::vector<std::string> texts_;
  bool all_unimplemented_ = true;
};

std::string ValueOf(const NamedSetting& setting) {
  if (setting.has_string_value()) return absl::StrCat("\"", setting.string_value(), "\"");
  if (setting.has_int64_value()) return absl::StrCat(setting.int64_value());
  return "no value";
}

bool Contains(const std::vector<const char*>& words, const std::string& word) {
  return absl::c_any_of(words, [&](const char* candidate) { return word == candidate; });
}

absl::Status CheckWord(const WordSetting& word, const NamedSetting& setting,
                       absl::string_view where) {
  if (setting.has_string_value() && Contains(word.supported, setting.string_value())) {
    return absl::OkStatus();
  }
  const bool is_known = Contains(word.known, setting.string_value());
  return absl::Status(
      is_known ? absl::StatusCode::kUnimplemented : absl::StatusCode::kInvalidArgument,
      absl::StrCat(where, " ", word.name, " is ", ValueOf(setting), "; the driver grpc ",
                   is_known ? "supports " : "knows ", absl::StrJoin(word.supported, ", ")));
}

absl::Status CheckSetting(const std::vector<WordSetting>& words, const NamedSetting& setting,
                          absl::string_view where) {
  for (const WordSetting& word : words) {
    if (setting.name() == word.name) return CheckWord(word, setting, where);
  }
  const auto name_of = [](std::string* out, const WordSetting& word) { out->append(word.name); };
  return absl::UnimplementedError(absl::StrCat(
      where, " ", setting.name(), " (", ValueOf(setting), ") is not supported by the driver grpc, ",
      "whose ", where, " are ", absl::StrJoin(words, ", ", name_of)));
}

template <typename Settings>
void CheckSettings(const std::vector<WordSetting>& words, const Settings& settings,
                   absl::string_view where, Problems* problems) {
  std::set<std::string> names;
  for (const NamedSetting& setting : settings) {
    if (!names.insert(setting.name()).second) {
      problems->Add(absl::InvalidArgumentError(
          absl::StrCat(where, " ", setting.name(), " is given twice; keep one")));
    } else {
      problems->Add(CheckSetting(words, setting, where));
    }
  }
}

}  // namespace

absl::Status CheckGrpcSettings(const ProtocolDriverOptions& options) {
  Problems problems;
  const int ip_version = options.ip_version();
  if (ip_version != 0 && ip_version != 4 && ip_version != 6) {
    problems.Add(absl::InvalidArgumentError(
        absl::StrCat("ip_version is ", ip_version, "; it can be 4, 6, or 0 for either")));
  }
  if (!options.netdev_name().empty()) {
    problems.Add(absl::UnimplementedError(
        absl::StrCat("netdev_name is \"", options.netdev_name(),
                     "\", which the driver grpc does not support; leave it out to use the data "
                     "plane address of the node")));
  }
  CheckSettings(ServerWords(), options.server_settings(), "server_settings", &problems);
  CheckSettings(ClientWords(), options.client_settings(), "client_settings", &problems);
  return problems.ToStatus();
}

absl::Status CheckIpVersion(const ProtocolDriverOptions& options, absl::string_view bind_ip) {
  if (options.ip_version() == 0) return absl::OkStatus();
  const IpFamily wanted = options.ip_version() == 4 ? IpFamily::kV4 : IpFamily::kV6;
  if (FamilyOf(bind_ip) == wanted) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("ip_version is ", options.ip_version(), ", but the node's data plane binds to ",
                   bind_ip, "; give the node an address of that version or leave ip_version out"));
}

}  // namespace distbench
