// Which driver each service speaks through, and with which settings.
//
// An entry of protocol_driver_options names a driver or, as an alias, another entry:
//
//   service --> entry 'fast' --> entry 'base' --> driver 'grpc'
//
// Settings of all entries on the way apply; of one name the nearest to the service wins. Every
// entry is resolved and checked once, used or not.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/compile_context.h"

namespace distbench {
namespace {

constexpr char kDefaultEntry[] = "default_protocol_driver_options";
constexpr size_t kMaxAliases = 4;
constexpr size_t kMostNamesCompared = 100;  // with one that is unknown

using Settings = google::protobuf::RepeatedPtrField<NamedSetting>;

void CheckSettings(const std::string& path, const Settings& settings, Reporter& report) {
  absl::flat_hash_set<std::string> names;
  for (int i = 0; i < settings.size(); ++i) {
    const NamedSetting& setting = settings[i];
    const std::string element = ElementPath(path, i);
    if (setting.name().empty()) {
      report.Error(absl::StrCat(element, ".name"), "this setting has no name; set `name`");
    } else if (!names.insert(setting.name()).second) {
      report.Error(absl::StrCat(element, ".name"),
                   absl::StrCat(Quoted(setting.name()), " is set twice; remove one"));
    }
    if (setting.has_string_value() == setting.has_int64_value()) {
      report.Error(element, absl::StrCat("setting ", Quoted(setting.name()),
                                         " needs one of string_value and int64_value"));
    }
  }
}

void AddMissing(const Settings& farther, Settings& nearer) {
  absl::flat_hash_set<std::string> names;
  for (const NamedSetting& setting : nearer) names.insert(setting.name());
  for (const NamedSetting& setting : farther) {
    if (names.insert(setting.name()).second) *nearer.Add() = setting;
  }
}

void MergeUnder(const ProtocolDriverOptions& farther, ProtocolDriverOptions& nearer) {
  AddMissing(farther.server_settings(), *nearer.mutable_server_settings());
  AddMissing(farther.client_settings(), *nearer.mutable_client_settings());
  if (farther.has_netdev_name() && !nearer.has_netdev_name()) {
    nearer.set_netdev_name(farther.netdev_name());
  }
  if (farther.has_ip_version() && !nearer.has_ip_version()) {
    nearer.set_ip_version(farther.ip_version());
  }
}

class Resolver {
 public:
  explicit Resolver(CompileContext& context)
      : context_(context), drivers_(context.drivers.names.begin(), context.drivers.names.end()) {}

  void Run() {
    for (int i = 0; i < context_.config.protocol_driver_options_size(); ++i) {
      entries_.push_back(ResolveEntry(i));
    }
    if (context_.config.has_default_protocol()) DefaultProtocolIsKnown();  // used or not
    for (int i = 0; i < context_.config.services_size(); ++i) AssignService(i);
  }

 private:
  struct Resolved {
    std::shared_ptr<const ProtocolDriverOptions> options;  // null: wrong, and reported
    std::vector<size_t> entries;                           // along the chain
  };

  Resolved ResolveEntry(size_t position) {
    const auto& entry = context_.config.protocol_driver_options(position);
    const std::string path = ElementPath("protocol_driver_options", position);
    CheckSettings(absl::StrCat(path, ".server_settings"), entry.server_settings(), context_.report);
    CheckSettings(absl::StrCat(path, ".client_settings"), entry.client_settings(), context_.report);
    if (!entry.has_protocol_name() && !DefaultProtocolIsKnown()) {
      return {.options = nullptr, .entries = {position}};
    }
    return FollowAliases(entry, {position}, absl::StrCat(path, ".protocol_name"), path);
  }

  // An unknown one is reported once, whatever needs it.
  bool DefaultProtocolIsKnown() {
    if (!default_protocol_is_known_.has_value()) {
      const std::string& protocol = context_.config.default_protocol();
      default_protocol_is_known_ =
          drivers_.contains(protocol) || context_.driver_options.Find(protocol).has_value();
      if (!*default_protocol_is_known_) ReportUnknown(protocol, "default_protocol");
    }
    return *default_protocol_is_known_;
  }

  // For services without an entry. Requires: entries_ is complete.
  const Resolved& Default() {
    const std::string& protocol = context_.config.default_protocol();
    const std::optional<size_t> alias = context_.driver_options.Find(protocol);
    if (alias.has_value() && !drivers_.contains(protocol)) return entries_[*alias];
    if (!default_.has_value()) {
      const char* path = "default_protocol";
      default_ = DefaultProtocolIsKnown() ? FollowAliases(ProtocolDriverOptions(), {}, path, path)
                                          : Resolved();
    }
    return *default_;
  }

