// Which driver each service speaks through, and with which settings.
//
// An entry of protocol_driver_options names a driver or, as an alias, another entry:
//
//   service --> entry 'fast' --> entry 'base' --> driver 'grpc'
//
// Settings of all entries on the way apply; of one name the nearest to the service wins. A driver
// that holds another one names it in a setting, by the same rules:
//
//   service --> entry 'twice' --> driver 'double_barrel'
//                                   next_protocol_driver --> entry 'fast' --> driver 'grpc'
//
// Every entry is resolved and checked once, used or not.
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
constexpr size_t kMaxHolders = 4;           // drivers around a driver; each may hold it twice
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

// The driver inside uses the network as the one around it says, unless it says otherwise itself.
void InheritNetwork(const ProtocolDriverOptions& holder, ProtocolDriverOptions& inner) {
  if (holder.has_netdev_name() && !inner.has_netdev_name()) {
    inner.set_netdev_name(holder.netdev_name());
  }
  if (holder.has_ip_version() && !inner.has_ip_version()) {
    inner.set_ip_version(holder.ip_version());
  }
  if (inner.has_inner_driver()) InheritNetwork(holder, *inner.mutable_inner_driver());
}

size_t DriversWithin(const ProtocolDriverOptions& options) {
  return options.has_inner_driver() ? 1 + DriversWithin(options.inner_driver()) : 0;
}

// A setting of an entry, or of one behind it.
struct FoundSetting {
  const NamedSetting* setting = nullptr;  // null: there is none
  std::string path;
};

// `own_size` of the settings are those of the entry at `path`, the others come from behind it.
FoundSetting FindSetting(const Settings& settings, int own_size, const std::string& side,
                         const std::string& name, const std::string& path) {
  for (int i = 0; i < settings.size(); ++i) {
    if (settings[i].name() != name) continue;
    const std::string list = absl::StrCat(path, ".", side);
    return {.setting = &settings[i], .path = i < own_size ? ElementPath(list, i) : path};
  }
  return {};
}

class Resolver {
 public:
  explicit Resolver(CompileContext& context)
      : context_(context),
        drivers_(context.drivers.names.begin(), context.drivers.names.end()),
        entries_(context.config.protocol_driver_options_size()) {}

  void Run() {
    for (size_t i = 0; i < entries_.size(); ++i) ResolveEntry(i, /*holders=*/0);
    if (context_.config.has_default_protocol()) DefaultProtocolIsKnown();  // used or not
    for (int i = 0; i < context_.config.services_size(); ++i) AssignService(i);
  }

 private:
  struct Resolved {
    std::shared_ptr<const ProtocolDriverOptions> options;  // null: wrong, and reported
    std::vector<size_t> entries;                           // along the chain, and within
  };

  struct Entry {
    enum class Progress { kNew, kUnderWay, kDone };
    Progress progress = Progress::kNew;
    Resolved resolved;
  };

  // Where a chain begins.
  struct Start {
    const ProtocolDriverOptions& options;
    std::string name_path;  // the field that errors of names are of
    std::string path;       // the one that the driver's own are of
    size_t holders = 0;     // drivers around the one that is looked for
  };

  const Resolved& ResolveEntry(size_t position, size_t holders) {
    Entry& entry = entries_[position];
    if (entry.progress == Entry::Progress::kNew) {
      entry.progress = Entry::Progress::kUnderWay;
      entry.resolved = ResolveNewEntry(position, holders);
      entry.progress = Entry::Progress::kDone;
    }
    return entry.resolved;
  }

  Resolved ResolveNewEntry(size_t position, size_t holders) {
    const auto& entry = context_.config.protocol_driver_options(position);
    const std::string path = ElementPath("protocol_driver_options", position);
    CheckSettings(absl::StrCat(path, ".server_settings"), entry.server_settings(), context_.report);
    CheckSettings(absl::StrCat(path, ".client_settings"), entry.client_settings(), context_.report);
    if (entry.has_inner_driver()) {
      context_.report.Error(absl::StrCat(path, ".inner_driver"),
                            "this field is the program's own; leave it out, and name the driver "
                            "inside in a setting of the driver around it");
      return {.options = nullptr, .entries = {position}};
    }
    if (!entry.has_protocol_name() && !DefaultProtocolIsKnown()) {
      return {.options = nullptr, .entries = {position}};
    }
    return FollowAliases({.options = entry,
                          .name_path = absl::StrCat(path, ".protocol_name"),
                          .path = path,
                          .holders = holders},
                         {position});
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
    if (alias.has_value() && !drivers_.contains(protocol)) return entries_[*alias].resolved;
    if (!default_.has_value()) {
      const char* path = "default_protocol";
      const ProtocolDriverOptions none;
      default_ = DefaultProtocolIsKnown()
                     ? FollowAliases({.options = none, .name_path = path, .path = path}, {})
                     : Resolved();
    }
    return *default_;
  }

