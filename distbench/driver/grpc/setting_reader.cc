#include "distbench/driver/grpc/setting_reader.h"

#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "distbench/config/diagnostics.h"

namespace distbench {
namespace {

// All names of gRPC's channel arguments begin so.
constexpr char kArgumentPrefix[] = "grpc.";

}  // namespace

void SettingProblems::Add(const absl::Status& error) {
  if (error.ok()) return;
  texts_.emplace_back(error.message());
  all_unimplemented_ = all_unimplemented_ && absl::IsUnimplemented(error);
}

absl::Status SettingProblems::ToStatus() const {
  if (texts_.empty()) return absl::OkStatus();
  return absl::Status(
      all_unimplemented_ ? absl::StatusCode::kUnimplemented : absl::StatusCode::kInvalidArgument,
      absl::StrJoin(texts_, "; and "));
}

std::string ValueText(const NamedSetting& setting) {
  if (setting.has_string_value()) return absl::StrCat("\"", Escaped(setting.string_value()), "\"");
  if (setting.has_int64_value()) return absl::StrCat(setting.int64_value());
  return "no value";
}

SettingReader::SettingReader(std::string where,
                             const google::protobuf::RepeatedPtrField<NamedSetting>& settings,
                             SettingProblems* problems)
    : where_(std::move(where)), settings_(settings), problems_(*problems) {
  std::set<std::string> names;
  for (const NamedSetting& setting : settings_) {
    if (names.insert(setting.name()).second) continue;
    problems_.Add(absl::InvalidArgumentError(
        absl::StrCat(where_, " ", Escaped(setting.name()), " is given twice; keep one")));
  }
}

const NamedSetting* SettingReader::Take(const std::string& name) {
  taken_.push_back(name);
  for (const NamedSetting& setting : settings_) {
    if (setting.name() == name) return &setting;
  }
  return nullptr;
}

void SettingReader::Reject(const NamedSetting& setting, const std::string& accepted) {
  problems_.Add(absl::InvalidArgumentError(absl::StrCat(where_, " ", Escaped(setting.name()),
                                                        " is ", ValueText(setting),
                                                        "; the driver grpc accepts ", accepted)));
}

std::optional<size_t> SettingReader::Count(const std::string& name, Range range) {
  const NamedSetting* setting = Take(name);
  if (setting == nullptr) return std::nullopt;
  const int64_t value = setting->int64_value();
  if (setting->has_int64_value() && !setting->has_string_value() && value >= range.first &&
      value <= range.last) {
    return static_cast<size_t>(value);
  }
  Reject(*setting, absl::StrCat("an int64_value from ", range.first, " to ", range.last));
  return std::nullopt;
}

std::vector<ChannelArgument> SettingReader::Rest() {
  std::vector<ChannelArgument> arguments;
  for (const NamedSetting& setting : settings_) {
    if (absl::c_linear_search(taken_, setting.name())) continue;
    if (auto argument = ToArgument(setting)) arguments.push_back(*std::move(argument));
  }
  return arguments;
}

std::optional<ChannelArgument> SettingReader::ToArgument(const NamedSetting& setting) {
  if (!absl::StartsWith(setting.name(), kArgumentPrefix)) {
    problems_.Add(absl::InvalidArgumentError(absl::StrCat(
        where_, " ", Escaped(setting.name()), " (", ValueText(setting),
        ") is neither a setting of the driver grpc", NearestNameHint(setting.name(), taken_),
        " nor a channel argument of gRPC, whose names begin with ", kArgumentPrefix)));
    return std::nullopt;
  }
  const bool is_text = setting.has_string_value();
  const int64_t number = setting.int64_value();
  if (is_text == setting.has_int64_value() || number > std::numeric_limits<int>::max() ||
      number < std::numeric_limits<int>::min()) {
    Reject(setting, "for a channel argument either a string_value or an int64_value of 32 bits");
    return std::nullopt;
  }
  if (is_text) return ChannelArgument{.name = setting.name(), .value = setting.string_value()};
  return ChannelArgument{.name = setting.name(), .value = static_cast<int>(number)};
}

}  // namespace distbench