  // `start` and its entry, if it is one, begin the chain. Errors of names are the field
  // `name_path`'s, the driver's own `path`'s.
  Resolved FollowAliases(const ProtocolDriverOptions& start, std::vector<size_t> chain,
                         const std::string& name_path, const std::string& path) {
    ProtocolDriverOptions merged = start;
    std::string protocol = ProtocolOf(start);
    for (size_t aliases = 0; !drivers_.contains(protocol); ++aliases) {
      const std::optional<size_t> next = context_.driver_options.Find(protocol);
      if (!next.has_value()) {
        if (aliases == 0) ReportUnknown(protocol, name_path);  // else that entry's error
        return {.options = nullptr, .entries = std::move(chain)};
      }
      chain.push_back(*next);
      if (aliases == kMaxAliases) {
        ReportTooDeep(chain, name_path);
        return {.options = nullptr, .entries = std::move(chain)};
      }
      const auto& entry = context_.config.protocol_driver_options(*next);
      MergeUnder(entry, merged);
      protocol = ProtocolOf(entry);
    }
    merged.set_protocol_name(protocol);
    Resolved resolved{.options = nullptr, .entries = std::move(chain)};
    if (AcceptedByDriver(merged, path)) {
      resolved.options = std::make_shared<const ProtocolDriverOptions>(std::move(merged));
    }
    return resolved;
  }

  const std::string& ProtocolOf(const ProtocolDriverOptions& entry) const {
    return entry.has_protocol_name() ? entry.protocol_name() : context_.config.default_protocol();
  }

  bool AcceptedByDriver(const ProtocolDriverOptions& options, const std::string& path) {
    if (!context_.drivers.check) return true;
    const absl::Status status = context_.drivers.check(options.protocol_name(), options);
    if (status.ok()) return true;
    const std::string message(status.message());
    if (absl::IsUnimplemented(status)) {
      context_.report.Unsupported(path, message);
    } else {
      context_.report.Error(path, message);
    }
    return false;
  }

  void ReportUnknown(const std::string& protocol, const std::string& path) {
    std::vector<std::string> known = context_.drivers.names;
    const auto& entries = context_.driver_options.names();
    const size_t compared = std::min(entries.size(), kMostNamesCompared);
    known.insert(known.end(), entries.begin(), entries.begin() + compared);
    context_.report.Error(path, absl::StrCat(Quoted(protocol),
                                             " is neither a driver nor an entry of "
                                             "protocol_driver_options",
                                             NearestNameHint(protocol, known)));
  }

  void ReportTooDeep(const std::vector<size_t>& chain, const std::string& path) {
    const std::string way = absl::StrJoin(chain, " -> ", [this](std::string* out, size_t entry) {
      absl::StrAppend(out, Quoted(context_.driver_options.names()[entry]));
    });
    context_.report.Error(path, absl::StrCat(way, " reaches no driver within ", kMaxAliases,
                                             " aliases; name a driver"));
  }

  void AssignService(size_t position) {
    const ServiceSpec& spec = context_.config.services(position);
    std::optional<size_t> entry;
    if (spec.has_protocol_driver_options_name()) {
      entry = context_.driver_options.Resolve(
          spec.protocol_driver_options_name(),
          ElementPath("services", position, "protocol_driver_options_name"), context_.report);
      if (!entry.has_value()) return;
    } else {
      entry = context_.driver_options.Find(kDefaultEntry);
    }
    const Resolved& resolved = entry.has_value() ? entries_[*entry] : Default();
    if (entry.has_value()) context_.driver_options.MarkUsed(*entry);
    for (size_t passed : resolved.entries) context_.driver_options.MarkUsed(passed);
    if (resolved.options == nullptr) return;
    ServicePlan& service = context_.plan.services[ServiceIndex(position)];
    service.protocol = resolved.options->protocol_name();
    service.driver_options = resolved.options;
  }

  CompileContext& context_;
  const absl::flat_hash_set<std::string> drivers_;
  std::vector<Resolved> entries_;  // by position
  std::optional<bool> default_protocol_is_known_;
  std::optional<Resolved> default_;
};

}  // namespace

void CompileDriverOptions(CompileContext& context) { Resolver(context).Run(); }

}  // namespace distbench
