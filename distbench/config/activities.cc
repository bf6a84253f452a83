// Activities: work that is no RPC. `activity_func` says which; every other setting is one of that
// function's own.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/compile_context.h"
#include "distbench/config/time_limits.h"

namespace distbench {
namespace {

constexpr char kFunction[] = "activity_func";
// 16 GiB of the numbers that activities work on.
constexpr int64_t kMaxArraySize = int64_t{1} << 31;
constexpr int64_t kMaxWork = 1'000'000'000'000;

class ActivityCompiler {
 public:
  ActivityCompiler(CompileContext& context, size_t position)
      : context_(context),
        config_(context.config.activity_configs(position)),
        path_(ElementPath("activity_configs", position)) {}

  ActivityPlan Compile() {
    CheckNames();
    ActivityPlan plan{.name = config_.name(), .work = Work()};
    RefuseUnread();
    return plan;
  }

 private:
  void CheckNames() {
    std::set<std::string> names;
    for (int i = 0; i < config_.activity_settings_size(); ++i) {
      const NamedSetting& setting = config_.activity_settings(i);
      if (setting.name().empty()) {
        Report(absl::StrCat(SettingPath(i), ".name"), "this setting has no name; set `name`");
      } else if (!names.insert(setting.name()).second) {
        Report(absl::StrCat(SettingPath(i), ".name"),
               absl::StrCat(Quoted(setting.name()), " is set twice; remove one"));
      }
    }
  }

  ActivityWork Work() {
    const NamedSetting* setting = Find(kFunction);
    if (setting == nullptr || !setting->has_string_value()) {
      Report(
          absl::StrCat(path_, ".activity_settings"),
          absl::StrCat("activity ", Quoted(config_.name()), " has no ", kFunction,
                       "; set it, as string_value, to one of ", absl::StrJoin(kFunctions, ", ")));
      ignores_settings_ = true;
      return ConsumeCpu{};
    }
    const std::string& function = setting->string_value();
    if (function == "ConsumeCpu") {
      return ConsumeCpu{.array_size = Number("array_size", 1000, kMaxArraySize)};
    }
    if (function == "PolluteDataCache") {
      return PolluteDataCache{
          .array_size = Number("array_size", 2'000'000, kMaxArraySize),
          .array_reads_per_iteration = Number("array_reads_per_iteration", 1000, kMaxWork)};
    }
    if (function == "PolluteInstructionCache") {
      return PolluteInstructionCache{.function_invocations_per_iteration = Number(
                                         "function_invocations_per_iteration", 1000, kMaxWork)};
    }
    if (function == "SleepFor") return SleepFor{.duration_ns = DurationNs()};
    if (function == "SpinFor") return SpinFor{.duration_ns = DurationNs()};
    if (function == "CalibratedWork") {
      return CalibratedWork{.duration_ns = DurationNs(), .kind = Kind()};
    }
    Report(PathOf(*setting),
           absl::StrCat("there is no activity function ", Quoted(function),
                        NearestNameHint(function, {std::begin(kFunctions), std::end(kFunctions)})));
    ignores_settings_ = true;
    return ConsumeCpu{};
  }

  int64_t DurationNs() {
    const NamedSetting* setting = Find("duration_us");
    if (setting == nullptr) {
      Report(absl::StrCat(path_, ".activity_settings"),
             absl::StrCat("activity ", Quoted(config_.name()),
                          " has no duration_us; set it, as int64_value, to at least 1"));
      return 0;
    }
    return MicrosecondsToNs(Number("duration_us", 1, kMaxDurationUs));
  }

  WorkKind Kind() {
    read_.push_back("kind");
    const NamedSetting* setting = Find("kind");
    if (setting == nullptr) return WorkKind::kCpu;
    for (const WorkKind kind : {WorkKind::kCpu, WorkKind::kMemory}) {
      if (setting->string_value() == WorkKindName(kind)) return kind;
    }
    Report(PathOf(*setting),
           absl::StrCat("there is no kind of work ", Quoted(setting->string_value()),
                        "; set, as string_value, cpu or memory"));
    return WorkKind::kCpu;
  }

  // A setting from 1 to `max`.
  int64_t Number(const char* name, int64_t absent, int64_t max) {
    read_.push_back(name);
    const NamedSetting* setting = Find(name);
    if (setting == nullptr) return absent;
    if (!setting->has_int64_value()) {
      Report(PathOf(*setting), absl::StrCat(Quoted(name), " has no int64_value; set it"));
      return absent;
    }
    const int64_t value = setting->int64_value();
    if (value < 1 || value > max) {
      Report(PathOf(*setting), absl::StrCat(name, " ", value, " is out of range; set 1 to ", max));
    }
    return value;
  }

  void RefuseUnread() {
    if (ignores_settings_) return;
    read_.push_back(kFunction);
    for (const NamedSetting& setting : config_.activity_settings()) {
      if (setting.name().empty()) continue;
      if (std::find(read_.begin(), read_.end(), setting.name()) != read_.end()) continue;
      Report(PathOf(setting), absl::StrCat("this activity has no setting ", Quoted(setting.name()),
                                           NearestNameHint(setting.name(), read_)));
    }
  }

  const NamedSetting* Find(const char* name) const {
    for (const NamedSetting& setting : config_.activity_settings()) {
      if (setting.name() == name) return &setting;
    }
    return nullptr;
  }

  std::string SettingPath(int i) const {
    return absl::StrCat(path_, ".", ElementPath("activity_settings", static_cast<size_t>(i)));
  }
  std::string PathOf(const NamedSetting& setting) const { return SettingPath(IndexOf(setting)); }
  int IndexOf(const NamedSetting& setting) const {
    for (int i = 0; i < config_.activity_settings_size(); ++i) {
      if (&config_.activity_settings(i) == &setting) return i;
    }
    return 0;
  }

  void Report(const std::string& path, const std::string& message) {
    context_.report.Error(path, message);
  }

  static constexpr const char* kFunctions[] = {"CalibratedWork",   "ConsumeCpu",
                                               "PolluteDataCache", "PolluteInstructionCache",
                                               "SleepFor",         "SpinFor"};

  CompileContext& context_;
  const ActivityConfig& config_;
  const std::string path_;
  std::vector<std::string> read_;  // names of settings that the function has
  bool ignores_settings_ = false;  // nobody knows which ones there could be
};

}  // namespace

void CompileActivities(CompileContext& context) {
  for (int i = 0; i < context.config.activity_configs_size(); ++i) {
    context.plan.activities.push_back(ActivityCompiler(context, i).Compile());
  }
}

}  // namespace distbench
