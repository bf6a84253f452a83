// SettingReader: takes one side's settings apart: first those that the driver knows, by name, then
// the rest, which are gRPC's own channel arguments. Collects what is wrong, all of it.
//
//   SettingReader reader("client_settings", options.client_settings(), &problems);
//   client.type = reader.Word("client_type", {{"polling", kPolling}, {"callback", kCallback}})
//                     .value_or(kPolling);
//   client.channels = reader.Count("channels", {.first = 1, .last = 1024}).value_or(1);
//   client.arguments = reader.Rest();
//
// Not thread-safe. The settings outlive it.
#ifndef DISTBENCH_DRIVER_GRPC_SETTING_READER_H_
#define DISTBENCH_DRIVER_GRPC_SETTING_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "distbench/driver/grpc/channel_arguments.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "protos/traffic_config.pb.h"

namespace distbench {

// What is wrong, all of it, as one status.
class SettingProblems {
 public:
  void Add(const absl::Status& error);

  // Unimplemented if all problems are, else InvalidArgument; OK if there are none.
  absl::Status ToStatus() const;

 private:
  std::vector<std::string> texts_;
  bool all_unimplemented_ = true;
};

// A setting's value as messages show it.
std::string ValueText(const NamedSetting& setting);

class SettingReader {
 public:
  template <typename Value>
  using Words = std::vector<std::pair<std::string, Value>>;

  // Both ends are accepted.
  struct Range {
    int64_t first = 0;
    int64_t last = 0;
  };

  SettingReader(std::string where, const google::protobuf::RepeatedPtrField<NamedSetting>& settings,
                SettingProblems* problems);

  // None if the setting is absent, or wrong, which is reported.
  template <typename Value>
  std::optional<Value> Word(const std::string& name, const Words<Value>& words);
  std::optional<size_t> Count(const std::string& name, Range range);

  // What was not asked for before. What is no channel argument either is reported.
  std::vector<ChannelArgument> Rest();

 private:
  // Null if absent.
  const NamedSetting* Take(const std::string& name);
  void Reject(const NamedSetting& setting, const std::string& accepted);
  std::optional<ChannelArgument> ToArgument(const NamedSetting& setting);

  const std::string where_;
  const google::protobuf::RepeatedPtrField<NamedSetting>& settings_;
  SettingProblems& problems_;
  std::vector<std::string> taken_;
};

template <typename Value>
std::optional<Value> SettingReader::Word(const std::string& name, const Words<Value>& words) {
  const NamedSetting* setting = Take(name);
  if (setting == nullptr) return std::nullopt;
  std::string accepted;
  for (const auto& [word, value] : words) {
    if (setting->has_string_value() && setting->string_value() == word) return value;
    accepted += (accepted.empty() ? "" : ", ") + word;
  }
  Reject(*setting, accepted);
  return std::nullopt;
}

}  // namespace distbench

#endif  // DISTBENCH_DRIVER_GRPC_SETTING_READER_H_