  // `chain` has the entry that `start` is of, if it is of one.
  Resolved FollowAliases(const Start& start, std::vector<size_t> chain) {
    ProtocolDriverOptions merged = start.options;
    std::string protocol = ProtocolOf(start.options);
    for (size_t aliases = 0; !drivers_.contains(protocol); ++aliases) {
      const std::optional<size_t> next = context_.driver_options.Find(protocol);
      if (!next.has_value()) {
        if (aliases == 0) ReportUnknown(protocol, start.name_path);  // else that entry's error
        return {.options = nullptr, .entries = std::move(chain)};
      }
      chain.push_back(*next);
      if (aliases == kMaxAliases) {
        ReportTooDeep(chain, start.name_path);
        return {.options = nullptr, .entries = std::move(chain)};
      }
      const auto& entry = context_.config.protocol_driver_options(*next);
      MergeUnder(entry, merged);
      protocol = ProtocolOf(entry);
    }
    merged.set_protocol_name(protocol);
    Resolved resolved{.options = nullptr, .entries = std::move(chain)};
    if (AddInner(start, merged, resolved.entries) && AcceptedByDriver(merged, start.path)) {
      resolved.options = std::make_shared<const ProtocolDriverOptions>(std::move(merged));
    }
    return resolved;
  }

  // Gives a driver that holds another one the options of that, and notes the entries that led
  // there. False if there is no such driver, which is reported.
  bool AddInner(const Start& start, ProtocolDriverOptions& holder, std::vector<size_t>& entries) {
    if (!context_.drivers.inner_setting) return true;
    const std::string setting = context_.drivers.inner_setting(holder.protocol_name());
    if (setting.empty()) return true;
    const FoundSetting found = FindInnerSetting(start, holder, setting);
    if (found.setting == nullptr) return false;
    if (start.holders == kMaxHolders) return ReportTooManyHolders(start.path);
    const Resolved inner =
        ResolveInner(found.setting->string_value(), found.path, start.holders + 1);
    entries.insert(entries.end(), inner.entries.begin(), inner.entries.end());
    if (inner.options == nullptr) return false;
    if (DriversWithin(*inner.options) == kMaxHolders) return ReportTooManyHolders(start.path);
    *holder.mutable_inner_driver() = *inner.options;
    InheritNetwork(holder, *holder.mutable_inner_driver());
    return true;
  }

  // By either side's settings. What is found has a text.
  FoundSetting FindInnerSetting(const Start& start, const ProtocolDriverOptions& holder,
                                const std::string& name) {
    const FoundSetting server =
        FindSetting(holder.server_settings(), start.options.server_settings_size(),
                    "server_settings", name, start.path);
    const FoundSetting client =
        FindSetting(holder.client_settings(), start.options.client_settings_size(),
                    "client_settings", name, start.path);
    const FoundSetting& found = server.setting != nullptr ? server : client;
    if (found.setting == nullptr) {
      context_.report.Error(start.path, absl::StrCat("the driver ", holder.protocol_name(),
                                                     " holds another one; name it in the setting ",
                                                     Quoted(name), " of server_settings"));
      return {};
    }
    if (client.setting != nullptr &&
        found.setting->string_value() != client.setting->string_value()) {
      context_.report.Error(
          client.path,
          absl::StrCat(Quoted(name), " is ", Quoted(client.setting->string_value()), " here and ",
                       Quoted(found.setting->string_value()), " in server_settings; give it once"));
      return {};
    }
    if (!found.setting->has_string_value()) {
      context_.report.Error(found.path, absl::StrCat(Quoted(name),
                                                     " needs a string_value: a driver, "
                                                     "or an entry of protocol_driver_options"));
      return {};
    }
    return found;
  }

  Resolved ResolveInner(const std::string& name, const std::string& path, size_t holders) {
    const std::optional<size_t> entry = context_.driver_options.Find(name);
    if (drivers_.contains(name) || !entry.has_value()) {
      ProtocolDriverOptions plain;
      plain.set_protocol_name(name);
      return FollowAliases({.options = plain, .name_path = path, .path = path, .holders = holders},
                           {});
    }
    if (entries_[*entry].progress == Entry::Progress::kUnderWay) {
      context_.report.Error(
          path, absl::StrCat(Quoted(name), " would hold itself; name another driver or entry"));
      return {};
    }
    return ResolveEntry(*entry, holders);
  }

  bool ReportTooManyHolders(const std::string& path) {
    context_.report.Error(
        path, absl::StrCat("more than ", kMaxHolders, " drivers hold each other; leave some out"));
    return false;
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
    const Resolved& resolved = entry.has_value() ? entries_[*entry].resolved : Default();
    if (entry.has_value()) context_.driver_options.MarkUsed(*entry);
    for (size_t passed : resolved.entries) context_.driver_options.MarkUsed(passed);
    if (resolved.options == nullptr) return;
    ServicePlan& service = context_.plan.services[ServiceIndex(position)];
    service.protocol = resolved.options->protocol_name();
    service.driver_options = resolved.options;
  }

  CompileContext& context_;
  const absl::flat_hash_set<std::string> drivers_;
  std::vector<Entry> entries_;  // by position
  std::optional<bool> default_protocol_is_known_;
  std::optional<Resolved> default_;
};

}  // namespace

void CompileDriverOptions(CompileContext& context) { Resolver(context).Run(); }

}  // namespace distbench
